// Package metric derives a run's metrics from its results. Each metric receives one case after
// another and writes its estimates once at the end. Memory does not grow with the number of cases,
// and the order of cases does not matter.
package metric

import "evalctl/eval"

// metric is one family of metrics of a condition. The trials of a case (its epochs) are dependent,
// so they are added together and form one cluster in every interval.
type metric interface {
	Add(trials []eval.Result) // all trials of one case in the condition, by epoch
	Close(into *eval.ConditionSummary)
}

// clustered is an accumulator that receives values one by one; endCase ends the values of a case.
type clustered interface{ endCase() }

func endCase(figures ...clustered) {
	for _, f := range figures {
		f.endCase()
	}
}
