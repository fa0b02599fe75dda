package ci

import (
	"maps"
	"slices"

	"evalctl/eval"
	"evalctl/eval/runs"
)

// conditionCases contains the data of one condition for JUnit XML.
type conditionCases struct {
	condition
	metrics map[string]eval.Estimate
	cases   map[string]*testcase
}

// ids returns the IDs of the cases in order.
func (s *conditionCases) ids() []string {
	return slices.Sorted(maps.Keys(s.cases))
}

// Trials contains the conditions of a run in the order of the summary, then those missing in it.
type Trials struct {
	list         []*conditionCases
	byCondition  map[condition]*conditionCases
	textBytes    int   // total size of the texts, in bytes
	maxTextBytes int   // limit of held
	shape        shape // richest shape for which the texts are still available
}

var _ eval.Sink = (*Trials)(nil)

// NewTrials returns an empty Trials for the results of a run.
func NewTrials(run *runs.Run) *Trials {
	return newTrials(eval.Summary{Suites: run.Suites()}, maxJUnit)
}

// newTrials limits the texts to most bytes, because the file cannot contain more. The texts of
// passed cases are dropped first.
func newTrials(sum eval.Summary, most int) *Trials {
	s := &Trials{byCondition: map[condition]*conditionCases{}, maxTextBytes: most}
	eachCondition(sum, func(c condition, _ eval.ConditionSummary) { s.add(c) })
	return s
}

// collect returns the trials of the report, and reads them if necessary.
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

// Add adds a result.
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

// next returns the next shape with fewer texts.
func (s *Trials) next() shape {
	if s.shape < plainPasses {
		return plainPasses
	}
	return headlines
}

// trim drops a text that the shape does not contain.
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
