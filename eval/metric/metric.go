// Package metric computes the metrics of a run from the results of its trials. Each metric receives
// one case after another and writes its estimates once at the end. Memory does not grow with the
// number of cases, and the order of cases does not matter. The catalog describes every metric. Numbers
// are formatted and parsed by its units.
package metric

import "evalctl/eval"

// metric computes one or several related metrics of a condition. The trials of a case (its epochs)
// are dependent, so they are added together and form one cluster in every interval.
type metric interface {
	Add(trials []eval.Result) // adds all trials of one case in the condition, in order of epoch
	Close(into *eval.ConditionSummary)
}

// clustered is a statistic that receives values one by one. endCase marks the end of the values of
// one case, which are dependent.
type clustered interface{ endCase() }

func endCase(figures ...clustered) {
	for _, f := range figures {
		f.endCase()
	}
}
