package pack

import (
	"cmp"
	"fmt"
	"slices"

	"evalctl/eval"
	"evalctl/eval/number"
)

// mostPlaces bounds cells, cases and epochs of a suite multiplied: a result may
// claim any epoch.
const mostPlaces = 4_000_000

// manyTrials is from how many on columns leave out what only few ask of trials that
// nothing happened to.
const manyTrials = 250_000

// settle puts in order what came in any order: names by name, trials by case, cell and epoch.
func (s *suite) settle() error {
	h := &s.head
	if n := len(h.Conditions) * len(s.cases.list) * h.Epochs; n > mostPlaces {
		return fmt.Errorf("pack the cases: suite %.60q has %d cells of %d cases in %d epochs, more than %d", h.Name, len(h.Conditions), len(s.cases.list), h.Epochs, mostPlaces)
	}
	for _, list := range s.before {
		s.labels.number(majority(list).got)
	}
	var of, labels, expect, source, codes, errors, tags ranks
	h.Cases, of = s.cases.sorted()
	h.Labels, labels = s.labels.sorted()
	_, expect = s.expect.sorted()
	h.Sources, source = s.source.sorted()
	h.Failures, codes = s.codes.sorted()
	h.Tags, tags = s.tags.sorted()
	var kinds []string
	kinds, errors = s.errors.sorted()
	h.Errors = len(kinds)
	errorReplies := len(h.Failures)
	h.Failures = append(h.Failures, kinds...)
	h.Expects = make([][]int, len(s.wants))
	for i, list := range s.wants {
		for j := range list {
			list[j] = labels.of(list[j])
		}
		h.Expects[expect.of(i)] = list
	}
	for i := range s.trials {
		t := &s.trials[i]
		t.of, t.got, t.served, t.want = of.of(t.of), labels.of(t.got), labels.of(t.served), expect.of(t.want)
		for j := range t.turns {
			if j%turnFields < 2 {
				t.turns[j] = labels.of(t.turns[j])
			}
		}
		t.source, t.failure = source.of(t.source), codes.of(t.failure)
		if t.error >= 0 {
			t.failure = errorReplies + errors.of(t.error)
		}
	}
	s.settleCases(of, tags)
	return nil
}

// settleCases orders what is known of the cases, and the trials by case.
func (s *suite) settleCases(of, tags ranks) {
	cases := make([]about, len(s.of))
	for i, a := range s.of {
		for j := range a.tags {
			a.tags[j] = tags.of(a.tags[j])
		}
		slices.Sort(a.tags)
		a.tags = append([]int{}, slices.Compact(a.tags)...)
		a.key = s.trials[a.best].key
		cases[of.of(i)] = a
	}
	s.of = cases
	slices.SortStableFunc(s.trials, func(a, b trial) int {
		return cmp.Or(cmp.Compare(a.of, b.of), cmp.Compare(a.condition, b.condition), cmp.Compare(a.epoch, b.epoch))
	})
	s.grid = make([]int32, len(s.head.Conditions)*len(cases)*s.head.Epochs)
	for i := range s.grid {
		s.grid[i] = -1
	}
	for i, t := range s.trials {
		s.grid[s.at(t.condition, t.of, t.epoch)] = int32(i)
	}
}

// at is a trial's place in the grid: cell by cell, case by case.
func (s *suite) at(condition, of, epoch int) int {
	return (condition*len(s.of)+of)*s.head.Epochs + epoch - 1
}

// played is the trial of a place, nil if it was not played.
func (s *suite) played(condition, of, epoch int) *trial {
	if i := s.grid[s.at(condition, of, epoch)]; i >= 0 {
		return &s.trials[i]
	}
	return nil
}

// columns are those of a cell; brief ones leave out what is known of the trials of
// the last tier besides.
func (s *suite) columns(condition int, brief bool) Columns {
	column := func(value func(t *trial) int) []int { return s.column(condition, value) }
	telling := func(value func(t *trial) int) []int {
		return column(func(t *trial) int {
			if brief && t.tier == lastTier {
				return -1
			}
			return value(t)
		})
	}
	c := Columns{
		Got:        column(func(t *trial) int { return t.got }),
		Expected:   column(func(t *trial) int { return t.want }),
		Verdict:    column(func(t *trial) int { return codeOf(t.ending.Verdict) }),
		Duration:   column(func(t *trial) int { return int(number.ThreeDigits(float64(t.duration))) }),
		Fallbacks:  telling(func(t *trial) int { return t.ending.Fallbacks }),
		Failure:    column(func(t *trial) int { return t.failure }),
		Confidence: telling(func(t *trial) int { return t.confidence }),
		Source:     column(func(t *trial) int { return t.source }),
		Fate:       column(func(t *trial) int { return t.fate }),
		Served:     telling(func(t *trial) int { return t.served }),
	}
	s.addTurns(condition, &c)
	s.addBefore(condition, &c)
	return c
}

// addTurns adds the decisions of trials that have several.
func (s *suite) addTurns(condition int, c *Columns) {
	from := s.at(condition, 0, 1)
	for i := range len(s.of) * s.head.Epochs {
		at := s.grid[from+i]
		if at < 0 || len(s.trials[at].turns) == 0 {
			continue
		}
		if c.Turns == nil {
			c.Turns = map[int][]int{}
		}
		c.Turns[i] = s.trials[at].turns
	}
}

// column has a cell's values case by case and epoch by epoch; nil: none is known.
func (s *suite) column(condition int, value func(t *trial) int) []int {
	list, known := make([]int, len(s.of)*s.head.Epochs), false
	from := s.at(condition, 0, 1)
	for i := range list {
		list[i] = -1
		if at := s.grid[from+i]; at >= 0 {
			list[i] = value(&s.trials[at])
		}
		known = known || list[i] != -1
	}
	if !known {
		return nil
	}
	return list
}

// addBefore adds the verdicts of the earlier run.
func (s *suite) addBefore(condition int, c *Columns) {
	if len(s.before) == 0 {
		return
	}
	was := make([]int, len(s.of)*s.head.Epochs)
	got, right, judged := slices.Clone(was), slices.Clone(was), slices.Clone(was)
	for i := range was {
		was[i], got[i], right[i], judged[i] = -1, -1, -1, -1
		if list := s.before[place{condition: condition, of: s.head.Cases[i/s.head.Epochs]}]; len(list) > 0 {
			v := majority(list)
			was[i], got[i] = v.code, slices.Index(s.head.Labels, v.got)
			right[i], judged[i] = tallied(list)
		}
	}
	c.Was, c.WasGot, c.WasRight, c.WasJudged = was, got, right, judged
}

// fates tells what became of each trial of a cell with a fault.
func (s *suite) fates() {
	plain := map[string]int{}
	for i, c := range s.head.Conditions {
		if c.Fault == eval.NoFault {
			plain[c.Variant] = i
		}
	}
	for i := range s.trials {
		t := &s.trials[i]
		t.fate = -1
		condition := s.head.Conditions[t.condition]
		without, ok := plain[condition.Variant]
		if condition.Fault == eval.NoFault || !ok {
			continue
		}
		if before := s.played(without, t.of, t.epoch); before != nil {
			t.fate = int(before.ending.ChangeUnder(t.ending))
		}
	}
}
