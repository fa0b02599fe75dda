package gate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// decide sets the verdicts of all tested rules. The p-value of a rule is the lowest p-value of its
// conditions, multiplied by their number. A rule fails if this p-value is below alpha after Holm's
// adjustment over all tested rules. A pass needs no adjustment, because it requires proof in every
// condition (Berger, Technometrics 24, 1982).
func decide(outcomes []outcome) {
	var family []float64
	var at []int
	for i, o := range outcomes {
		if p, tested := o.p(); tested {
			family, at = append(family, p), append(at, i)
		}
	}
	for i, p := range stats.Holm(family) {
		outcomes[at[i]].decide(p < alpha)
	}
}

// p returns the p-value of the rule over all its conditions; false if no condition is tested.
func (o outcome) p() (p float64, tested bool) {
	n := o.tests()
	if n == 0 {
		return 0, false
	}
	least := math.Inf(1)
	for _, f := range o.list {
		if f.proof != nil {
			least = min(least, f.proof.p())
		}
	}
	return min(1, least*float64(n)), true
}

func (o outcome) tests() (n int) {
	for _, f := range o.list {
		if f.proof != nil {
			n++
		}
	}
	return n
}

// decide sets the verdicts of one rule in its conditions. failed reports whether the rule fails
// after the adjustment over all rules.
func (o outcome) decide(failed bool) {
	var open []proof
	for i := range o.list {
		f := &o.list[i]
		switch {
		case f.proof == nil:
		case f.proof.isProvenWithin():
			f.verdict = eval.GatePassed
		case failed && f.proof.p()*float64(o.tests()) < alpha:
			f.verdict = eval.GateFailed
		default:
			f.verdict, f.tooFewCases = eval.GateUndecided, f.proof.hasTooFewCases() && !f.partial
			open = append(open, *f.proof)
		}
	}
	limit := decidableLimit(open)
	for i := range o.list {
		if f := &o.list[i]; f.proof != nil && f.verdict == eval.GateUndecided {
			f.explainUndecided(f.whyUndecided(limit))
		}
	}
}

func (f conditionResult) whyUndecided(limit float64) string {
	if f.proof.p() < alpha {
		return "significant by itself, but not after the correction for several tests"
	}
	return f.proof.whyUndecided(limit)
}

// verdict returns the verdict of the rule over all its conditions: that of the worst condition.
func (o outcome) verdict(s eval.Summary) eval.GateVerdict {
	v := eval.GateVerdict{Rule: o.rule.String()}
	if len(o.list) == 0 {
		v.Verdict, v.Reason, v.NoData = eval.GateFailed, o.rule.whyNoCondition(s), true
		v.Conditions = []eval.GateCondition{{Value: v.Reason}}
		return v
	}
	worst := slices.MinFunc(o.list, conditionResult.compare)
	v.Verdict, v.Passed = worst.verdict, worst.verdict == eval.GatePassed
	v.Reason, v.NoData = worst.text+o.summaryOfOthers(worst.verdict)+o.note, worst.empty
	if v.Verdict == eval.GateUndecided {
		v.CasesNeeded, v.TooFewCases = o.needed()
	}
	o.addConditions(&v)
	return v
}

// addConditions adds the conditions that determine the verdict, the worst first.
func (o outcome) addConditions(v *eval.GateVerdict) {
	var deciding []conditionResult
	for _, f := range o.list {
		v.SelectedConditions += int64(max(f.conditions, 1))
		if f.verdict == v.Verdict {
			v.DecidingConditions += int64(max(f.conditions, 1))
			deciding = append(deciding, f)
		}
	}
	slices.SortStableFunc(deciding, conditionResult.compare)
	most := eval.MaxListedGateConditions
	if v.Passed {
		most = 1
	}
	for _, f := range deciding[:min(len(deciding), most)] {
		v.Conditions = append(v.Conditions, f.toVerdict())
	}
	if aside := strings.TrimPrefix(o.note, "; "); aside != "" {
		first := &v.Conditions[0]
		first.Detail = strings.TrimSpace(first.Detail + " " + sentence(aside))
	}
}

// needed returns how many cases would decide every undecided condition (0: unknown), and whether
// some condition has far too few cases.
func (o outcome) needed() (n int64, hopeless bool) {
	for _, f := range o.list {
		if f.verdict != eval.GateUndecided {
			continue
		}
		hopeless = hopeless || f.tooFewCases
		if f.proof != nil {
			n = max(n, f.proof.casesNeeded())
		}
	}
	return n, hopeless
}

// summaryOfOthers returns a text about how many other conditions have the same verdict.
func (o outcome) summaryOfOthers(worst eval.GateDecision) string {
	same, n := 0, 0
	for _, f := range o.list {
		n += max(f.conditions, 1)
		if f.verdict == worst {
			same += max(f.conditions, 1)
		}
	}
	switch {
	case len(o.list) == 1:
		return ""
	case same == 1 || worst == eval.GatePassed:
		return fmt.Sprintf("; the worst of %d conditions", n)
	case worst == eval.GateFailed:
		return fmt.Sprintf("; failed in %d of %d conditions", same, n)
	default:
		return fmt.Sprintf("; undecided in %d of %d conditions", same, n)
	}
}

// compare sorts the worse result first: failed, undecided, passed. Within each verdict, results
// without data come first, then those with the lowest margin, then those with the fewest cases, which
// are the least certain.
func (f conditionResult) compare(other conditionResult) int {
	rank := map[eval.GateDecision]int{eval.GateFailed: 0, eval.GateUndecided: 1, eval.GatePassed: 2}
	byEmptiness := 0
	if f.empty != other.empty {
		byEmptiness = 1
		if f.empty {
			byEmptiness = -1
		}
	}
	return cmp.Or(cmp.Compare(rank[f.verdict], rank[other.verdict]), byEmptiness,
		cmp.Compare(f.margin, other.margin), cmp.Compare(f.cases, other.cases))
}
