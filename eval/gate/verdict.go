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

// decide settles the findings that are tested. A rule fails on proof in some cell: the
// least p-value times the number of its cells is its own, and Holm's adjustment over
// all rules that test leaves it below alpha. A pass needs no adjustment: it wants proof
// in every cell (Berger, Technometrics 24, 1982).
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

// p is the rule's p-value over its cells; false where none is tested.
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

// decide settles one rule's; failed is what the family says.
func (o outcome) decide(failed bool) {
	var open []proof
	for i := range o.list {
		f := &o.list[i]
		switch {
		case f.proof == nil:
		case f.proof.isKept():
			f.verdict = eval.GatePassed
		case failed && f.proof.p()*float64(o.tests()) < alpha:
			f.verdict = eval.GateFailed
		default:
			f.verdict, f.hopeless = eval.GateUndecided, f.proof.isHopeless() && !f.partial
			open = append(open, *f.proof)
		}
	}
	limit := decidable(open)
	for i := range o.list {
		if f := &o.list[i]; f.proof != nil && f.verdict == eval.GateUndecided {
			f.undecided(f.doubt(limit))
		}
	}
}

func (f finding) doubt(limit float64) string {
	if f.proof.p() < alpha {
		return "significant by itself, but not after the correction for several tests"
	}
	return f.proof.doubt(limit)
}

// verdict is the rule's over all its cells.
func (o outcome) verdict(s eval.Summary) eval.GateVerdict {
	v := eval.GateVerdict{Rule: o.rule.String()}
	if len(o.list) == 0 {
		v.Verdict, v.Reason, v.NoData = eval.GateFailed, o.rule.absent(s), true
		v.Conditions = []eval.GateCondition{{Value: v.Reason}}
		return v
	}
	worst := slices.MinFunc(o.list, finding.compare)
	v.Verdict, v.Passed = worst.verdict, worst.verdict == eval.GatePassed
	v.Reason, v.NoData = worst.text+o.others(worst.verdict)+o.aside, worst.empty
	if v.Verdict == eval.GateUndecided {
		v.CasesNeeded, v.TooFewCases = o.needed()
	}
	o.addConditions(&v)
	return v
}

// addConditions lists the conditions that decide, worst first: of a rule that passed one.
func (o outcome) addConditions(v *eval.GateVerdict) {
	var deciding []finding
	for _, f := range o.list {
		v.Selected += int64(max(f.conditions, 1))
		if f.verdict == v.Verdict {
			v.Deciding += int64(max(f.conditions, 1))
			deciding = append(deciding, f)
		}
	}
	slices.SortStableFunc(deciding, finding.compare)
	most := eval.MaxGateConditions
	if v.Passed {
		most = 1
	}
	for _, f := range deciding[:min(len(deciding), most)] {
		v.Conditions = append(v.Conditions, f.condition())
	}
	if aside := strings.TrimPrefix(o.aside, "; "); aside != "" {
		first := &v.Conditions[0]
		first.Detail = strings.TrimSpace(first.Detail + " " + sentence(aside))
	}
}

// needed is how many cases decide every undecided cell, 0 where none is named, and
// whether one of them could not have been decided.
func (o outcome) needed() (n int64, hopeless bool) {
	for _, f := range o.list {
		if f.verdict != eval.GateUndecided {
			continue
		}
		hopeless = hopeless || f.hopeless
		if f.proof != nil {
			n = max(n, f.proof.needed())
		}
	}
	return n, hopeless
}

// others says what became of the cells beside the worst.
func (o outcome) others(worst eval.Decision) string {
	alike, n := 0, 0
	for _, f := range o.list {
		n += max(f.conditions, 1)
		if f.verdict == worst {
			alike += max(f.conditions, 1)
		}
	}
	switch {
	case len(o.list) == 1:
		return ""
	case alike == 1 || worst == eval.GatePassed:
		return fmt.Sprintf("; the worst of %d conditions", n)
	case worst == eval.GateFailed:
		return fmt.Sprintf("; failed in %d of %d conditions", alike, n)
	default:
		return fmt.Sprintf("; undecided in %d of %d conditions", alike, n)
	}
}

// compare puts the worse one first: broken, then undecided, then kept; nothing measured
// before a value.
func (f finding) compare(other finding) int {
	rank := map[eval.Decision]int{eval.GateFailed: 0, eval.GateUndecided: 1, eval.GatePassed: 2}
	byEmptiness := 0
	if f.empty != other.empty {
		byEmptiness = 1
		if f.empty {
			byEmptiness = -1
		}
	}
	return cmp.Or(cmp.Compare(rank[f.verdict], rank[other.verdict]), byEmptiness, cmp.Compare(f.margin, other.margin))
}
