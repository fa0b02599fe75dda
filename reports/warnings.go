package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// warnings say why a suite's numbers may mislead.
func warnings(r Report, s eval.SuiteSummary) []line {
	var lines []line
	if baselineModel := slices.IndexFunc(s.Conditions, func(c eval.ConditionSummary) bool { return c.BaselineModel }); s.StateDependent && baselineModel >= 0 {
		lines = append(lines, line{tone: warn, mark: "!", text: title(s.Conditions[baselineModel]) + ": a baseline model sees only the message, not the state."})
	}
	for _, c := range s.Conditions {
		for _, w := range doubts(r.Summary.Partial, s, c) {
			lines = append(lines, line{tone: warn, mark: "!", text: title(c) + ": " + w})
		}
	}
	return lines
}

func doubts(partial bool, s eval.SuiteSummary, c eval.ConditionSummary) []string {
	var texts []string
	switch {
	case c.Trials == 0:
		return []string{"nothing was measured."}
	case partial && c.Trials < finding.PlannedTrials(s):
		texts = append(texts, fmt.Sprintf("only %s of %s ran.", grouped(c.Trials), counted(finding.PlannedTrials(s), "trial")))
	}
	lost := c.Metrics["missing.rate"]
	if known(lost.Value) && *lost.Value > 0 {
		texts = append(texts, fmt.Sprintf("no answer %s%s.", rate(lost), kinds(c)))
	}
	a := c.Metrics["route.accuracy"]
	if a.Missing > 0 && !(known(lost.Value) && *lost.Value > 0) {
		texts = append(texts, fmt.Sprintf("%s of %s unscored.", grouped(a.Missing), grouped(a.N+a.Missing)))
	}
	if a.N == 0 && a.Missing > 0 {
		texts = append(texts, "no decision could be scored.")
	}
	if cached := c.Metrics["cached.rate"]; known(cached.Value) {
		texts = append(texts, fmt.Sprintf("%s of %s were answered from the response cache; their turns have no latency.",
			grouped(int64(math.Round(*cached.Value*float64(cached.N)))), counted(cached.N, "call")))
	}
	if again, of := finding.Retried([]eval.ConditionSummary{c}); again > 0 {
		texts = append(texts, fmt.Sprintf("%s retried, of %s.", counted(again, "failed request"), grouped(of)))
	}
	if c.LabelsWithoutCases > 0 && fault(c) == eval.NoFault {
		texts = append(texts, finding.UnsupportedText(c)+".")
	}
	return append(texts, breaches(c)...)
}

// breaches are of what an agent owes to every user interface.
func breaches(c eval.ConditionSummary) (texts []string) {
	for _, b := range []struct{ metric, text string }{
		{"events.in_order", "events out of order"}, {"genui.conform", "invalid GenUI components"},
	} {
		e := c.Metrics[b.metric]
		if known(e.Value) && *e.Value < 1 {
			wrong := int64(math.Round((1 - *e.Value) * float64(e.N)))
			texts = append(texts, fmt.Sprintf("%s in %s of %s.", b.text, grouped(wrong), counted(e.N, "trial")))
		}
	}
	return texts
}

// kinds lists whose fault the missing answers are.
func kinds(c eval.ConditionSummary) string {
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
