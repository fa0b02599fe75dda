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
	hurt             // degraded by a fault
	slowest          // slowest trials of their condition
	lastTier
	tiers
)

// mostSlow is the number of trials of a condition that count as slowest.
const mostSlow = 5

// rank assigns a tier to each trial.
func (s *suite) rank() {
	s.fates()
	against := slices.IndexFunc(s.head.Conditions, func(c Condition) bool { return c.Variant == s.head.Against && c.Fault == eval.NoFault })
	by := make([][]*trial, len(s.head.Conditions))
	for i := range s.trials {
		t := &s.trials[i]
		t.tier = s.tierOf(t, against)
		by[t.condition] = append(by[t.condition], t)
	}
	for _, list := range by { // sorted by case and epoch, which the stable sort preserves for equal durations
		slices.SortStableFunc(list, func(a, b *trial) int { return cmp.Compare(b.duration, a.duration) })
		for _, t := range list[:min(mostSlow, len(list))] {
			t.tier = min(t.tier, slowest)
		}
	}
}

func (s *suite) tierOf(t *trial, against int) int {
	if s.head.Conditions[t.condition].Fault != eval.NoFault {
		if isHurt(t.fate) {
			return hurt
		}
		return lastTier
	}
	if t.failing {
		return failing
	}
	if against >= 0 {
		if first := s.played(against, t.of, t.epoch); first != nil && first.got != t.got {
			return differing
		}
	}
	return plain
}

func isHurt(fate int) bool {
	switch compare.Change(fate) {
	case compare.NowWrong, compare.NowErrorReply, compare.NowUnscored:
		return fate >= 0
	}
	return false
}
