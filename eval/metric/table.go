package metric

import (
	"cmp"
	"fmt"

	"evalctl/eval"
)

// Table keeps the metrics of all cells of a run.
type Table struct {
	suites []*suite
	named  map[string]*suite
}

var _ eval.Sink = (*Table)(nil)

// NewTable makes the table of a run: the suites, with their variants' names
// and faults, in the order in which they are to be shown. Of every tag each cell
// gets a slice: all metrics over the cases that have it.
func NewTable(suites []eval.SuiteSummary, tags ...string) *Table {
	t := &Table{named: map[string]*suite{}}
	for _, s := range suites {
		one := newSuite(s, tags)
		t.suites, t.named[s.Name] = append(t.suites, one), one
	}
	return t
}

// Add takes a result; one of a cell that the run does not have is an error. It
// counts once its case is complete: until then a second result of the same trial
// takes the place of the first.
func (t *Table) Add(r eval.Result) error {
	if s, ok := t.named[r.Suite]; ok {
		if c, ok := s.place[conditionName{variant: r.Variant, fault: cmp.Or(r.Fault, eval.NoFault)}]; ok {
			s.add(trial{condition: c, epoch: r.Epoch}, r)
			return nil
		}
	}
	return fmt.Errorf("case %s: the run has no variant %s with fault %s in a suite %s", r.Case, r.Variant, r.Fault, r.Suite)
}

// Close derives the summary, also from cases that are not complete.
func (t *Table) Close() eval.Summary {
	s := eval.Summary{Suites: []eval.SuiteSummary{}, Gates: []eval.GateVerdict{}}
	for _, one := range t.suites {
		s.Suites = append(s.Suites, one.close())
	}
	return s
}
