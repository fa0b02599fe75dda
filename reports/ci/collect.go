package ci

import (
	"maps"
	"slices"

	"evalctl/eval"
	"evalctl/eval/runs"
)

// conditionCases contains the metrics of one condition and its cases, which become test cases in
// the JUnit format.
type conditionCases struct {
	condition
	metrics map[string]eval.Estimate
	cases   map[string]*testcase
}

func (s *conditionCases) ids() []string {
	return slices.Sorted(maps.Keys(s.cases))
}

// TrialCollector collects the trials of a run for the JUnit format, grouped by condition and case.
// Conditions have the order of the summary. Conditions that are not in the summary come last.
type TrialCollector struct {
	list         []*conditionCases
	byCondition  map[condition]*conditionCases
	textBytes    int   // total size of the stored texts, in bytes
	maxTextBytes int   // maximum of textBytes; above it, Trials drops texts
	shape        shape // level of detail of the JUnit file for which the texts suffice
}

var _ eval.Sink = (*TrialCollector)(nil)

// NewTrialCollector returns an empty collector for the results of a run.
func NewTrialCollector(run *runs.Run) *TrialCollector {
	return newTrials(eval.Summary{Suites: run.Suites()}, maxJUnit)
}

// newTrials returns a collector that stores at most the given number of bytes of text, because the
// JUnit file cannot contain more. It drops the texts of passed cases first.
func newTrials(sum eval.Summary, most int) *TrialCollector {
	s := &TrialCollector{byCondition: map[condition]*conditionCases{}, maxTextBytes: most}
	eachCondition(sum, func(c condition, _ eval.ConditionSummary) { s.add(c) })
	return s
}

// collect returns the trials of the report. It reads them from the run if the caller has not
// collected them.
func collect(r Report, most int) (*TrialCollector, error) {
	s := r.Trials
	if s == nil {
		s = newTrials(r.Summary, most)
		if r.Run != nil {
			if err := r.Run.ReadInto(s); err != nil {
				return nil, err
			}
		}
	}
	eachCondition(r.Summary, func(c condition, sum eval.ConditionSummary) { s.add(c).metrics = sum.Metrics })
	return s, nil
}

func (s *TrialCollector) add(c condition) *conditionCases {
	if s.byCondition[c] == nil {
		s.byCondition[c] = &conditionCases{condition: c, cases: map[string]*testcase{}}
		s.list = append(s.list, s.byCondition[c])
	}
	return s.byCondition[c]
}

// Add adds the result of a trial.
func (s *TrialCollector) Add(r eval.Result) error {
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

// next returns the shape (level of detail) that requires the next fewer texts.
func (s *TrialCollector) next() shape {
	if s.shape < plainPasses {
		return plainPasses
	}
	return headlines
}

// trim drops the text of a test case if a JUnit file of the current shape does not show it.
func (s *TrialCollector) trim(t *testcase) {
	if s.shape >= headlines || s.shape >= plainPasses && t.outcome == passed {
		t.text = ""
	}
}

func (s *TrialCollector) dropTexts() {
	s.textBytes = 0
	for _, of := range s.list {
		for _, t := range of.cases {
			s.trim(t)
			s.textBytes += len(t.text)
		}
	}
}
