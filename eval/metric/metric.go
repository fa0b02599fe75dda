// Package metric derives a run's figures from its results: each metric takes
// case after case and writes its estimates once at the end. What it keeps does
// not grow with the cases, and their order does not matter.
package metric

import "evalctl/eval"

// metric is one family of figures of a cell. The trials of a case (its epochs)
// are alike, so they come together, and are one cluster in every interval.
type metric interface {
	Add(trials []eval.Result) // all of one case in the cell, by epoch
	Close(into *eval.ConditionSummary)
}

// clustered is a figure in the making that takes values one by one and is told
// when those of a case are over.
type clustered interface{ endCase() }

func endCase(figures ...clustered) {
	for _, f := range figures {
		f.endCase()
	}
}
