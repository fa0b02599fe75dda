package finding

import (
	"cmp"

	"evalctl/eval"
	"evalctl/eval/number"
)

// PlannedTrials is how many trials each variant of a suite has.
func PlannedTrials(s eval.SuiteSummary) int64 { return s.Cases * int64(max(s.Epochs, 1)) }

// CompletedTrials is how many trials there were of all variants.
func CompletedTrials(s eval.SuiteSummary) (n int64) {
	for _, c := range s.Conditions {
		n += c.Trials
	}
	return n
}

// IncompleteNote says of a run that did not end what a report shows of it, and how much was
// played, where that is known and not all.
func IncompleteNote(s eval.Summary, shown string) string {
	text := "the run did not end; " + shown + " covers only the trials that ran"
	var played, planned int64
	for _, one := range s.Suites {
		played, planned = played+CompletedTrials(one), planned+PlannedTrials(one)*int64(len(one.Conditions))
	}
	if played < planned {
		text += ": " + number.Thousands(played) + " of " + number.Plural(planned, "trial") + ", not a random sample"
	}
	return text
}

// CaseSelection says how many cases a suite has, and which, if not all.
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

// Sizes say how many variants, faults and trials a suite has: of how many trials, where
// the run did not end.
func Sizes(s eval.SuiteSummary, partial bool) []string {
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
