package metric

import (
	"cmp"
	"fmt"
	"slices"

	"evalctl/eval"
)

// families are those that every cell of a suite has.
func families(s eval.SuiteSummary) []Metric {
	list := []Metric{&route{}, &sources{known: s.Sources}, &fallback{}, &aspects{}, &critic{}, &apologies{}, &latency{}, &failures{}, &usage{}}
	if s.OutOfScope != "" {
		list = append(list, &outOfScope{label: s.OutOfScope})
	}
	return list
}

// Table keeps the metrics of all cells of a run.
type Table struct {
	suites []eval.SuiteSummary
	cells  map[cellKey]*cell
}

type cellKey struct{ suite, variant, fault string }

type cell struct {
	trials  int64
	metrics []Metric
}

var _ eval.Sink = (*Table)(nil)

// NewTable makes the table of a run: the suites, with their variants' names
// and faults, in the order in which they are to be shown.
func NewTable(suites []eval.SuiteSummary) *Table {
	t := &Table{suites: suites, cells: map[cellKey]*cell{}}
	for _, s := range suites {
		for _, v := range s.Variants {
			t.cells[cellKey{suite: s.Name, variant: v.Name, fault: v.Fault}] = &cell{metrics: families(s)}
		}
	}
	return t
}

// Add counts a result; one of a cell that the run does not have is an error.
func (t *Table) Add(r eval.Result) error {
	c, ok := t.cells[cellKey{suite: r.Suite, variant: r.Variant, fault: cmp.Or(r.Fault, eval.NoFault)}]
	if !ok {
		return fmt.Errorf("case %s: the run has no variant %s with fault %s in a suite %s", r.Case, r.Variant, r.Fault, r.Suite)
	}
	c.trials++
	for _, m := range c.metrics {
		m.Add(r)
	}
	return nil
}

// Close derives the summary.
func (t *Table) Close() eval.Summary {
	s := eval.Summary{Suites: slices.Clone(t.suites), Gates: []eval.GateVerdict{}}
	for i := range s.Suites {
		s.Suites[i].Variants = slices.Clone(s.Suites[i].Variants)
		for j := range s.Suites[i].Variants {
			v := &s.Suites[i].Variants[j]
			c := t.cells[cellKey{suite: s.Suites[i].Name, variant: v.Name, fault: v.Fault}]
			v.Trials, v.Metrics = c.trials, map[string]eval.Estimate{}
			for _, m := range c.metrics {
				m.Close(v, int64(max(s.Suites[i].Epochs, 1)))
			}
		}
	}
	return s
}
