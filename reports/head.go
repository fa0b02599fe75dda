package reports

import (
	"cmp"
	"fmt"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// partialText says what a report is about where it is not about a whole run; where says
// where the figures stand.
func partialText(s eval.Summary, where string) line {
	if s.Shard != nil {
		return line{tone: warn, mark: "!", text: fmt.Sprintf("SHARD %d of %d: %s covers only its cases, and gates are not checked. Combine all %d shards with evalctl merge.", s.Shard.Index, s.Shard.Of, where, s.Shard.Of)}
	}
	return line{tone: bad, mark: "✗", text: "PARTIAL: " + finding.IncompleteNote(s, where) + "."}
}

// head says what the report is about; suites say for themselves what ran.
func head(r Report) block {
	b := block{level: 1, heading: cmp.Or(r.Title, "evalctl run")}
	if r.Summary.Partial {
		b.lines = append(b.lines, partialText(r.Summary, "this report"))
	}
	for _, n := range r.Notes {
		b.lines = append(b.lines, line{text: n})
	}
	for _, s := range r.Summary.Suites {
		if text := finding.MixedLatency(s); text != "" {
			b.lines = append(b.lines, line{tone: warn, mark: "!", text: s.Name + ": " + text})
		}
		if s.FailedIn != "" {
			b.lines = append(b.lines, line{tone: warn, mark: "!", text: fmt.Sprintf("%s: only the %s that failed in %s; these metrics do not describe the whole dataset",
				s.Name, counted(s.Cases, "case"), s.FailedIn)})
		}
		if s.TrainingCases > 0 {
			b.lines = append(b.lines, line{mark: "·", text: fmt.Sprintf("%s: %s of %s in the train split; baseline models never see the case they answer",
				s.Name, grouped(s.TrainingCases), counted(s.Cases, "case"))})
		}
	}
	if len(r.Summary.Suites) == 0 {
		b.lines = append(b.lines, line{tone: bad, mark: "✗", text: "No suite ran: nothing was measured."})
	}
	return b
}

// foot says where to look further.
func foot(r Report) block {
	var b block
	var parts []string
	if r.Duration > 0 {
		parts = append(parts, "took "+number.Elapsed(r.Duration))
	}
	if r.Dir != "" {
		parts = append(parts, "results in "+r.Dir)
	}
	if len(parts) > 0 {
		b.lines = append(b.lines, line{text: strings.Join(parts, " · ")})
	}
	if r.Summary.Partial {
		b.lines = append(b.lines, partialText(r.Summary, "this report"))
	}
	return b
}

// ran says what a suite's numbers are of.
func ran(s eval.SuiteSummary) []line {
	var trials int64
	for _, c := range s.Conditions {
		trials += c.Trials
	}
	text := fmt.Sprintf("%s on %s · %s · %s time", s.Target, dataset(s), counted(trials, "trial"), cmp.Or(s.Time, "unknown"))
	if s.DecisionOnly {
		text += " · decision only: no answers are generated, and turns that need one are skipped"
	}
	lines := []line{{text: text}}
	var models []string
	for _, m := range s.Models {
		text := m.Component + ": " + m.Kind
		if m.Note != "" {
			text += ", " + m.Note
		}
		text += in(m.Variants)
		models = append(models, text)
	}
	if len(models) > 0 {
		lines = append(lines, line{text: strings.Join(models, " · ")})
	}
	return lines
}

// shownVariants is how many a header lists.
const shownVariants = 3

// in lists variants.
func in(variants []string) string {
	more := len(variants) - shownVariants
	switch {
	case len(variants) == 0:
		return ""
	case more > 1:
		return fmt.Sprintf(" (in %s and %d more)", strings.Join(variants[:shownVariants], ", "), more)
	}
	return " (in " + strings.Join(variants, ", ") + ")"
}

// dataset says which cases of a set these are.
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
	case s.FailedIn != "":
		return fmt.Sprintf("%s · only %s that failed", data, counted(s.Cases, "case"))
	case s.Cases < s.AvailableCases && s.Sample > 0:
		return fmt.Sprintf("%s · sample of %s of %s", data, grouped(s.Cases), counted(s.AvailableCases, "case"))
	case s.Cases < s.AvailableCases:
		return fmt.Sprintf("%s · first %s of %s", data, grouped(s.Cases), counted(s.AvailableCases, "case"))
	}
	return data + " · " + counted(s.Cases, "case")
}
