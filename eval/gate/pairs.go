package gate

import (
	"cmp"
	"slices"

	"evalctl/eval"
)

// BaselineComparison compares a run with its baseline, case by case, for the rules that need it. It
// compares cases of the same suite, variant and fault. Memory grows with the cases. The order of
// results does not matter.
type BaselineComparison struct {
	list     map[Rule]*ruleComparison
	unhashed int64
}

// NewBaselineComparison creates the comparison for these rules.
func NewBaselineComparison(rules []Rule) *BaselineComparison {
	p := &BaselineComparison{list: map[Rule]*ruleComparison{}}
	for _, r := range rules {
		if r.NeedsBaseline() {
			p.list[r] = &ruleComparison{rule: r, fact: factOf(r), conditions: map[Condition]cases{}}
		}
	}
	return p
}

// NeedsBaseline reports whether the rule requires a baseline.
func (r Rule) NeedsBaseline() bool { return r.Against != "" }

// IsTime reports whether the rule's metric is a time.
func (r Rule) IsTime() bool { return r.figureOf().isTime() }

// Baseline counts a result of the baseline.
func (p *BaselineComparison) Baseline(r eval.Result) {
	p.each(r, func(c *pair) *epochFacts { return &c.before })
}

// Add counts a result of the run.
func (p *BaselineComparison) Add(r eval.Result) {
	p.each(r, func(c *pair) *epochFacts { return &c.now })
}

// Unhashed returns the number of results without a case hash, which are from an older evalctl.
// Their cases are compared by the text and labels in the row. For a conversation these are of one
// turn.
func (p *BaselineComparison) Unhashed() int64 { return p.unhashed }

func (p *BaselineComparison) each(r eval.Result, side func(*pair) *epochFacts) {
	if r.CaseHash == "" {
		p.unhashed++
	}
	for _, of := range p.list {
		of.add(r, side)
	}
}

// ruleComparison has the data that one rule compares.
type ruleComparison struct {
	rule       Rule
	fact       func(eval.Result) (fact, bool)
	conditions map[Condition]cases
}

// cases has the cases of a condition by id.
type cases map[string]*pair

// pair has the facts of one case, before and now.
type pair struct{ before, now epochFacts }

// epochFacts has the facts of one case, one for each epoch.
type epochFacts []fact

func (p *ruleComparison) add(r eval.Result, side func(*pair) *epochFacts) {
	at := Condition{Suite: r.Suite, Variant: r.Variant, Fault: faultOf(r.Fault)}
	if !p.rule.selects(at) || p.rule.Tag != "" && !slices.Contains(r.Tags, p.rule.Tag) {
		return
	}
	f, concerned := p.fact(r)
	if !concerned {
		return
	}
	f.fingerprint = fingerprintOf(r)
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

// put stores the last result of each epoch.
func (f *epochFacts) put(one fact) {
	if at := f.place(one.epoch); at >= 0 {
		(*f)[at] = one
		return
	}
	*f = append(*f, one)
}

func (f epochFacts) place(epoch int) int {
	return slices.IndexFunc(f, func(have fact) bool { return have.epoch == epoch })
}

// missingSuites returns the suites that the rule selects and only the baseline has, with their
// number of conditions.
func (p *BaselineComparison) missingSuites(r Rule, s eval.Summary) map[string]int {
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

// missingConditions returns the conditions that the rule selects and only the baseline has, of the
// suites in this run.
func (p *BaselineComparison) missingConditions(r Rule, s eval.Summary) (list []Condition) {
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
	return cmp.Or(cmp.Compare(c.Suite, other.Suite), cmp.Compare(c.Variant, other.Variant),
		cmp.Compare(c.Fault, other.Fault))
}

// judge compares a condition of the rule with the baseline.
func (p *BaselineComparison) judge(r Rule, at Condition) conditionResult {
	if p == nil || p.list[r] == nil {
		return failedWithoutData("there is no baseline run. Name one with --baseline")
	}
	return p.list[r].compareCondition(at)
}
