package gate

import (
	"cmp"
	"slices"

	"evalctl/eval"
)

// BaselineComparison hold a run against its baseline, case by case, for the rules that ask for it:
// cases of the same suite, variant and fault. What they keep grows with the cases. The
// order of results does not matter.
type BaselineComparison struct {
	list     map[Rule]*pairing
	unhashed int64
}

// NewPairs prepares what the rules need.
func NewPairs(rules []Rule) *BaselineComparison {
	p := &BaselineComparison{list: map[Rule]*pairing{}}
	for _, r := range rules {
		if r.NeedsBaseline() {
			p.list[r] = &pairing{rule: r, fact: factOf(r), conditions: map[Condition]cases{}}
		}
	}
	return p
}

// NeedsBaseline tells whether the rule wants a baseline.
func (r Rule) NeedsBaseline() bool { return r.Against != "" }

// IsTime tells a rule whose figure is a time.
func (r Rule) IsTime() bool { return r.figureOf().isTime() }

// Baseline counts a result of the baseline.
func (p *BaselineComparison) Baseline(r eval.Result) {
	p.each(r, func(c *pair) *facts { return &c.before })
}

// Add counts a result of the run.
func (p *BaselineComparison) Add(r eval.Result) { p.each(r, func(c *pair) *facts { return &c.now }) }

// Unhashed is how many results have no case hash: they are of an older evalctl. Their cases
// are compared by the text and the labels that a row shows, of a conversation those of one turn.
func (p *BaselineComparison) Unhashed() int64 { return p.unhashed }

func (p *BaselineComparison) each(r eval.Result, side func(*pair) *facts) {
	if r.CaseHash == "" {
		p.unhashed++
	}
	for _, of := range p.list {
		of.add(r, side)
	}
}

// pairing is what one rule compares.
type pairing struct {
	rule       Rule
	fact       func(eval.Result) (fact, bool)
	conditions map[Condition]cases
}

// cases are a cell's, by their ids.
type cases map[string]*pair

// pair is what the trials of one case came to, before and now.
type pair struct{ before, now facts }

// facts are those of one case, of each epoch one.
type facts []fact

func (p *pairing) add(r eval.Result, side func(*pair) *facts) {
	at := Condition{Suite: r.Suite, Variant: r.Variant, Fault: faultOf(r.Fault)}
	if !p.rule.selects(at) || p.rule.Tag != "" && !slices.Contains(r.Tags, p.rule.Tag) {
		return
	}
	f, concerned := p.fact(r)
	if !concerned {
		return
	}
	f.asked = questionOf(r)
	if p.conditions[at] == nil {
		p.conditions[at] = cases{}
	}
	c := p.conditions[at][r.Case]
	if c == nil {
		c = &pair{}
		p.conditions[at][r.Case] = c
	}
	side(c).put(f)
}

// put keeps the last result of each epoch.
func (f *facts) put(one fact) {
	if at := f.place(one.epoch); at >= 0 {
		(*f)[at] = one
		return
	}
	*f = append(*f, one)
}

func (f facts) place(epoch int) int {
	return slices.IndexFunc(f, func(have fact) bool { return have.epoch == epoch })
}

// lostSuites are the suites that the baseline has and the rule selects, and this run has
// not, with the number of their cells.
func (p *BaselineComparison) lostSuites(r Rule, s eval.Summary) map[string]int {
	if p == nil || p.list[r] == nil {
		return nil
	}
	lost := map[string]int{}
	for at, cases := range p.list[r].conditions {
		isHere := slices.ContainsFunc(s.Suites, func(of eval.SuiteSummary) bool { return of.Name == at.Suite })
		if !isHere && cases.areBaselines() {
			lost[at.Suite]++
		}
	}
	return lost
}

// unplayed are the cells that the baseline has and the rule selects, and this run has
// not, of the suites that it has.
func (p *BaselineComparison) unplayed(r Rule, s eval.Summary) (list []Condition) {
	if p == nil || p.list[r] == nil {
		return nil
	}
	for at, cases := range p.list[r].conditions {
		i := slices.IndexFunc(s.Suites, func(of eval.SuiteSummary) bool { return of.Name == at.Suite })
		if i >= 0 && cases.areBaselines() && !slices.ContainsFunc(s.Suites[i].Conditions, at.is) {
			list = append(list, at)
		}
	}
	slices.SortFunc(list, Condition.compare)
	return list
}

func (list cases) areBaselines() bool {
	for _, c := range list {
		if len(c.before) > 0 {
			return true
		}
	}
	return false
}

func (c Condition) is(of eval.ConditionSummary) bool {
	return c.Variant == of.Name && c.Fault == faultOf(of.Fault)
}

func (c Condition) compare(other Condition) int {
	return cmp.Or(cmp.Compare(c.Suite, other.Suite), cmp.Compare(c.Variant, other.Variant), cmp.Compare(c.Fault, other.Fault))
}

// judge holds a cell of the rule against the baseline.
func (p *BaselineComparison) judge(r Rule, at Condition) finding {
	if p == nil || p.list[r] == nil {
		return nothing("there is no baseline run. Name one with --baseline")
	}
	return p.list[r].judge(at)
}
