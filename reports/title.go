package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// suiteTitle returns the heading of a suite. If it is too wide, suiteTitle omits the numbers of trials,
// faults and variants, then the note on the trained baseline model. Then it shortens the
// description of the cases. It always states what is simulated.
func suiteTitle(partial bool, s eval.SuiteSummary, width int) document.Line {
	name := shorten(named(s.Name), width/2)
	room := width - columnsOf(name) - columnsOf(" · ")
	sizes := finding.DescribeSize(s, partial)
	for len(sizes) > 0 && columnsOf(subtitle(s, sizes)) > room {
		sizes = sizes[:len(sizes)-1]
	}
	of := subtitle(s, sizes)
	if columnsOf(of) > room {
		from := " · " + strings.Join(origin(s), " · ")
		if columnsOf(from)+minCasesWidth > room {
			// the table of variants names the baseline model anyway
			from = strings.ReplaceAll(from, baselineModelTrained, "")
		}
		text, left := strings.Join(caseSelection(s), " · "), max(room-columnsOf(from), minCasesWidth)
		if left < 2*minCasesWidth { // omit these words rather than the numbers after them
			text = strings.TrimPrefix(strings.TrimPrefix(text, "sample of "), "first ")
		}
		of = shorten(shorten(text, left)+from, room)
	}
	return document.Line{Parts: []document.Part{{Text: name, Tone: document.Strong}, {Text: " · " + of}}}
}

// minCasesWidth is the minimum width of the description of the cases in a heading, in columns.
const minCasesWidth = 14

// subtitle describes how a suite's numbers were obtained: cases, sizes, and what is simulated.
func subtitle(s eval.SuiteSummary, sizes []string) string {
	return strings.Join(slices.Concat(caseSelection(s), sizes, origin(s)), " · ")
}

// caseSelection describes how many cases ran, from which dataset, and how they were selected.
func caseSelection(s eval.SuiteSummary) []string {
	text := finding.CaseSelection(s)
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
	if s.DecisionOnly {
		parts = append(parts, "decision only")
	}
	return parts
}

// origin describes which models are real and which are simulated, and whether time is simulated.
func origin(s eval.SuiteSummary) []string {
	var actual, simulated, trained []string
	for _, m := range s.Models {
		list := &actual
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
	time := cmp.Or(clean(s.Clock), "unknown") + " time"
	var parts []string
	switch {
	case len(s.Models) == 0:
		return []string{time}
	case len(actual)+len(simulated) == 0:
		return []string{"baseline models only", time}
	case len(actual) == 0 && s.Clock == "simulated":
		parts = []string{"models and time are simulated"}
	case len(actual) == 0:
		parts = []string{"models are simulated", time}
	case len(simulated) == 0 && (s.Target == "http" || s.Target == "exec"):
		parts = []string{"your agent", time}
	case len(simulated) == 0:
		parts = []string{"real models", time}
	default:
		parts = []string{"real: " + strings.Join(actual, ", ") + "; simulated: " + strings.Join(simulated, ", "), time}
	}
	if len(trained) > 0 {
		parts[0] += baselineModelTrained
	}
	return parts
}

const baselineModelTrained = "; the baseline model was trained"
