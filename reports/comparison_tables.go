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

// comparedMetric is a metric of two compared variants.
type comparedMetric struct {
	name          string
	before, after eval.Estimate
	show          func(eval.Estimate) string // formats a value with its interval
	difference    eval.Contrast
	ratio         bool                 // the difference is a ratio; lower is better
	form          func(float64) string // formats a number of the difference
}

// Names of compared metrics that some screens treat in their own way.
const (
	accuracyMetric = "accuracy"
	costMetric     = "USD per case"
)

// comparedMetrics returns the metrics by which two variants are compared, without those that are
// unknown or 0 for both.
func comparedMetrics(c compare.Comparison, v compare.PairResult) (list []comparedMetric) {
	a, b := c.Candidates[v.Reference], c.Candidates[v.Candidate]
	accuracy := func(e eval.Estimate) string { return estimate(e, percent, " %") + otherDenominator(e.N, c.Cases) }
	p95 := func(e eval.Estimate) string { return quantileInterval("p95", e) }
	list = []comparedMetric{
		{accuracyMetric, a.Accuracy, b.Accuracy, accuracy, v.Accuracy, false, metric.FormatPoints},
		{"macro-F1", a.MacroF1, b.MacroF1, scoreText, v.MacroF1, false, metric.FormatSignedScore},
		{costMetric, a.CostMean, b.CostMean, price, v.Ratios[compare.CostRatioKey], true, metric.FormatRatio},
		{"p50", a.P50, b.P50, duration, v.Ratios[compare.P50RatioKey], true, metric.FormatRatio},
		{"p95", a.P95, b.P95, p95, v.Ratios[compare.P95RatioKey], true, metric.FormatRatio},
	}
	return slices.DeleteFunc(list, func(m comparedMetric) bool { return !nonzero(m.before) && !nonzero(m.after) })
}

// differenceText formats the difference with its interval.
func (m comparedMetric) differenceText() string {
	text := contrast(m.difference, m.form)
	if m.ratio && text != noValue {
		text = "×" + text
	}
	return text
}

// comparedFigures returns the table that compares two variants metric by metric.
func comparedFigures(c compare.Comparison, v compare.PairResult) document.Block {
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "metric"}, {Head: "A"}, {Head: "B"},
		{Head: "difference"},
		{Head: "p (Holm)"}}}
	for _, m := range comparedMetrics(c, v) {
		g.AddRow([]document.Cell{{Text: m.name}, {Text: m.show(m.before)}, {Text: m.show(m.after)},
			{Text: m.differenceText(), Tone: m.tone()}, {Text: holmPValue(m.difference)}})
	}
	return document.Block{Table: g}
}

// otherDenominator returns " of n" if a rate is not based on all cases of the comparison, otherwise
// "".
func otherDenominator(n, cases int64) string {
	if n == cases {
		return ""
	}
	return " of " + thousands(n)
}

func contrast(c eval.Contrast, show func(float64) string) string {
	if !isKnown(c.Value) {
		return noValue
	}
	return show(*c.Value) + contrastInterval(c, show)
}

// holmPValue formats the Holm-adjusted p-value without "p =". It returns "" if there was no test.
func holmPValue(c eval.Contrast) string {
	if !isKnown(c.AdjustedP) {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(pValue(c.AdjustedP), "p "), "= ")
}

func price(e eval.Estimate) string { return estimate(e, metric.FormatUSD, "") }

// ranking returns the table of a comparison of more than two variants, with one row for each, best
// first.
func ranking(c compare.Comparison) document.Block {
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: ""}, {Head: "accuracy"}, {Head: "macro-F1"},
		{Head: "vs A"},
		{Head: rankedChanges(c.Epochs), Right: true}, {Head: "not significantly different from"}}}
	for _, r := range c.Ranking {
		s := c.Candidates[r.Candidate]
		row := []document.Cell{{Text: letter(r.Candidate)},
			{Text: estimate(s.Accuracy, percent, " %") + otherDenominator(s.Accuracy.N, c.Cases)},
			{Text: scoreText(s.MacroF1)}, {Text: "first"}, {}, {Text: letters(r.NotSignificantlyDifferentFrom)}}
		for _, v := range c.Pairs {
			if v.Reference == 0 && v.Candidate == r.Candidate {
				row[3] = document.Cell{Text: shortState(v), Tone: stateTone(v.State)}
				row[4] = document.Cell{Text: "+" + thousands(v.Fixed) + "/−" + thousands(v.Broken)}
			}
		}
		g.AddRow(row)
	}
	return document.Block{Table: g}
}

// rankedChanges returns the head of the column that counts the cases that changed relative to
// variant A.
func rankedChanges(epochs int) string {
	if epochs > 1 {
		return moreLessRight
	}
	return fixedBroken
}

// rankingNote explains the significance marks of a ranking and suggests the command that compares
// two of its variants case by case.
func (c ComparisonReport) rankingNote(of compare.Comparison) document.Block {
	n := int64(0)
	for _, v := range of.Pairs {
		n = max(n, v.FamilySize)
	}
	text := fmt.Sprintf("Significance (~) is adjusted for %s (Holm)", plural(n, "comparison"))
	if slices.ContainsFunc(of.Pairs,
		func(v compare.PairResult) bool { return v.Reference == 0 && isUnadjusted(v.Difference) }) {
		text += "; " + unadjustedIntervals
	}
	b := document.Block{Lines: []document.Line{{Text: text + "."}}}
	first, second := min(of.Ranking[0].Candidate, of.Ranking[1].Candidate),
		max(of.Ranking[0].Candidate, of.Ranking[1].Candidate)
	words := pairCommand(of, of.Candidates[first], of.Candidates[second])
	if c.CommonCasesOnly {
		words = append(words, "--common-cases")
	}
	lead := "Compare two of them case by case, for example " + letter(first) + " and " + letter(second) + ":"
	b.Lines = append(b.Lines, document.Line{Text: lead, Command: words})
	return b
}

// pairCommand returns the evalctl command that compares only the variants a and b.
func pairCommand(of compare.Comparison, a, b compare.Candidate) []string {
	words := []string{"evalctl", "compare", a.Run}
	switch {
	case a.Run == b.Run:
		words = append(words, "--variant="+a.Variant, "--variant="+b.Variant)
	case a.Variant == b.Variant:
		words = append(words, b.Run, "--variant="+a.Variant)
	default:
		words = append(words, b.Run, "--variant="+a.Variant+"="+b.Variant)
	}
	if a.Suite == b.Suite {
		words = append(words, "--suite="+a.Suite)
	}
	if of.Fault != eval.NoFault {
		words = append(words, "--fault="+of.Fault)
	}
	return words
}

func letters(sides []int) string {
	list := make([]string, len(sides))
	for i, s := range sides {
		list[i] = letter(s)
	}
	return strings.Join(list, " ")
}

// shortState formats the difference of a pair with a mark for its significance: "= identical", "~
// +0.9" (not significant) or "+2.1".
func shortState(v compare.PairResult) string {
	switch v.State {
	case eval.InsufficientData:
		return noValue
	case eval.Identical:
		return "= identical"
	case eval.NotSignificant:
		return "~ " + contrast(v.Accuracy, metric.FormatPoints)
	}
	return contrast(v.Accuracy, metric.FormatPoints)
}

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
				document.Line{Text: fmt.Sprintf("No change in %s: %s", plural(int64(len(same)), what),
					firstNames(same))})
		}
	}
	if slices.ContainsFunc(shown, func(p compare.Breakdown) bool { return isUnadjusted(p.Difference) }) {
		b.Lines = append(b.Lines, document.Line{Text: "~ no significant difference; " + unadjustedIntervals + "."})
	}
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: what}, {Head: "cases", Right: true},
		{Head: share + " A", Right: true},
		{Head: "B", Right: true}, {Head: "difference"}, {Head: "p (Holm)"}}}
	f1 := all[0].F1Reference != nil || all[0].F1Candidate != nil
	if f1 {
		g.Columns = append(g.Columns, document.Column{Head: "F1 A", Right: true},
			document.Column{Head: "F1 B", Right: true})
	}
	for _, p := range shown {
		row := []document.Cell{{Text: named(p.Name)}, {Text: thousands(p.Cases)}, {Text: shareOnly(p.Reference)},
			{Text: shareOnly(p.Candidate)},
			{Text: breakdownState(p), Tone: stateTone(p.State)}, {Text: holmPValue(p.Accuracy)}}
		if f1 {
			row = append(row, document.Cell{Text: scoreOnly(p.F1Reference)},
				document.Cell{Text: scoreOnly(p.F1Candidate)})
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
