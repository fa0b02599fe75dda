package pack

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/eval/compare"
)

// Tiers define the order in which trials get their traces. Trials that readers open most often come
// first.
const (
	failing   = iota // wrong or unscored, without a fault
	differing        // decision differs from the baseline variant, without a fault
	plain            // all others without a fault
	degraded         // degraded by a fault
	slowest          // slowest trials of their condition
	lastTier
	tiers
)

// slowestCount is the number of trials of a condition that count as slowest.
const slowestCount = 5

// assignTiers assigns a tier to each trial.
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
	for _, list := range by { // sorted by case and epoch, which the stable sort preserves for equal durations
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
	switch compare.Change(outcome) {
	case compare.NowWrong, compare.NowErrorReply, compare.NowUnscored:
		return outcome >= 0
	}
	return false
}
