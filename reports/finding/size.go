package finding

import (
	"cmp"

	"evalctl/eval"
	"evalctl/eval/number"
)

// PlannedTrials is the number of trials of each condition of a suite.
func PlannedTrials(s eval.SuiteSummary) int64 { return s.Cases * int64(max(s.Epochs, 1)) }

// CompletedTrials is the number of completed trials in all conditions.
func CompletedTrials(s eval.SuiteSummary) (n int64) {
	for _, c := range s.Conditions {
		n += c.Trials
	}
	return n
}

// IncompleteNote describes a run that did not end. shown is the part of the report that it applies
// to. The number of completed trials is included if some are missing.
func IncompleteNote(s eval.Summary, shown string) string {
	text := "the run did not end; " + shown + " covers only the trials that ran"
	var ran, planned int64
	for _, one := range s.Suites {
		ran, planned = ran+CompletedTrials(one), planned+PlannedTrials(one)*int64(len(one.Conditions))
	}
	if ran < planned {
		text += ": " + number.Thousands(ran) + " of " + number.Plural(planned, "trial") + ", not a random sample"
	}
	return text
}

// CaseSelection describes the number of cases of a suite and their selection, such as "sample of 40
// of 328 cases".
func CaseSelection(s eval.SuiteSummary) string {
	switch {
	case s.FailedIn != "":
		return "only " + number.Plural(s.Cases, "case") + " that failed"
	case s.Cases < s.AvailableCases && s.Sample > 0:
		return "sample of " + number.Thousands(s.Cases) + " of " + number.Plural(s.AvailableCases, "case")
	case s.Cases < s.AvailableCases:
		return "first " + number.Thousands(s.Cases) + " of " + number.Plural(s.AvailableCases, "case")
	}
	return number.Plural(s.Cases, "case")
}

// SizeTexts describes the number of variants, faults and trials of a suite. For a partial run it
// includes the number of planned trials.
func SizeTexts(s eval.SuiteSummary, partial bool) []string {
	list := []string{number.Plural(int64(len(FaultFree(s))), "variant")}
	faults := map[string]struct{}{}
	for _, c := range s.Conditions {
		faults[cmp.Or(c.Fault, eval.NoFault)] = struct{}{}
	}
	delete(faults, eval.NoFault)
	if len(faults) > 0 {
		list = append(list, number.Plural(int64(len(faults)), "fault"))
	}
	n := CompletedTrials(s)
	if all := PlannedTrials(s) * int64(len(s.Conditions)); partial && n < all {
		return append(list, number.Thousands(n)+" of "+number.Plural(all, "trial"))
	}
	return append(list, number.Plural(n, "trial"))
}
