package ci

import (
	"maps"
	"slices"

	"evalctl/eval"
	"evalctl/eval/runs"
)

// conditionCases contains the test cases and metrics of one condition, for the JUnit format.
type conditionCases struct {
	condition
	metrics map[string]eval.Estimate
	cases   map[string]*testcase
}

func (s *conditionCases) ids() []string {
	return slices.Sorted(maps.Keys(s.cases))
}

// Trials collects the trials of a run for the JUnit format, grouped by condition and case. The
// order of the conditions is that of the summary; conditions that it does not contain follow.
type Trials struct {
	list         []*conditionCases
	byCondition  map[condition]*conditionCases
	textBytes    int   // total size of the stored texts, in bytes
	maxTextBytes int   // maximum of textBytes; above it, Trials drops texts
	shape        shape // most detailed shape for which the texts are still stored
}

var _ eval.Sink = (*Trials)(nil)

// NewTrials returns an empty collector for the results of a run.
func NewTrials(run *runs.Run) *Trials {
	return newTrials(eval.Summary{Suites: run.Suites()}, maxJUnit)
}

// newTrials returns a collector that stores at most the given number of bytes of text, because the
// file cannot contain more. It drops the texts of passed cases first.
func newTrials(sum eval.Summary, most int) *Trials {
	s := &Trials{byCondition: map[condition]*conditionCases{}, maxTextBytes: most}
	eachCondition(sum, func(c condition, _ eval.ConditionSummary) { s.add(c) })
	return s
}

// collect returns the trials of the report. It reads them from the run if the caller has not
// collected them.
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

func (s *Trials) add(c condition) *conditionCases {
	if s.byCondition[c] == nil {
		s.byCondition[c] = &conditionCases{condition: c, cases: map[string]*testcase{}}
		s.list = append(s.list, s.byCondition[c])
	}
	return s.byCondition[c]
}

// Add adds the result of a trial.
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
	if s.textBytes += len(t.text) - before; s.textBytes > s.maxTextBytes && s.shape < headlines {
		s.shape = s.next()
		s.dropTexts()
	}
	return nil
}

// next returns the next less detailed shape that contains fewer texts.
func (s *Trials) next() shape {
	if s.shape < plainPasses {
		return plainPasses
	}
	return headlines
}

// trim drops the text of a test case if the current shape does not contain it.
func (s *Trials) trim(t *testcase) {
	if s.shape >= headlines || s.shape >= plainPasses && t.outcome == passed {
		t.text = ""
	}
}

func (s *Trials) dropTexts() {
	s.textBytes = 0
	for _, of := range s.list {
		for _, t := range of.cases {
			s.trim(t)
			s.textBytes += len(t.text)
		}
	}
}
