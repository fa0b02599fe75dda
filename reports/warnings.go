package reports

import (
	"fmt"
	"strings"

	"evalctl/eval"
)

// shortWarnings is how many the short report shows of a suite.
const shortWarnings = 8

// warnings say why a suite's numbers may mislead.
func warnings(r Report, s eval.SuiteSummary) []line {
	var texts []string
	for _, c := range s.Variants {
		for _, w := range doubts(r.Summary.Partial, s, c) {
			texts = append(texts, title(c)+": "+w)
		}
	}
	var lines []line
	for i, text := range texts {
		if i == shortWarnings && !r.Detail {
			lines = append(lines, line{warn, "!", fmt.Sprintf("and %s; the detailed report has all.", counted(int64(len(texts)-i), "more warning"))})
			break
		}
		lines = append(lines, line{warn, "!", text})
	}
	return lines
}

func doubts(partial bool, s eval.SuiteSummary, c eval.CellSummary) []string {
	var texts []string
	switch {
	case c.Trials == 0:
		return []string{"nothing was measured."}
	case partial && c.Trials < planned(s):
		texts = append(texts, fmt.Sprintf("only %s of %s played.", grouped(c.Trials), counted(planned(s), "trial")))
	}
	lost := c.Metrics["missing.rate"]
	if known(lost.Value) && *lost.Value > 0 {
		texts = append(texts, fmt.Sprintf("no answer %s%s.", rate(lost), kinds(c)))
	}
	a := c.Metrics["route.accuracy"]
	if a.Missing > 0 && !(known(lost.Value) && *lost.Value > 0) {
		texts = append(texts, fmt.Sprintf("unjudged %s of %s.", grouped(a.Missing), grouped(a.N+a.Missing)))
	}
	if a.N == 0 && a.Missing > 0 {
		texts = append(texts, "no decision could be judged.")
	}
	return texts
}

// planned is how many trials each of a suite's cells was to have.
func planned(s eval.SuiteSummary) int64 { return s.Cases * int64(max(s.Epochs, 1)) }

// kinds lists whose fault the missing answers are.
func kinds(c eval.CellSummary) string {
	var parts []string
	for _, k := range eval.ErrorKinds() {
		if e := c.Metrics["errors."+string(k)]; known(e.Value) && *e.Value > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", k, grouped(int64(*e.Value))))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}
