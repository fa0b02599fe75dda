package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/metric"
	"evalctl/reports/document"
)

// breakdown returns a table of the classes or tags whose accuracy changed. A sentence names the
// others. It returns nil for fewer than two classes or tags.
func (c ComparisonReport) breakdown(what, share string, all []compare.Breakdown) []document.Block {
	if len(all) < 2 {
		return nil
	}
	shown := all
	var b document.Block
	if !c.ShowAll {
		var same []string
		shown = nil
		for _, p := range all {
			if p.HasChanged() {
				shown = append(shown, p)
			} else {
				same = append(same, named(p.Name))
			}
		}
		if n := len(shown); n > maxBreakdownRows {
			shown = shown[:maxBreakdownRows]
			b.Lines = append(b.Lines,
				document.Line{Text: fmt.Sprintf("%d of %s with a change; --all shows the others.", maxBreakdownRows,
					plural(int64(n), what))})
		}
		if len(same) > 0 {
			b.Lines = append(b.Lines,
				document.Line{Text: fmt.Sprintf("No change in %s: %s", plural(int64(len(same)), what), firstNames(same))})
		}
	}
	if slices.ContainsFunc(shown, func(p compare.Breakdown) bool { return isUnadjusted(p.Difference) }) {
		b.Lines = append(b.Lines, document.Line{Text: "~ no significant difference; " + unadjustedIntervals + "."})
	}
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: what}, {Head: "cases", Right: true}, {Head: share + " A", Right: true},
		{Head: "B", Right: true}, {Head: "difference"}, {Head: "p (Holm)"}}}
	f1 := all[0].F1Reference != nil || all[0].F1Candidate != nil
	if f1 {
		g.Columns = append(g.Columns, document.Column{Head: "F1 A", Right: true}, document.Column{Head: "F1 B", Right: true})
	}
	for _, p := range shown {
		row := []document.Cell{{Text: named(p.Name)}, {Text: thousands(p.Cases)}, {Text: shareOnly(p.Reference)},
			{Text: shareOnly(p.Candidate)},
			{Text: breakdownState(p), Tone: significanceTone(p.Accuracy)}, {Text: holmPValue(p.Accuracy)}}
		if f1 {
			row = append(row, document.Cell{Text: scoreOnly(p.F1Reference)}, document.Cell{Text: scoreOnly(p.F1Candidate)})
		}
		g.AddRow(row)
	}
	b.Table = g
	return []document.Block{b}
}

func breakdownState(p compare.Breakdown) string {
	return shortState(compare.PairResult{Difference: p.Difference})
}

// shareOnly formats a share without its interval, because the table shows the interval of the
// difference.
func shareOnly(e eval.Estimate) string {
	if !isKnown(e.Value) {
		return noValue
	}
	return metric.FormatShare(*e.Value)
}

func scoreOnly(v *float64) string {
	if !isKnown(v) {
		return noValue
	}
	return metric.FormatScore(*v)
}

// changedCaseLines lists the cases that only one of two variants gets right, each with the command
// that shows the case.
func (c ComparisonReport) changedCaseLines(of compare.Comparison, v compare.PairResult, kind string,
	all []compare.ChangedCase) []document.Block {
	if len(all) == 0 {
		return nil
	}
	b := document.Block{Level: 3, Heading: fmt.Sprintf("%s: %s", kind, plural(int64(len(all)), "case"))}
	shown := all
	if len(all) > maxChangedCases && !c.ShowAll {
		shown = all[:maxChangedCases]
		b.Heading += fmt.Sprintf("; first %d shown, --all shows the others", maxChangedCases)
	}
	for _, f := range shown {
		one := document.Line{Mark: "·", Text: fmt.Sprintf("%s expects %s: %s → %s", flipName(f),
			strings.Join(f.Expected, " or "), predictionText(f.Reference), predictionText(f.Candidate))}
		one.Command = flipCommand(of, of.Candidates[v.Candidate], f)
		b.Lines = append(b.Lines, one)
	}
	return []document.Block{b}
}

// flipName returns the id of the case and, for a conversation, the turn that changed.
func flipName(f compare.ChangedCase) string {
	if f.Turn == 0 {
		return f.Case
	}
	return fmt.Sprintf("%s, turn %d,", f.Case, f.Turn)
}

func firstNames(names []string) string {
	if more := len(names) - maxBreakdownRows; more > 0 {
		return strings.Join(names[:maxBreakdownRows], ", ") + " and " + thousands(int64(more)) + " more"
	}
	return strings.Join(names, ", ")
}

// flipCommand returns the evalctl command that shows the trace of a changed case; nil if the run's
// traces are not available.
func flipCommand(of compare.Comparison, s compare.Candidate, f compare.ChangedCase) []string {
	if s.Dir == "" {
		return nil
	}
	words := showCommand(s.Dir, f.Case, s.Variant)
	if of.Fault != eval.NoFault {
		words = slices.Insert(words, 2, "--fault="+of.Fault)
	}
	return words
}

// predictionText lists the predicted labels of a case. With several epochs it adds how many of them
// were right.
func predictionText(a compare.CaseAnswers) string {
	var labels []string
	for _, l := range a.Labels {
		labels = append(labels, named(l))
	}
	text := strings.Join(labels, ", ")
	if a.Scored > 1 {
		text += " (" + strconv.FormatInt(a.Correct, 10) + " of " + strconv.FormatInt(a.Scored, 10) + " right)"
	}
	return text
}
