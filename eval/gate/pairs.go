package gate

import (
	"cmp"
	"slices"

	"evalctl/eval"
)

// BaselineComparison compares a run with the baseline run, case by case, for the rules that require
// it. It pairs the results of the same suite, variant, fault and case. If a case has another ID in the
// baseline run, its content identifies it, see [eval.RenamedCases]. Memory grows with the number of
// cases. The order of the results has no effect.
type BaselineComparison struct {
	list     map[Rule]*ruleComparison
	unhashed int64
}

// NewBaselineComparison creates an empty comparison for the rules that require a baseline run.
func NewBaselineComparison(rules []Rule) *BaselineComparison {
	p := &BaselineComparison{list: map[Rule]*ruleComparison{}}
	for _, r := range rules {
		if r.NeedsBaseline() {
			p.list[r] = &ruleComparison{rule: r, fact: contributionOf(r), conditions: map[Condition]casePairs{}}
		}
	}
	return p
}

// NeedsBaseline reports whether the rule compares the run with a baseline run.
func (r Rule) NeedsBaseline() bool { return r.Comparison != "" }

// HasTimeMetric reports whether the metric of the rule is a time.
func (r Rule) HasTimeMetric() bool { return r.figureOf().isTime() }

// AddBaseline adds a result of the baseline run.
func (p *BaselineComparison) AddBaseline(r eval.Result) {
	p.each(r, func(c *pair) *epochContributions { return &c.before })
}

// AddResult adds a result of the run that is checked.
func (p *BaselineComparison) AddResult(r eval.Result) {
	p.each(r, func(c *pair) *epochContributions { return &c.now })
}

// UnhashedResults returns the number of results without a case hash, written by an older evalctl.
// Their cases are compared only by the text and the labels of one turn.
func (p *BaselineComparison) UnhashedResults() int64 { return p.unhashed }

func (p *BaselineComparison) each(r eval.Result, side func(*pair) *epochContributions) {
	if r.CaseHash == "" {
		p.unhashed++
	}
	for _, of := range p.list {
		of.add(r, side)
	}
}

// ruleComparison contains the data that one rule compares.
type ruleComparison struct {
	rule       Rule
	fact       func(eval.Result) (contribution, bool)
	conditions map[Condition]casePairs
}

// casePairs contains the cases of a condition by ID.
type casePairs map[string]*pair

// pair contains what the trials of one case contribute to the metric, in the baseline run (before)
// and in this run (now).
type pair struct{ before, now epochContributions }

// epochContributions contains the contributions of one case to the metric, one for each epoch.
type epochContributions []contribution

func (p *ruleComparison) add(r eval.Result, side func(*pair) *epochContributions) {
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
		p.conditions[at] = casePairs{}
	}
	c := p.conditions[at][r.Case]
	if c == nil {
		c = &pair{}
		p.conditions[at][r.Case] = c
	}
	side(c).put(f)
}

// put stores the contribution of an epoch. It replaces an earlier one of the same epoch.
func (f *epochContributions) put(one contribution) {
	if at := f.place(one.epoch); at >= 0 {
		(*f)[at] = one
		return
	}
	*f = append(*f, one)
}

func (f epochContributions) place(epoch int) int {
	return slices.IndexFunc(f, func(have contribution) bool { return have.epoch == epoch })
}

// missingSuites returns the selected suites that only the baseline run has, with the number of
// their conditions.
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

// missingConditions returns the selected conditions that only the baseline run has.
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

func (list casePairs) areBaselines() bool {
	for _, c := range list {
		if len(c.before) > 0 {
			return true
		}
	}
	return false
}

func (c Condition) is(of eval.ConditionSummary) bool {
	return c.Variant == of.Variant && c.Fault == faultOf(of.Fault)
}

func (c Condition) compare(other Condition) int {
	return cmp.Or(cmp.Compare(c.Suite, other.Suite), cmp.Compare(c.Variant, other.Variant),
		cmp.Compare(c.Fault, other.Fault))
}

// judge evaluates the rule in a condition, by comparing it with the baseline run.
func (p *BaselineComparison) judge(r Rule, at Condition) conditionResult {
	if p == nil || p.list[r] == nil {
		return failedWithoutData("there is no baseline run. Name one with --baseline")
	}
	return p.list[r].compareCondition(at)
}
