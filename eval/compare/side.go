package compare

import (
	"cmp"
	"slices"
	"time"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// sideOf computes the metrics of one side of a comparison over the compared cases.
func sideOf(of RunData, p sideKey, ids []string, rows caseRows) Candidate {
	suite, _ := of.suite(p.suite)
	s := Candidate{
		Run:     of.Name,
		Dir:     of.Dir,
		Suite:   p.suite,
		Variant: p.variant,
		Dataset: suite.Dataset,
		Clock:   suite.Clock,
		Models:  modelsOf(suite, p.variant),
		Prompts: suite.Prompts[p.variant],
	}
	var right stats.Proportion
	var f1 stats.F1
	var times stats.QuantileSketch
	var labeled, turns, priced, lost int64
	var cost float64
	for _, id := range ids {
		t := tallyCases(rows[id])
		labeled, turns = labeled+t.labeled, turns+t.turns
		right.Add(t.right, t.scored)
		f1.Add(t.rows...)
		times.AddCase(answerTimes(rows[id])...)
		lost += turnsWithoutTime(rows[id])
		if usd, _ := meanCost(rows[id]); usd != nil {
			cost, priced = cost+*usd, priced+1
		}
	}
	s.Accuracy = estimate(&right, right.N(), right.Cases(), labeled-right.N())
	s.MacroF1 = eval.Estimate{N: f1.N(), Missing: turns - f1.N()}
	if f1.Cases() < f1.N() {
		s.MacroF1.Cases = f1.Cases()
	}
	if v, ok := f1.MacroF1(); ok {
		s.MacroF1.Value = &v
	}
	if lo, hi, ok := f1.MacroF1Interval(level); ok {
		s.MacroF1.Lo, s.MacroF1.Hi = &lo, &hi
	}
	s.CostMean = eval.Estimate{N: priced, Missing: int64(len(ids)) - priced}
	if priced > 0 && s.CostMean.Missing == 0 {
		s.CostMean.Value = new(cost / float64(priced))
	}
	s.P50, s.P95 = quantile(&times, 0.5, lost), quantile(&times, 0.95, lost)
	return s
}

// HasUnreadPrompts reports whether sides whose models are all simulated have different prompts.
// Simulated models do not read prompts, so prompts cannot explain a difference between such sides.
func HasUnreadPrompts(sides []Candidate) bool {
	seen := map[string]bool{}
	for _, s := range sides {
		if len(s.Models) > 0 && !slices.ContainsFunc(s.Models,
			func(m eval.ModelInfo) bool { return m.Kind != "simulated" }) {
			seen[s.Prompts] = true
		}
	}
	return len(seen) > 1
}

func modelsOf(s eval.SuiteSummary, variant string) (list []eval.ModelInfo) {
	for _, m := range s.Models {
		if m.Variants == nil || slices.Contains(m.Variants, variant) {
			list = append(list, eval.ModelInfo{
				Component:  m.Component,
				Kind:       m.Kind,
				Note:       m.Note,
				LabelBased: m.LabelBased,
			})
		}
	}
	return list
}

// metric returns the median or the 95th percentile of the side's latency, by metric name.
func (s Candidate) metric(name string) eval.Estimate {
	if name == P95RatioKey {
		return s.P95
	}
	return s.P50
}

func quantile(of *stats.QuantileSketch, q float64, missing int64) eval.Estimate {
	e := eval.Estimate{N: of.N(), Missing: missing}
	if v, ok := of.Quantile(q); ok {
		e.Value = new(float64(v) / float64(time.Millisecond))
	}
	return e
}

func estimate(of *stats.Proportion, n, cases, missing int64) eval.Estimate {
	e := eval.Estimate{N: n, Missing: missing}
	if cases < n {
		e.Cases = cases
	}
	if v, ok := of.Value(); ok {
		e.Value = &v
	}
	if lo, hi, ok := of.Interval(level); ok {
		e.Lo, e.Hi = &lo, &hi
	}
	return e
}

// sortRanks sorts the ranks by accuracy, highest first. Sides without an accuracy come last.
func sortRanks(ranks []Rank, sides []Candidate) {
	value := func(r Rank) float64 {
		if v := sides[r.Candidate].Accuracy.Value; v != nil {
			return *v
		}
		return -1
	}
	slices.SortStableFunc(ranks, func(a, b Rank) int { return cmp.Compare(value(b), value(a)) })
}
