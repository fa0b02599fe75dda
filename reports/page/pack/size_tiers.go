package pack

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/eval/compare"
)

// Tiers are the order in which trials get their traces: in the file are those that a
// reader asks for first.
const (
	failing   = iota // wrong or unjudged, without a fault
	differing        // decided otherwise than the variant that others are held against, without a fault
	plain            // all others without a fault
	hurt             // by a fault
	slowest          // of their cell
	lastTier
	tiers
)

// mostSlow is how many of a cell's trials are its slowest.
const mostSlow = 5

// rank gives each trial its tier.
func (s *suite) rank() {
	s.fates()
	against := slices.IndexFunc(s.head.Conditions, func(c Condition) bool { return c.Variant == s.head.Against && c.Fault == eval.NoFault })
	by := make([][]*trial, len(s.head.Conditions))
	for i := range s.trials {
		t := &s.trials[i]
		t.tier = s.tierOf(t, against)
		by[t.condition] = append(by[t.condition], t)
	}
	for _, list := range by { // by case and epoch, which a stable sort keeps
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
