package compare

import (
	"errors"
	"fmt"

	"evalctl/eval"
	"evalctl/eval/suggest"
)

// maxSides is the maximum number of sides (variants or runs) in a ranking.
const maxSides = maxAllPairs

// Comparison is the result of comparing runs or variants (the sides) on one suite under one fault.
// All values cover only the cases that all sides have.
type Comparison struct {
	Suite      string      `json:"suite"`
	Fault      string      `json:"fault"`
	Cases      int64       `json:"cases"`           // number of cases that the values cover
	Epochs     int         `json:"epochs"`          // largest number of epochs of a case
	Notes      []string    `json:"notes,omitempty"` // limits of the comparison that the reader must know
	Candidates []Candidate `json:"candidates"`      // the compared sides; the first is the reference
	// first the comparisons with the first side, then those between the others
	Pairs   []PairResult `json:"pairs"`
	Ranking []Rank       `json:"ranking,omitempty"` // three or more sides, sorted by accuracy
	// prompts that differ from those of the first side
	Prompts []PromptChange `json:"prompts,omitempty"`

	leftOut map[string]bool // cases of a side that are not compared
}

// LeavesOut reports whether a case of a side is not compared, because another side has it in another version,
// not at all, or without a score.
func (c Comparison) LeavesOut(caseID string) bool { return c.leftOut[caseID] }

// Candidate is one side of a comparison, a variant of a run, with its main metrics.
type Candidate struct {
	Run      string           `json:"run"`           // name of the run
	Dir      string           `json:"dir,omitempty"` // directory of the run with its traces; "": none
	Suite    string           `json:"suite"`
	Variant  string           `json:"variant"`
	Dataset  string           `json:"dataset,omitempty"`
	Clock    string           `json:"clock,omitempty"`   // clock of the run: real or simulated
	Models   []eval.ModelInfo `json:"models,omitempty"`  // models that the variant used
	Prompts  string           `json:"prompts,omitempty"` // hash of the variant's custom prompts; "": default prompts
	Accuracy eval.Estimate    `json:"accuracy"`
	MacroF1  eval.Estimate    `json:"macro_f1"`
	CostMean eval.Estimate    `json:"cost_mean"` // mean cost in USD per case and epoch
	P50      eval.Estimate    `json:"p50"`       // median latency of the answered turns in milliseconds
	P95      eval.Estimate    `json:"p95"`       // 95th percentile of the latency in milliseconds
}

// PairResult compares two sides. Reference and Candidate are indexes in [Comparison.Candidates].
type PairResult struct {
	Reference int `json:"reference"` // index of the side that is compared with
	Candidate int `json:"candidate"` // index of the compared side
	eval.Difference

	// differences by expected label; Classes, Tags, FixedCases and BrokenCases are set only if
	// Reference is the first side
	Classes    []Breakdown   `json:"classes,omitempty"`
	Tags       []Breakdown   `json:"tags,omitempty"`        // differences by tag
	FixedCases []ChangedCase `json:"fixed_cases,omitempty"` // cases that the candidate answers correctly more often
	// cases that the candidate answers correctly less often
	BrokenCases []ChangedCase `json:"broken_cases,omitempty"`
}

// Rank is the position of one side in the ranking by accuracy; the highest accuracy comes first.
type Rank struct {
	Candidate int `json:"candidate"` // index of the side in Candidates
	// sides whose accuracy does not differ significantly (indexes in Candidates)
	NotSignificantlyDifferentFrom []int `json:"not_significantly_different_from,omitempty"`
}

// Runs compares runs suite by suite, or variants within one run.
func Runs(sources []RunData, c Selection) ([]Comparison, error) {
	lineups, err := allSideSets(sources, c)
	if err != nil {
		return nil, err
	}
	places := map[sideKey]bool{}
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
	families := map[string][]familyMember{}
	for _, l := range lineups {
		one, pairs, err := newComparison(sources, l, rows, c.CommonCases)
		if err != nil {
			return nil, err
		}
		for i := range one.Pairs {
			families[one.Suite] = append(families[one.Suite], familyMember{of: &one.Pairs[i].Difference, by: pairs[i]})
		}
		list = append(list, one)
	}
	for _, f := range families {
		testFamily(f)
	}
	for i := range list {
		for j := range list[i].Pairs {
			removeRedundantTags(&list[i].Pairs[j].Difference)
		}
		list[i].rank()
	}
	if rest := notCompared(sources, places); len(rest) > 0 && c.Suites == nil && c.Variants == nil {
		why := "Not in all runs, and so not compared: "
		if len(sources) == 1 {
			why = "Not compared: "
		}
		list[0].Notes = append(list[0].Notes, why+suggest.JoinWords(rest)+".")
	}
	return list, nil
}

// allSideSets returns the sets of sides to compare, for all suites. It skips a suite without the
// requested variants, or a suite of a single run with only one variant, if another suite has them.
func allSideSets(sources []RunData, c Selection) (list []sideSet, err error) {
	picked, err := pickSuites(sources, c.Suites)
	if err != nil {
		return nil, err
	}
	var failed error
	for _, suites := range picked {
		lineups, err := sideSetsOf(sources, suites, c)
		isSkipped := c.Variants != nil || errors.Is(err, errOneVariant)
		if err != nil && (!isSkipped || c.Suites != nil) {
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

// newComparison compares one set of sides. It also returns the pairs, because significance is
// tested later, over all pairs of the suite.
func newComparison(sources []RunData, l sideSet, rows map[sideKey]caseRows, common bool) (Comparison, []*pair, error) {
	c := Comparison{Suite: l[0].suite, Fault: l[0].fault}
	sides := make([]caseRows, len(l))
	for i, p := range l {
		sides[i] = rows[p].renamedAs(rows[l[0]])
	}
	ids, notes, err := comparableCases(sources, l, sides, common)
	if err != nil {
		return c, nil, fmt.Errorf("suite %s: %w", c.Suite, err)
	}
	kept, isKept := scoredByAll(ids, sides), map[string]bool{}
	for _, id := range kept {
		isKept[id] = true
	}
	c.leftOut = map[string]bool{}
	for _, rows := range sides {
		for id := range rows {
			if !isKept[id] {
				c.leftOut[id] = true
			}
		}
	}
	if len(kept) < len(ids) {
		notes = append(notes, fmt.Sprintf(
			"%d of %d cases are left out of every figure: not all runs have a score for them.",
			len(ids)-len(kept), len(ids)))
	}
	c.Cases, c.Notes = int64(len(kept)), notes
	timed := sameClock(sources, l)
	for i, p := range l {
		c.Candidates = append(c.Candidates, sideOf(sources[p.source], p, kept, sides[i]))
		for _, id := range kept {
			c.Epochs = max(c.Epochs, len(sides[i][id]))
		}
	}
	for i := 1; i < len(l); i++ {
		if haveDifferentTargets(sources, l[0], l[i]) {
			continue // their prompts have different jobs
		}
		if sources[l[0].source].Prompts == nil || sources[l[i].source].Prompts == nil {
			continue // a run of an older evalctl stored no prompts
		}
		c.Prompts = append(c.Prompts, promptChanges(i, sources[l[0].source].promptsOf(l[0]),
			sources[l[i].source].promptsOf(l[i]))...)
	}
	var pairs []*pair
	for base := range l {
		for side := base + 1; side < len(l); side++ {
			v, whole := PairResult{Reference: base, Candidate: side}, pairOf(ids, isKept, sides[base], sides[side])
			v.Difference = whole.Difference()
			if base == 0 {
				v.detail(kept, sides[base], sides[side], [2]Candidate{c.Candidates[base], c.Candidates[side]}, timed)
				v.SignificantTags = significantBreakdowns(v.Tags)
			}
			v.Variant = l[side].variant
			v.ComparedWith = l[base].variant
			v.Difference.Fault = c.Fault
			c.Pairs, pairs = append(c.Pairs, v), append(pairs, whole)
		}
	}
	return c, pairs, nil
}

// rank sorts three or more sides by accuracy and adds which of them do not differ significantly.
func (c *Comparison) rank() {
	if len(c.Candidates) < 3 {
		return
	}
	for i := range c.Candidates {
		r := Rank{Candidate: i}
		for _, v := range c.Pairs {
			isSignificant := v.State == eval.Better || v.State == eval.Worse
			switch {
			case isSignificant:
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
