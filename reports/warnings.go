package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// warnings returns the lines that explain why a suite's numbers can be misleading.
func warnings(r Report, s eval.SuiteSummary) []document.Line {
	var lines []document.Line
	if baselineModel := slices.IndexFunc(s.Conditions,
		func(c eval.ConditionSummary) bool { return c.BaselineModel }); s.LabelsDependOnState && baselineModel >= 0 {
		lines = append(lines, document.Line{Tone: document.Warn, Mark: "!",
			Text: title(s.Conditions[baselineModel]) + ": a baseline model sees only the message, not the state."})
	}
	for _, c := range s.Conditions {
		for _, w := range conditionWarnings(r.Summary.Partial, s, c) {
			lines = append(lines, document.Line{Tone: document.Warn, Mark: "!", Text: title(c) + ": " + w})
		}
	}
	return lines
}

func conditionWarnings(partial bool, s eval.SuiteSummary, c eval.ConditionSummary) []string {
	var texts []string
	switch {
	case c.Trials == 0:
		return []string{"nothing was measured."}
	case partial && c.Trials < finding.PlannedTrials(s):
		texts = append(texts, fmt.Sprintf("only %s of %s ran.", thousands(c.Trials),
			plural(finding.PlannedTrials(s), "trial")))
	}
	missing := c.Metrics["missing.rate"]
	if isKnown(missing.Value) && *missing.Value > 0 {
		texts = append(texts, fmt.Sprintf("no answer %s%s.", rateText(missing), errorKinds(c)))
	}
	a := c.Metrics["route.accuracy"]
	if a.Missing > 0 && !(isKnown(missing.Value) && *missing.Value > 0) {
		texts = append(texts, fmt.Sprintf("%s of %s unscored.", thousands(a.Missing), thousands(a.N+a.Missing)))
	}
	if a.N == 0 && a.Missing > 0 {
		texts = append(texts, "no decision could be scored.")
	}
	if a.Missing > 0 && isKnown(a.WorstCase) && isKnown(a.BestCase) {
		texts = append(texts, fmt.Sprintf("with the %s missing, the accuracy could be %s to %s %%.",
			plural(a.Missing, "decision"), percent(*a.WorstCase), percent(*a.BestCase)))
	}
	if cached := c.Metrics["cached.rate"]; isKnown(cached.Value) {
		texts = append(texts, fmt.Sprintf(
			"%s of %s were answered from the response cache; their turns have no latency.",
			thousands(int64(math.Round(*cached.Value*float64(cached.N)))), plural(cached.N, "call")))
	}
	if retried, of := finding.CountRetries([]eval.ConditionSummary{c}); retried > 0 {
		texts = append(texts, fmt.Sprintf("%s retried, of %s.", plural(retried, "failed request"), thousands(of)))
	}
	if c.LabelsWithoutCases > 0 && fault(c) == eval.NoFault {
		texts = append(texts, finding.MacroF1CoverageText(c)+".")
	}
	return append(texts, contractWarnings(c)...)
}

// contractWarnings returns a sentence for each way in which a condition's answers violate the
// output contract of an agent.
func contractWarnings(c eval.ConditionSummary) (texts []string) {
	for _, b := range []struct{ metric, text string }{
		{"events.in_order", "events out of order"}, {"genui.conform", "invalid GenUI components"},
	} {
		e := c.Metrics[b.metric]
		if isKnown(e.Value) && *e.Value < 1 {
			wrong := int64(math.Round((1 - *e.Value) * float64(e.N)))
			texts = append(texts, fmt.Sprintf("%s in %s of %s.", b.text, thousands(wrong), plural(e.N, "trial")))
		}
	}
	return texts
}

// errorKinds counts the trials without an answer by kind of error, as ": timeout 3, provider 1". It
// returns "" if there are none.
func errorKinds(c eval.ConditionSummary) string {
	var parts []string
	for _, k := range eval.ErrorKinds() {
		if e := c.Metrics["errors."+string(k)]; isKnown(e.Value) && *e.Value > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", k, thousands(int64(*e.Value))))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}
