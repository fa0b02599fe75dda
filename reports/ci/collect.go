package ci

import (
	"maps"
	"slices"

	"evalctl/eval"
	"evalctl/eval/runs"
)

// sheet is what is told of one cell in JUnit XML.
type sheet struct {
	condition
	metrics map[string]eval.Estimate
	cases   map[string]*testcase
}

// ids are the cases', in order.
func (s *sheet) ids() []string {
	return slices.Sorted(maps.Keys(s.cases))
}

// Trials are a run's cells, in the summary's order, and those that it lacks behind them.
type Trials struct {
	list []*sheet
	of   map[condition]*sheet
	held int   // bytes of texts
	most int   // of them
	left shape // the richest that the texts are there for
}

var _ eval.Sink = (*Trials)(nil)

// NewTrials makes ready for the results of a run, which JUnit XML tells of.
func NewTrials(run *runs.Run) *Trials {
	return newTrials(eval.Summary{Suites: run.Suites()}, maxJUnit)
}

// newTrials holds so many bytes of texts at most, as the file cannot have more: those of
// cases that passed go first.
func newTrials(sum eval.Summary, most int) *Trials {
	s := &Trials{of: map[condition]*sheet{}, most: most}
	eachCondition(sum, func(c condition, _ eval.ConditionSummary) { s.add(c) })
	return s
}

// collect reads the trials, if they are not at hand.
func collect(r Report, most int) (*Trials, error) {
	s := r.Trials
	if s == nil {
		s = newTrials(r.Summary, most)
		if r.Run != nil {
			if err := r.Run.Read(s); err != nil {
				return nil, err
			}
		}
	}
	eachCondition(r.Summary, func(c condition, sum eval.ConditionSummary) { s.add(c).metrics = sum.Metrics })
	return s, nil
}

func (s *Trials) add(c condition) *sheet {
	if s.of[c] == nil {
		s.of[c] = &sheet{condition: c, cases: map[string]*testcase{}}
		s.list = append(s.list, s.of[c])
	}
	return s.of[c]
}

// Add takes a result.
func (s *Trials) Add(r eval.Result) error {
	of := s.add(conditionOf(r))
	t := of.cases[r.Case]
	if t == nil {
		t = &testcase{}
		of.cases[r.Case] = t
	}
	before := len(t.text)
	t.add(r)
	s.trim(t)
	if s.held += len(t.text) - before; s.held > s.most && s.left < headlines {
		s.left = s.next()
		s.forget()
	}
	return nil
}

// next is the shape that needs fewer texts.
func (s *Trials) next() shape {
	if s.left < plainPasses {
		return plainPasses
	}
	return headlines
}

// trim drops a text that the shape has no place for.
func (s *Trials) trim(t *testcase) {
	if s.left >= headlines || s.left >= plainPasses && t.outcome == passed {
		t.text = ""
	}
}

func (s *Trials) forget() {
	s.held = 0
	for _, of := range s.list {
		for _, t := range of.cases {
			s.trim(t)
			s.held += len(t.text)
		}
	}
}
