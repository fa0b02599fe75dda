package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// title says in a line what a suite's numbers are of. What there is no room for
// stands in the full tables: first the trials are left out, then the faults, then
// the variants, that a floor was trained, and then the words on the cases are cut: what
// was simulated is said.
func (t *terminal) title(partial bool, s eval.SuiteSummary) string {
	name := shorten(named(s.Name), t.width/2)
	room := t.width - columnsOf(name) - gap
	n := len(sizes(partial, s))
	for n > 0 && columnsOf(subtitle(partial, s, n)) > room {
		n--
	}
	of := subtitle(partial, s, n)
	if columnsOf(of) > room {
		from := " · " + strings.Join(origin(s), " · ")
		if columnsOf(from)+leastCases > room {
			from = strings.ReplaceAll(from, floorTrained, "") // the table has its name
		}
		of = shorten(shorten(strings.Join(cases(s), " · "), max(room-columnsOf(from), leastCases))+from, room)
	}
	return t.paint(name, strong) + strings.Repeat(" ", gap) + of
}

// leastCases is what there is always room for: how many cases there are.
const leastCases = 12

// subtitle says what a suite's numbers are of; of its sizes the first n.
func subtitle(partial bool, s eval.SuiteSummary, n int) string {
	return strings.Join(slices.Concat(cases(s), sizes(partial, s)[:n], origin(s)), " · ")
}

func sizes(partial bool, s eval.SuiteSummary) []string {
	list := []string{counted(int64(len(finding.Sound(s))), "variant")}
	if faults := faultNames(s); len(faults) > 0 {
		list = append(list, counted(int64(len(faults)), "fault"))
	}
	return append(list, trials(partial, s))
}

// cases says how many there are, and which, if not all.
func cases(s eval.SuiteSummary) []string {
	text := counted(s.Cases, "case")
	switch {
	case s.FailedIn != "":
		text = "only " + text + " that failed"
	case s.Cases < s.Of && s.Sample > 0:
		text = "sample of " + grouped(s.Cases) + " of " + counted(s.Of, "case")
	case s.Cases < s.Of:
		text = "first " + grouped(s.Cases) + " of " + counted(s.Of, "case")
	}
	if data := clean(s.Dataset); data != "" && s.Dataset != s.Name {
		text += " of " + data
	}
	if s.Epochs > 1 {
		text += fmt.Sprintf(" × %d epochs", s.Epochs)
	}
	parts := []string{text}
	if len(s.Tags) > 0 {
		parts = append(parts, clean("tagged "+strings.Join(s.Tags, ", ")))
	}
	if s.Scope != "" {
		parts = append(parts, clean(s.Scope+" only"))
	}
	return parts
}

func faultNames(s eval.SuiteSummary) (list []string) {
	for _, c := range s.Variants {
		if f := fault(c); f != eval.NoFault && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// trials says how many were played, and of how many where the run did not end.
func trials(partial bool, s eval.SuiteSummary) string {
	n := played(s)
	if all := planned(s) * int64(len(s.Variants)); partial && n < all {
		return grouped(n) + " of " + counted(all, "trial")
	}
	return counted(n, "trial")
}

func played(s eval.SuiteSummary) (n int64) {
	for _, c := range s.Variants {
		n += c.Trials
	}
	return n
}

// origin says what was real, and what was not.
func origin(s eval.SuiteSummary) []string {
	var real, simulated, trained []string
	for _, m := range s.Models {
		list := &real
		switch m.Kind {
		case "simulated":
			list = &simulated
		case "trained":
			list = &trained
		}
		if name := clean(m.Component); !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	time := cmp.Or(clean(s.Time), "unknown") + " time"
	var parts []string
	switch {
	case len(s.Models) == 0:
		return []string{time}
	case len(real)+len(simulated) == 0:
		return []string{"models trained here", time}
	case len(real) == 0 && s.Time == "simulated":
		parts = []string{"models and time simulated"}
	case len(real) == 0:
		parts = []string{"models simulated", time}
	case len(simulated) == 0:
		parts = []string{"real models", time}
	default:
		parts = []string{"real: " + strings.Join(real, ", ") + "; simulated: " + strings.Join(simulated, ", "), time}
	}
	if len(trained) > 0 {
		parts[0] += floorTrained
	}
	return parts
}

const floorTrained = ", floor trained"
