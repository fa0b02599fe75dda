package page

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/eval/compare"
)

// Tiers of trials, the most important first. If the page is too small for all traces, it contains
// the traces of the first tiers, which readers open most often.
const (
	failing   = iota // wrong or unscored, without a fault
	differing        // differs from the baseline variant, without a fault
	plain            // any other trial without a fault
	degraded         // the result is worse because of a fault
	slowest          // one of the slowest trials of a condition with a fault
	lastTier
	tiers
)

// slowestCount is the number of trials of a condition that count as its slowest.
const slowestCount = 5

func (s *suite) assignTiers() {
	s.setFaultOutcomes()
	baseline := slices.IndexFunc(s.head.Conditions,
		func(c Condition) bool { return c.Variant == s.head.BaselineVariant && c.Fault == eval.NoFault })
	by := make([][]*trial, len(s.head.Conditions))
	for i := range s.trials {
		t := &s.trials[i]
		t.tier = s.tierOf(t, baseline)
		by[t.condition] = append(by[t.condition], t)
	}
	// the list is sorted by case and epoch, and the stable sort preserves this order for equal
	// durations
	for _, list := range by {
		slices.SortStableFunc(list, func(a, b *trial) int { return cmp.Compare(b.duration, a.duration) })
		for _, t := range list[:min(slowestCount, len(list))] {
			t.tier = min(t.tier, slowest)
		}
	}
}

func (s *suite) tierOf(t *trial, baseline int) int {
	if s.head.Conditions[t.condition].Fault != eval.NoFault {
		if isDegraded(t.faultOutcome) {
			return degraded
		}
		return lastTier
	}
	if t.failing {
		return failing
	}
	if baseline >= 0 {
		if first := s.trialAt(baseline, t.caseIndex, t.epoch); first != nil && first.predicted != t.predicted {
			return differing
		}
	}
	return plain
}

func isDegraded(outcome int) bool {
	switch compare.FaultEffect(outcome) {
	case compare.NowWrong, compare.NowErrorReply, compare.NowUnscored:
		return outcome >= 0
	}
	return false
}
