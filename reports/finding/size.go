package finding

import (
	"cmp"

	"evalctl/eval"
	"evalctl/eval/number"
)

// Planned is how many trials each variant of a suite has.
func Planned(s eval.SuiteSummary) int64 { return s.Cases * int64(max(s.Epochs, 1)) }

// Played is how many trials there were of all variants.
func Played(s eval.SuiteSummary) (n int64) {
	for _, c := range s.Variants {
		n += c.Trials
	}
	return n
}

// Unended says of a run that did not end what a report shows of it, and how much was
// played, where that is known and not all.
func Unended(s eval.Summary, shown string) string {
	text := "the run did not end; " + shown + " covers only the trials that ran"
	var played, planned int64
	for _, one := range s.Suites {
		played, planned = played+Played(one), planned+Planned(one)*int64(len(one.Variants))
	}
	if played < planned {
		text += ": " + number.Grouped(played) + " of " + number.Counted(planned, "trial") + ", not a random sample"
	}
	return text
}

// Picked says how many cases a suite has, and which, if not all.
func Picked(s eval.SuiteSummary) string {
	switch {
	case s.FailedIn != "":
		return "only " + number.Counted(s.Cases, "case") + " that failed"
	case s.Cases < s.Of && s.Sample > 0:
		return "sample of " + number.Grouped(s.Cases) + " of " + number.Counted(s.Of, "case")
	case s.Cases < s.Of:
		return "first " + number.Grouped(s.Cases) + " of " + number.Counted(s.Of, "case")
	}
	return number.Counted(s.Cases, "case")
}

// Sizes say how many variants, faults and trials a suite has: of how many trials, where
// the run did not end.
func Sizes(s eval.SuiteSummary, partial bool) []string {
	list := []string{number.Counted(int64(len(Sound(s))), "variant")}
	faults := map[string]struct{}{}
	for _, c := range s.Variants {
		faults[cmp.Or(c.Fault, eval.NoFault)] = struct{}{}
	}
	delete(faults, eval.NoFault)
	if len(faults) > 0 {
		list = append(list, number.Counted(int64(len(faults)), "fault"))
	}
	n := Played(s)
	if all := Planned(s) * int64(len(s.Variants)); partial && n < all {
		return append(list, number.Grouped(n)+" of "+number.Counted(all, "trial"))
	}
	return append(list, number.Counted(n, "trial"))
}
