package metric

import (
	"cmp"
	"fmt"

	"evalctl/eval"
)

// Collector collects the results of a run and computes the metrics of all its conditions. It contains
// the suites of the run, each with the counts of its conditions.
type Collector struct {
	suites []*suite
	named  map[string]*suite
}

var _ eval.Sink = (*Collector)(nil)

// NewCollector returns the Table of a run. suites are the run's suites with their variants and faults,
// in display order. For every tag, each condition gets a slice: all metrics over the cases with
// that tag.
func NewCollector(suites []eval.SuiteSummary, tags ...string) *Collector {
	t := &Collector{named: map[string]*suite{}}
	for _, s := range suites {
		one := newSuite(s, tags)
		t.suites, t.named[s.Name] = append(t.suites, one), one
	}
	return t
}

// Add adds the result of a trial. A result of an unknown condition is an error. The result counts
// once its case is complete; until then a second result of the same trial replaces it.
func (t *Collector) Add(r eval.Result) error {
	if s, ok := t.named[r.Suite]; ok {
		if c, ok := s.index[conditionName{variant: r.Variant, fault: cmp.Or(r.Fault, eval.NoFault)}]; ok {
			s.add(trial{condition: c, epoch: r.Epoch}, r)
			return nil
		}
	}
	return fmt.Errorf("case %s: the run has no variant %s with fault %s in a suite %s", r.Case,
		r.Variant, r.Fault, r.Suite)
}

// Close returns the summary of the run. Incomplete cases are included.
func (t *Collector) Close() eval.Summary {
	s := eval.Summary{Suites: []eval.SuiteSummary{}, Gates: []eval.GateVerdict{}}
	for _, one := range t.suites {
		s.Suites = append(s.Suites, one.close())
	}
	return s
}
