package history

import (
	"context"
	"path/filepath"
	"slices"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/runs"
)

// TrendChange is the change of a metric from one run to the next, with its significance.
type TrendChange struct {
	ComparedWith string `json:"compared_with"` // name of the earlier run
	// the runs were compared case by case; otherwise there is no interval and no significance
	Paired         bool   `json:"paired"`
	UnpairedReason string `json:"unpaired_reason,omitempty"` // why the runs could not be compared case by case
	Ratio          bool   `json:"ratio,omitempty"`           // Contrast is a ratio, not a difference
	// value in the later run minus, or divided by, the value in the earlier run
	Contrast    eval.Contrast        `json:"contrast"`
	Significant bool                 `json:"significant,omitempty"` // the change is statistically significant
	State       eval.ComparisonState `json:"state,omitempty"`       // conclusion of the comparison, only for accuracy
}

// pairing identifies two runs that are compared.
type pairing struct{ before, last string }

// changes computes the last change of each series. It reads the results of each run only once.
func (h *History) changes(ctx context.Context, t *Trend) error {
	byRuns := map[pairing][]*TrendSeries{}
	for i := range t.Series {
		s := &t.Series[i]
		n := len(s.Points)
		if n < 2 {
			continue
		}
		before, last := s.Points[n-2], s.Points[n-1]
		s.Change = plainChange(before, last)
		switch {
		case last.CasesChanged:
			s.Change.UnpairedReason = "other cases or other settings"
		case !isCompared(t.Metric):
			s.Change.UnpairedReason = "the metric is not compared case by case"
		default:
			at := pairing{before: before.Run, last: last.Run}
			byRuns[at] = append(byRuns[at], s)
		}
	}
	for at, list := range byRuns {
		if err := ctx.Err(); err != nil {
			return err
		}
		h.pair(at, list, t.Metric)
	}
	return nil
}

func plainChange(before, last TrendPoint) *TrendChange {
	c := &TrendChange{ComparedWith: before.Run}
	if a, b := before.Estimate.Value, last.Estimate.Value; a != nil && b != nil {
		c.Contrast.Value = new(*b - *a)
	}
	return c
}

// isCompared reports whether the package compare can compare the metric case by case.
func isCompared(metric string) bool {
	switch metric {
	case accuracy, "route.macro_f1", compare.CostRatioKey, compare.P50RatioKey, compare.P95RatioKey:
		return true
	}
	return eval.Score{Name: metric}.IsMeasurement()
}

// pair compares two runs case by case, for all given series. If that is impossible, it records the
// reason.
func (h *History) pair(at pairing, list []*TrendSeries, metric string) {
	before, err := h.source(at.before)
	if err != nil {
		unpaired(list, err)
		return
	}
	last, err := h.source(at.last)
	if err != nil {
		unpaired(list, err)
		return
	}
	// Each fault is compared by itself, because not every variant runs with every fault.
	groups := map[[2]string][]*TrendSeries{}
	for _, s := range list {
		groups[[2]string{s.Suite, s.Fault}] = append(groups[[2]string{s.Suite, s.Fault}], s)
	}
	for of, list := range groups {
		found, err := compare.Runs([]compare.RunData{before, last},
			compare.Selection{Suites: []string{of[0]}, Faults: []string{of[1]},
				Variants: namesOf(list, func(s *TrendSeries) string { return s.Variant })})
		if err != nil {
			unpaired(list, err)
			continue
		}
		for _, s := range list {
			s.Change.setFrom(s, found, metric)
		}
	}
}

func unpaired(list []*TrendSeries, why error) {
	for _, s := range list {
		s.Change.UnpairedReason = why.Error()
	}
}

func namesOf(list []*TrendSeries, name func(*TrendSeries) string) (names []string) {
	for _, s := range list {
		if n := name(s); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

func (h *History) source(name string) (compare.RunData, error) {
	r, err := runs.Open(filepath.Join(h.Dir, name))
	if err != nil {
		return compare.RunData{}, err
	}
	return r.ComparisonData(), nil
}

// setFrom copies the comparison of the series' variant and fault to the change.
func (c *TrendChange) setFrom(s *TrendSeries, found []compare.Comparison, metric string) {
	for _, one := range found {
		if one.Fault != s.Fault || one.Candidates[0].Variant != s.Variant {
			continue
		}
		d := one.Pairs[0].Difference
		contrast, known := d.Metrics[metric]
		null := 0.0
		switch metric {
		case accuracy:
			contrast, known = d.Accuracy, d.State != eval.InsufficientData
		case "route.macro_f1":
			contrast, known = d.MacroF1, true
		case compare.CostRatioKey, compare.P50RatioKey, compare.P95RatioKey:
			contrast, known = d.Ratios[metric]
			c.Ratio, null = known, 1
		}
		if !known || contrast.Value == nil {
			c.UnpairedReason = "too little of both runs is measured"
			return
		}
		c.Paired = true
		c.Contrast = contrast
		c.UnpairedReason = ""
		c.Significant = contrast.Lo != nil && contrast.Hi != nil && (*contrast.Lo > null || *contrast.Hi < null)
		if metric == accuracy {
			c.State, c.Significant = d.State, d.State == eval.Better || d.State == eval.Worse
		}
		return
	}
	c.UnpairedReason = "the two runs do not both have this variant and fault"
}
