// Package metric derives a run's figures from its results: each metric takes
// result after result and writes its estimates once at the end. What it keeps
// does not grow with the results, and the order of results does not matter.
package metric

import "evalctl/eval"

// Metric is one family of figures of a cell.
type Metric interface {
	Add(eval.Result)
	Close(into *eval.CellSummary, epochs int64)
}
