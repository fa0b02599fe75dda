package compare

import (
	"fmt"

	"evalctl/eval"
	"evalctl/eval/suggest"
)

// maxSides is how many variants or runs are ranked at once.
const maxSides = maxCrossed

// Comparison is what the sides of one suite differ in, under one fault, over the
// cases that all of them have. All figures are of these cases alone.
type Comparison struct {
	Suite      string       `json:"suite"`
	Fault      string       `json:"fault"`
	Cases      int64        `json:"cases"`
	Epochs     int          `json:"epochs"`          // times that a case was played at most
	Notes      []string     `json:"notes,omitempty"` // what a reader must know before the figures
	Candidates []Candidate  `json:"candidates"`      // the first is what the others are held against
	Pairs      []PairResult `json:"pairs"`           // of the first with each other, then of the others
	Ranking    []Rank       `json:"ranking,omitempty"`
}

// Candidate is a variant of a run.
type Candidate struct {
	Run      string           `json:"run"`
	Dir      string           `json:"dir,omitempty"` // with the run's traces
	Suite    string           `json:"suite"`
	Variant  string           `json:"variant"`
	Dataset  string           `json:"dataset,omitempty"`
	Time     string           `json:"clock,omitempty"`   // real or simulated
	Models   []eval.ModelNote `json:"models,omitempty"`  // what stood behind the variant
	Prompts  string           `json:"prompts,omitempty"` // identifies those that it sets
	Accuracy eval.Estimate    `json:"accuracy"`
	MacroF1  eval.Estimate    `json:"macro_f1"`
	CostMean eval.Estimate    `json:"cost_mean"` // USD a case and epoch
	P50      eval.Estimate    `json:"p50"`       // milliseconds, of turns that were answered
	P95      eval.Estimate    `json:"p95"`
}

// PairResult is one side held against another; both are places in Sides.
type PairResult struct {
	Reference int `json:"reference"`
	Candidate int `json:"candidate"`
	eval.Difference

	Classes     []Breakdown   `json:"classes,omitempty"` // by the label that cases expect; as the next, only against the first side
	Tags        []Breakdown   `json:"tags,omitempty"`
	FixedCases  []ChangedCase `json:"fixed_cases,omitempty"` // cases that Side has right more often
	BrokenCases []ChangedCase `json:"broken_cases,omitempty"`
}

// Rank is a side's place among all, the best first.
type Rank struct {
	Candidate                     int   `json:"candidate"`
	NotSignificantlyDifferentFrom []int `json:"not_significantly_different_from,omitempty"` // sides that it is not told apart from
}

// Between compares runs suite by suite, or variants of one run.
func Between(sources []RunData, c Selection) ([]Comparison, error) {
	lineups, err := allLineups(sources, c)
	if err != nil {
		return nil, err
	}
	places := map[place]bool{}
	for _, l := range lineups {
		for _, p := range l {
			places[p] = true
		}
	}
	rows, err := rowsOf(sources, places)
	if err != nil {
		return nil, err
	}
	var list []Comparison
	families := map[string][]tested{}
	for _, l := range lineups {
		one, pairs, err := newComparison(sources, l, rows, c.Common)
		if err != nil {
			return nil, err
		}
		for i := range one.Pairs {
			families[one.Suite] = append(families[one.Suite], tested{of: &one.Pairs[i].Difference, by: pairs[i]})
		}
		list = append(list, one)
	}
	for _, f := range families {
		settle(f)
	}
	for i := range list {
		for j := range list[i].Pairs {
			keepTags(&list[i].Pairs[j].Difference)
		}
		list[i].rank()
	}
	if rest := leftOut(sources, places); len(rest) > 0 && c.Suites == nil && c.Variants == nil {
		list[0].Notes = append(list[0].Notes, "Not in all runs, and so not compared: "+suggest.Join(rest)+".")
	}
	return list, nil
}

// allLineups are those of all suites. A suite that has not the variants that are
// asked for is passed over where another has them.
func allLineups(sources []RunData, c Selection) (list []selection, err error) {
	picked, err := pickSuites(sources, c.Suites)
	if err != nil {
		return nil, err
	}
	var failed error
	for _, suites := range picked {
		lineups, err := lineupsOf(sources, suites, c)
		if err != nil && (c.Variants == nil || c.Suites != nil) {
			return nil, err
		}
		if err != nil && failed == nil {
			failed = err
		}
		list = append(list, lineups...)
	}
	if len(list) == 0 {
		return nil, failed
	}
	if n := len(list[0]); n > maxSides {
		return nil, fmt.Errorf("%d are more than %d to compare at once", n, maxSides)
	}
	return list, nil
}

// newComparison compares the sides of a lineup, without the tests of its family,
// for which it has the pairs.
func newComparison(sources []RunData, l selection, rows map[place]caseRows, common bool) (Comparison, []*pair, error) {
	c := Comparison{Suite: l[0].suite, Fault: l[0].fault}
	sides := make([]caseRows, len(l))
	for i, p := range l {
		sides[i] = rows[p]
	}
	ids, notes, err := compared(sources, l, sides, common)
	if err != nil {
		return c, nil, fmt.Errorf("suite %s: %w", c.Suite, err)
	}
	kept, isKept := judgedByAll(ids, sides), map[string]bool{}
	for _, id := range kept {
		isKept[id] = true
	}
	if len(kept) < len(ids) {
		notes = append(notes, fmt.Sprintf("%d of %d cases are left out of every figure: not all sides have them judged.", len(ids)-len(kept), len(ids)))
	}
	c.Cases, c.Notes = int64(len(kept)), notes
	timed := sameClock(sources, l)
	for i, p := range l {
		c.Candidates = append(c.Candidates, sideOf(sources[p.source], p, kept, sides[i]))
		for _, id := range kept {
			c.Epochs = max(c.Epochs, len(sides[i][id]))
		}
	}
	var pairs []*pair
	for base := range l {
		for side := base + 1; side < len(l); side++ {
			v, whole := PairResult{Reference: base, Candidate: side}, pairOf(ids, isKept, sides[base], sides[side])
			v.Difference = whole.Difference()
			if base == 0 {
				v.detail(kept, sides[base], sides[side], [2]Candidate{c.Candidates[base], c.Candidates[side]}, timed)
				v.SignificantTags = significant(v.Tags)
			}
			v.Variant, v.ComparedWith, v.Difference.Fault = l[side].variant, l[base].variant, c.Fault
			c.Pairs, pairs = append(c.Pairs, v), append(pairs, whole)
		}
	}
	return c, pairs, nil
}

// rank orders the sides of three or more by their accuracy.
func (c *Comparison) rank() {
	if len(c.Candidates) < 3 {
		return
	}
	for i := range c.Candidates {
		r := Rank{Candidate: i}
		for _, v := range c.Pairs {
			apart := v.State == eval.Better || v.State == eval.Worse
			switch {
			case apart:
			case v.Reference == i:
				r.NotSignificantlyDifferentFrom = append(r.NotSignificantlyDifferentFrom, v.Candidate)
			case v.Candidate == i:
				r.NotSignificantlyDifferentFrom = append(r.NotSignificantlyDifferentFrom, v.Reference)
			}
		}
		c.Ranking = append(c.Ranking, r)
	}
	sortRanks(c.Ranking, c.Candidates)
}
