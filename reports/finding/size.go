package finding

import (
	"cmp"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// PlannedTrials returns how many trials each condition of a suite has if the run is complete.
func PlannedTrials(s eval.SuiteSummary) int64 { return s.Cases * int64(max(s.Epochs, 1)) }

// CompletedTrials returns how many trials ran in all conditions of a suite.
func CompletedTrials(s eval.SuiteSummary) (n int64) {
	for _, c := range s.Conditions {
		n += c.Trials
	}
	return n
}

// IncompleteNote returns the note that a run was interrupted. shown names what contains the note,
// such as "this report". If trials are missing, the note states how many ran.
func IncompleteNote(s eval.Summary, shown string) string {
	text := "the run did not end; " + shown + " covers only the trials that ran"
	var ran, planned int64
	for _, one := range s.Suites {
		ran, planned = ran+CompletedTrials(one), planned+PlannedTrials(one)*int64(len(one.Conditions))
	}
	if ran < planned {
		text += ": " + metric.FormatInteger(ran) + " of " + metric.Plural(planned, "trial") + ", not a random sample"
	}
	return text
}

// CaseSelection describes how many cases of a suite ran and how they were selected, such as "sample
// of 40 of 328 cases".
func CaseSelection(s eval.SuiteSummary) string {
	switch {
	case s.FailedInRun != "":
		return "only " + metric.Plural(s.Cases, "case") + " that failed"
	case s.Cases < s.AvailableCases && s.Sample > 0:
		return "sample of " + metric.FormatInteger(s.Cases) + " of " + metric.Plural(s.AvailableCases, "case")
	case s.Cases < s.AvailableCases:
		return "first " + metric.FormatInteger(s.Cases) + " of " + metric.Plural(s.AvailableCases, "case")
	}
	return metric.Plural(s.Cases, "case")
}

// DescribeSize returns texts with the number of variants, faults and trials of a suite. For a partial
// run, the last text includes the number of planned trials.
func DescribeSize(s eval.SuiteSummary, partial bool) []string {
	list := []string{metric.Plural(int64(len(ConditionsWithoutFault(s))), "variant")}
	faults := map[string]struct{}{}
	for _, c := range s.Conditions {
		faults[cmp.Or(c.Fault, eval.NoFault)] = struct{}{}
	}
	delete(faults, eval.NoFault)
	if len(faults) > 0 {
		list = append(list, metric.Plural(int64(len(faults)), "fault"))
	}
	n := CompletedTrials(s)
	if all := PlannedTrials(s) * int64(len(s.Conditions)); partial && n < all {
		return append(list, metric.FormatInteger(n)+" of "+metric.Plural(all, "trial"))
	}
	return append(list, metric.Plural(n, "trial"))
}
