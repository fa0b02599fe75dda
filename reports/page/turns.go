package page

import (
	"cmp"

	"evalctl/eval"
)

// repeatedTurns counts turns that have the same kind as an earlier turn of the same trial. The
// number of turns of a kind minus this count is the number of trials with such turns.
type repeatedTurns map[turnKind]int64

// turnKind identifies the turns in one cell of a confusion matrix, or all right (or all wrong)
// turns of an expected label.
type turnKind struct {
	variant, fault, expected, got string
	of                            turnSet
}

type turnSet int

const (
	inCell turnSet = iota
	found
	missed
)

func (t repeatedTurns) add(r eval.Result) {
	list := r.Decisions()
	if len(list) < 2 {
		return
	}
	seen := map[turnKind]bool{}
	count := func(k turnKind) {
		if seen[k] {
			t[k]++
		}
		seen[k] = true
	}
	for _, j := range list {
		k := turnKind{variant: r.Variant, fault: cmp.Or(r.Fault, eval.NoFault), expected: j.Expected.Primary()}
		confusionCell := k
		switch j.Verdict {
		case eval.Pass:
			k.of, confusionCell.got = found, k.expected
		case eval.Fail:
			k.of, confusionCell.got = missed, j.Actual
		default:
			continue
		}
		count(k)
		count(confusionCell)
	}
}

// TrialsWithConfusion returns in how many trials a confusion occurred. n is the number of turns in
// which it occurred.
func (s *SuiteDistribution) TrialsWithConfusion(c eval.ConditionSummary, expected, got string, n int64) int64 {
	return s.trialsOf(n, turnKind{
		variant:  c.Variant,
		fault:    cmp.Or(c.Fault, eval.NoFault),
		expected: expected,
		got:      got,
	})
}

// TrialsWithLabel returns in how many trials turns with an expected label were right (or wrong). n
// is the number of these turns.
func (s *SuiteDistribution) TrialsWithLabel(c eval.ConditionSummary, expected string, right bool, n int64) int64 {
	of := missed
	if right {
		of = found
	}
	return s.trialsOf(n, turnKind{
		variant:  c.Variant,
		fault:    cmp.Or(c.Fault, eval.NoFault),
		expected: expected,
		of:       of,
	})
}

func (s *SuiteDistribution) trialsOf(n int64, k turnKind) int64 {
	if s == nil {
		return n
	}
	return n - s.turns[k]
}
