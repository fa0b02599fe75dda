package spread

import (
	"cmp"

	"evalctl/eval"
)

// turns counts the labelled turns that are not the first of their kind in a trial: a
// count of turns without them is one of trials.
type turns map[kindOfTurn]int64

// kindOfTurn is a cell of a confusion, or all of a label that is found, or that is not.
type kindOfTurn struct {
	variant, fault, expected, got string
	of                            turnSet
}

type turnSet int

const (
	inCell turnSet = iota
	found
	missed
)

func (t turns) add(r eval.Result) {
	list := r.Decisions()
	if len(list) < 2 {
		return
	}
	seen := map[kindOfTurn]bool{}
	count := func(k kindOfTurn) {
		if seen[k] {
			t[k]++
		}
		seen[k] = true
	}
	for _, j := range list {
		k := kindOfTurn{variant: r.Variant, fault: cmp.Or(r.Fault, eval.NoFault), expected: j.Expected.Primary()}
		cell := k
		switch j.Verdict {
		case eval.Pass:
			k.of, cell.got = found, k.expected
		case eval.Fail:
			k.of, cell.got = missed, j.Actual
		default:
			continue
		}
		count(k)
		count(cell)
	}
}

// Confused is in how many trials so many turns that expect a label got another.
func (s *SuiteDistribution) Confused(c eval.ConditionSummary, expected, got string, n int64) int64 {
	return s.without(n, kindOfTurn{variant: c.Name, fault: cmp.Or(c.Fault, eval.NoFault), expected: expected, got: got})
}

// Found is in how many trials so many turns that expect a label got it, or did not.
func (s *SuiteDistribution) Found(c eval.ConditionSummary, expected string, right bool, n int64) int64 {
	of := missed
	if right {
		of = found
	}
	return s.without(n, kindOfTurn{variant: c.Name, fault: cmp.Or(c.Fault, eval.NoFault), expected: expected, of: of})
}

func (s *SuiteDistribution) without(n int64, k kindOfTurn) int64 {
	if s == nil {
		return n
	}
	return n - s.turns[k]
}
