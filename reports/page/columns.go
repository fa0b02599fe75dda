package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// maxGridSize is the maximum product of conditions, cases and epochs of a suite. It limits memory,
// because the epoch in a results file can be any number.
const maxGridSize = 4_000_000

// briefColumnsAbove is the number of trials of a run above which its columns are brief. Brief
// columns omit details of the least important trials.
const briefColumnsAbove = 250_000

// finish makes the data independent of the order in which results were added. It sorts all names,
// and the trials by case, condition and epoch.
func (s *suite) finish() error {
	h := &s.head
	if n := len(h.Conditions) * len(s.cases.list) * h.Epochs; n > maxGridSize {
		return fmt.Errorf("pack the cases: suite %.60q has %d conditions of %d cases in %d epochs, more than %d",
			h.Name,
			len(h.Conditions), len(s.cases.list), h.Epochs, maxGridSize)
	}
	for _, list := range s.baselineVerdicts {
		s.labels.add(majorityVerdict(list).got)
	}
	var of, labels, expect, source, codes, errors, fallbacks, tags ranks
	h.Cases, of = s.cases.sorted()
	h.Labels, labels = s.labels.sorted()
	_, expect = s.expect.sorted()
	h.Sources, source = s.source.sorted()
	h.Failures, codes = s.codes.sorted()
	h.Fallbacks, fallbacks = s.fallbacks.sorted()
	h.Tags, tags = s.tags.sorted()
	var kinds []string
	kinds, errors = s.errors.sorted()
	h.ErrorKindCount = len(kinds)
	errorReplies := len(h.Failures)
	h.Failures = append(h.Failures, kinds...)
	h.AcceptedLabelSets = make([][]int, len(s.expectedSets))
	for i, list := range s.expectedSets {
		for j := range list {
			list[j] = labels.rank(list[j])
		}
		h.AcceptedLabelSets[expect.rank(i)] = list
	}
	for i := range s.trials {
		t := &s.trials[i]
		t.caseIndex, t.predicted, t.answeredBy, t.expected = of.rank(t.caseIndex), labels.rank(t.predicted),
			labels.rank(t.answeredBy), expect.rank(t.expected)
		for j := range t.turns {
			if k := j % turnFields; k == 1 || k == 2 { // a label
				t.turns[j] = labels.rank(t.turns[j])
			}
		}
		t.source, t.failure = source.rank(t.source), codes.rank(t.failure)
		t.fallback = fallbacks.rank(t.fallback)
		if t.error >= 0 {
			t.failure = errorReplies + errors.rank(t.error)
		}
	}
	s.sortCases(of, tags)
	return nil
}

// sortCases sorts the cases by id, and the trials by case, condition and epoch.
func (s *suite) sortCases(of, tags ranks) {
	cases := make([]caseInfo, len(s.caseInfos))
	for i, a := range s.caseInfos {
		for j := range a.tags {
			a.tags[j] = tags.rank(a.tags[j])
		}
		slices.Sort(a.tags)
		a.tags = append([]int{}, slices.Compact(a.tags)...)
		a.key = s.trials[a.best].key
		cases[of.rank(i)] = a
	}
	s.caseInfos = cases
	slices.SortStableFunc(s.trials, func(a, b trial) int {
		return cmp.Or(cmp.Compare(a.caseIndex, b.caseIndex), cmp.Compare(a.condition, b.condition),
			cmp.Compare(a.epoch, b.epoch))
	})
	s.grid = make([]int32, len(s.head.Conditions)*len(cases)*s.head.Epochs)
	for i := range s.grid {
		s.grid[i] = -1
	}
	for i, t := range s.trials {
		s.grid[s.gridIndex(t.condition, t.caseIndex, t.epoch)] = int32(i)
	}
}

// gridIndex returns the index of a trial in s.grid, which is ordered by condition, then case, then
// epoch.
func (s *suite) gridIndex(condition, of, epoch int) int {
	return (condition*len(s.caseInfos)+of)*s.head.Epochs + epoch - 1
}

// trialAt returns the trial of a case in a condition and an epoch; nil if it did not run.
func (s *suite) trialAt(condition, of, epoch int) *trial {
	if i := s.grid[s.gridIndex(condition, of, epoch)]; i >= 0 {
		return &s.trials[i]
	}
	return nil
}

// columns returns the columns of a condition. With brief, it omits details of the trials in the
// last tier, which are the least important.
func (s *suite) columns(condition int, brief bool) Columns {
	column := func(value func(t *trial) int) []int { return s.column(condition, value) }
	detailColumn := func(value func(t *trial) int) []int {
		return column(func(t *trial) int {
			if brief && t.tier == lastTier {
				return -1
			}
			return value(t)
		})
	}
	c := Columns{
		Predicted:     column(func(t *trial) int { return t.predicted }),
		Expected:      column(func(t *trial) int { return t.expected }),
		Verdict:       column(func(t *trial) int { return codeOf(t.outcome.Verdict) }),
		Duration:      column(func(t *trial) int { return int(metric.RoundThreeDigits(float64(t.duration))) }),
		Fallbacks:     detailColumn(func(t *trial) int { return t.outcome.Fallbacks }),
		FirstFallback: detailColumn(func(t *trial) int { return t.fallback }),
		Failure:       column(func(t *trial) int { return t.failure }),
		Confidence:    detailColumn(func(t *trial) int { return t.confidence }),
		Rejected: detailColumn(func(t *trial) int {
			if t.rejected {
				return 1
			}
			return -1
		}),
		Source:       column(func(t *trial) int { return t.source }),
		FaultOutcome: column(func(t *trial) int { return t.faultOutcome }),
		AnsweredBy:   detailColumn(func(t *trial) int { return t.answeredBy }),
		Cost:         detailColumn(func(t *trial) int { return t.cost }),
	}
	s.addTurns(condition, &c)
	s.addBefore(condition, &c)
	return c
}

// addTurns adds the decisions of those trials that have several scored turns.
func (s *suite) addTurns(condition int, c *Columns) {
	from := s.gridIndex(condition, 0, 1)
	for i := range len(s.caseInfos) * s.head.Epochs {
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

// column returns one value for each trial of a condition, ordered by case and epoch; −1 if the
// trial did not run. It returns nil if all are −1.
func (s *suite) column(condition int, value func(t *trial) int) []int {
	list, known := make([]int, len(s.caseInfos)*s.head.Epochs), false
	from := s.gridIndex(condition, 0, 1)
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

// addBefore adds the columns with the results of the baseline run.
func (s *suite) addBefore(condition int, c *Columns) {
	if len(s.baselineVerdicts) == 0 {
		return
	}
	was := make([]int, len(s.caseInfos)*s.head.Epochs)
	got, right, scored := slices.Clone(was), slices.Clone(was), slices.Clone(was)
	for i := range was {
		was[i], got[i], right[i], scored[i] = -1, -1, -1, -1
		if list := s.baselineVerdicts[caseKey{condition: condition,
			caseID: s.head.Cases[i/s.head.Epochs]}]; len(list) > 0 {
			v := majorityVerdict(list)
			was[i], got[i] = v.code, slices.Index(s.head.Labels, v.got)
			right[i], scored[i] = countRight(list)
		}
	}
	c.BaselineVerdict = was
	c.BaselinePredicted = got
	c.BaselineRight = right
	c.BaselineScored = scored
}

// setFaultOutcomes sets how each trial under a fault differs from the same trial without the fault.
func (s *suite) setFaultOutcomes() {
	plain := map[string]int{}
	for i, c := range s.head.Conditions {
		if c.Fault == eval.NoFault {
			plain[c.Variant] = i
		}
	}
	for i := range s.trials {
		t := &s.trials[i]
		t.faultOutcome = -1
		condition := s.head.Conditions[t.condition]
		without, ok := plain[condition.Variant]
		if condition.Fault == eval.NoFault || !ok {
			continue
		}
		if before := s.trialAt(without, t.caseIndex, t.epoch); before != nil {
			t.faultOutcome = int(before.outcome.FaultEffect(t.outcome))
		}
	}
}

// caseKey identifies a case in a condition.
type caseKey struct {
	condition int
	caseID    string
}

// verdict is the verdict on a trial of the baseline run, with its predicted label.
type verdict struct {
	code int // number of the verdict, as in Columns.Verdict
	got  string
}

// addBaseline stores the verdict on a trial of the baseline run. It ignores conditions that this
// run does not have.
func (s *suite) addBaseline(r eval.Result) {
	condition, ok := s.conditions[conditionOf(r)]
	if !ok {
		return
	}
	d, _ := r.Decision()
	at := caseKey{condition: condition, caseID: r.Case}
	s.baselineVerdicts[at] = append(s.baselineVerdicts[at],
		verdict{code: codeOf(d.Verdict), got: strings.Clone(cmp.Or(d.Actual, r.Predicted))})
}

// codeOf returns the number that represents a verdict in the columns: 0 unscored, 1 right, 2 wrong.
func codeOf(v eval.Verdict) int {
	switch v {
	case eval.Pass:
		return 1
	case eval.Fail:
		return 2
	}
	return 0
}

// countRight counts the right trials and the scored trials.
func countRight(list []verdict) (right, scored int) {
	for _, v := range list {
		if v.code != 0 {
			scored++
		}
		if v.code == 1 {
			right++
		}
	}
	return right, scored
}

// majorityVerdict returns the most frequent verdict, and the most frequent label among its trials.
// A tie goes to the worse verdict, and to the first label in alphabetical order.
func majorityVerdict(list []verdict) verdict {
	most := func(key func(verdict) verdict) (best verdict) {
		n := map[verdict]int{}
		for _, v := range list {
			n[key(v)]++
		}
		for v, times := range n {
			if cmp.Or(cmp.Compare(times, n[best]), cmp.Compare(v.code, best.code), cmp.Compare(best.got, v.got)) > 0 {
				best = v
			}
		}
		return best
	}
	code := most(func(v verdict) verdict { return verdict{code: v.code} }).code
	list = slices.DeleteFunc(slices.Clone(list), func(v verdict) bool { return v.code != code })
	return most(func(v verdict) verdict { return v })
}
