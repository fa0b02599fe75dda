package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// partialText returns the warning that a report covers only a shard or an unfinished run. Subject
// names what is affected, such as "this report".
func partialText(s eval.Summary, subject string) document.Line {
	if s.Shard != nil {
		return document.Line{Tone: document.Warn, Mark: "!",
			Text: fmt.Sprintf(
				"SHARD %d of %d: %s covers only its cases, and gates are not checked. Combine all %d shards with evalctl merge.", s.Shard.Index, s.Shard.Count, subject, s.Shard.Count)}
	}
	return document.Line{Tone: document.Bad, Mark: "✗", Text: "PARTIAL: " + finding.IncompleteNote(s, subject) + "."}
}

// head returns the first block of a report: title, notes and warnings.
func head(r Report) document.Block {
	b := document.Block{Level: 1, Heading: cmp.Or(r.Title, "evalctl run")}
	if r.Summary.Partial {
		b.Lines = append(b.Lines, partialText(r.Summary, "this report"))
	}
	for _, n := range r.Notes {
		b.Lines = append(b.Lines, document.Line{Text: n})
	}
	for _, s := range r.Summary.Suites {
		if text := finding.MixedLatencyNote(s); text != "" {
			b.Lines = append(b.Lines, document.Line{Tone: document.Warn, Mark: "!", Text: s.Name + ": " + text})
		}
		if s.FailedInRun != "" {
			b.Lines = append(b.Lines,
				document.Line{Tone: document.Warn, Mark: "!",
					Text: fmt.Sprintf(
						"%s: only the %s that failed in %s; these metrics do not describe the whole dataset",
						s.Name, plural(s.Cases, "case"), s.FailedInRun)})
		}
		if s.TrainingCases > 0 {
			b.Lines = append(b.Lines,
				document.Line{Mark: "·", Text: fmt.Sprintf(
					"%s: %s of %s in the train split; baseline models never see the case they answer",
					s.Name, thousands(s.TrainingCases), plural(s.Cases, "case"))})
		}
	}
	if len(r.Summary.Suites) == 0 {
		b.Lines = append(b.Lines, document.Line{Tone: document.Bad, Mark: "✗",
			Text: "No suite ran: nothing was measured."})
	}
	return b
}

// foot returns the last block of a report: the duration of the run and the directory of its files.
func foot(r Report) document.Block {
	var b document.Block
	var parts []string
	if r.Duration > 0 {
		parts = append(parts, "took "+metric.FormatElapsed(r.Duration))
	}
	if r.Dir != "" {
		parts = append(parts, "results in "+r.Dir)
	}
	if len(parts) > 0 {
		b.Lines = append(b.Lines, document.Line{Text: strings.Join(parts, " · ")})
	}
	if r.Summary.Partial {
		b.Lines = append(b.Lines, partialText(r.Summary, "this report"))
	}
	return b
}

// runLines describes how the numbers of a suite were obtained: target, dataset, trials, time and
// models.
func runLines(s eval.SuiteSummary) []document.Line {
	var trials int64
	for _, c := range s.Conditions {
		trials += c.Trials
	}
	text := fmt.Sprintf("%s on %s · %s · %s time", s.Target, dataset(s), plural(trials, "trial"),
		cmp.Or(s.Clock, "unknown"))
	if s.DecisionOnly {
		text += " · decision only: no answers are generated, and turns that need one are skipped"
	}
	lines := []document.Line{{Text: text}}
	var models []string
	for _, m := range s.Models {
		text := m.Component + ": " + m.Kind
		if m.Note != "" {
			text += ", " + m.Note
		}
		text += inVariants(m.Variants)
		models = append(models, text)
	}
	if len(models) > 0 {
		lines = append(lines, document.Line{Text: strings.Join(models, " · ")})
	}
	return lines
}

const shownVariants = 3

func inVariants(variants []string) string {
	more := len(variants) - shownVariants
	switch {
	case len(variants) == 0:
		return ""
	case more > 1:
		return fmt.Sprintf(" (in %s and %d more)", strings.Join(variants[:shownVariants], ", "), more)
	}
	return " (in " + strings.Join(variants, ", ") + ")"
}

// dataset describes the cases that ran, for example "intents (test) · sample of 100 of 500 cases".
func dataset(s eval.SuiteSummary) string {
	var parts []string
	if s.Split != "" {
		parts = append(parts, s.Split)
	}
	if len(s.Tags) > 0 {
		parts = append(parts, "tagged "+strings.Join(s.Tags, ", "))
	}
	data := s.Dataset
	if len(parts) > 0 {
		data += " (" + strings.Join(parts, ", ") + ")"
	}
	switch {
	case s.FailedInRun != "":
		return fmt.Sprintf("%s · only %s that failed", data, plural(s.Cases, "case"))
	case s.Cases < s.AvailableCases && s.Sample > 0:
		return fmt.Sprintf("%s · sample of %s of %s", data, thousands(s.Cases), plural(s.AvailableCases, "case"))
	case s.Cases < s.AvailableCases:
		return fmt.Sprintf("%s · first %s of %s", data, thousands(s.Cases), plural(s.AvailableCases, "case"))
	}
	return data + " · " + plural(s.Cases, "case")
}

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
