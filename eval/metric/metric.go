// Package metric derives a run's figures from its results: each metric takes
// result after result and writes its estimates once at the end. What it keeps
// does not grow with the results, and the order of results does not matter.
package metric

import (
	"cmp"
	"fmt"
	"slices"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// level of all intervals.
const level = 0.95

// Metric is one family of figures of a cell.
type Metric interface {
	Add(eval.Result)
	Close(into *eval.CellSummary, epochs int64)
}

// all are the families that every cell has.
func all() []Metric {
	return []Metric{&route{}, &sources{}, &fallback{}, &aspects{}, &critic{}, &apologies{}, &latency{}, &failures{}, &usage{}}
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
			t.cells[cellKey{s.Name, v.Name, v.Fault}] = &cell{metrics: all()}
		}
	}
	return t
}

// Add counts a result; one of a cell that the run does not have is an error.
func (t *Table) Add(r eval.Result) error {
	c, ok := t.cells[cellKey{r.Suite, r.Variant, cmp.Or(r.Fault, eval.NoFault)}]
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
			c := t.cells[cellKey{s.Suites[i].Name, v.Name, v.Fault}]
			v.Trials, v.Metrics = c.trials, map[string]eval.Estimate{}
			for _, m := range c.metrics {
				m.Close(v, int64(max(s.Suites[i].Epochs, 1)))
			}
		}
	}
	return s
}

// share is a proportion in the making: k of n, with missing ones besides.
type share struct{ k, n, missing int64 }

func (s *share) add(ok bool) {
	s.n++
	if ok {
		s.k++
	}
}

// estimate has a Wilson interval, and the bounds if all missing were wrong or
// all were right. The epochs of a case are not independent: the interval takes
// them for one observation, which is never too narrow.
func (s share) estimate(epochs int64) eval.Estimate {
	e := eval.Estimate{N: s.n, Missing: s.missing}
	if s.n > 0 {
		each := float64(min(epochs, s.n)) // trials to an observation
		lo, hi := stats.Wilson(float64(s.k)/each, float64(s.n)/each, level)
		e.Value, e.Lo, e.Hi = ratio(s.k, s.n), &lo, &hi
	}
	if s.missing > 0 {
		e.Worst, e.Best = ratio(s.k, s.n+s.missing), ratio(s.k+s.missing, s.n+s.missing)
	}
	return e
}

// over divides, to the nearest.
func over(n, epochs int64) int64 { return (n + epochs/2) / epochs }

func ratio(k, n int64) *float64 {
	v := float64(k) / float64(n)
	return &v
}

// count is a plain number without an interval.
func count(v float64, n int64) eval.Estimate { return eval.Estimate{Value: &v, N: n} }
