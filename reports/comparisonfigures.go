package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/metric"
	"evalctl/reports/document"
)

// comparedFigures returns the table that compares two variants metric by metric. It omits metrics
// that are unknown or 0 for both.
func comparedFigures(c compare.Comparison, v compare.PairResult) document.Block {
	a, b := c.Candidates[v.Reference], c.Candidates[v.Candidate]
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "metric"}, {Head: "A"}, {Head: "B"}, {Head: "difference"},
		{Head: "p (Holm)"}}}
	add := func(name string, was, is eval.Estimate, show func(eval.Estimate) string, difference eval.Contrast,
		form func(eval.Contrast) string) {
		if nonzero(was) || nonzero(is) {
			g.AddRow([]document.Cell{{Text: name}, {Text: show(was)}, {Text: show(is)},
				{Text: form(difference), Tone: significanceTone(difference)}, {Text: holmPValue(difference)}})
		}
	}
	accuracy := func(e eval.Estimate) string { return estimate(e, percent, " %") + otherDenominator(e.N, c.Cases) }
	add("accuracy", a.Accuracy, b.Accuracy, accuracy, v.Accuracy, withInterval(metric.FormatPoints))
	add("macro-F1", a.MacroF1, b.MacroF1, scoreText, v.MacroF1, withInterval(signed))
	add("USD per case", a.CostMean, b.CostMean, price, v.Ratios[compare.CostRatioKey], factor)
	add("p50", a.P50, b.P50, duration, v.Ratios[compare.P50RatioKey], factor)
	add("p95", a.P95, b.P95, duration, v.Ratios[compare.P95RatioKey], factor)
	return document.Block{Table: g}
}

func nonzero(e eval.Estimate) bool { return isKnown(e.Value) && *e.Value != 0 }

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

// significanceTone returns the color of a difference: good or bad if it is significant after the
// Holm correction, otherwise plain.
func significanceTone(c eval.Contrast) document.Tone {
	switch {
	case !isKnown(c.AdjustedP) || *c.AdjustedP > 0.05 || !isKnown(c.Value):
		return document.Plain
	case *c.Value < 0:
		return document.Bad
	}
	return document.Good
}

// holmPValue formats the Holm-adjusted p-value without "p =". It returns "" if there was no test.
func holmPValue(c eval.Contrast) string {
	if !isKnown(c.AdjustedP) {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(pValue(c.AdjustedP), "p "), "= ")
}

// signed formats a difference of scores, such as +0.021 or −0.003.
func signed(v float64) string {
	text := metric.FormatScore(max(v, -v))
	switch {
	case v < 0:
		return "−" + text
	case v > 0:
		return "+" + text
	}
	return "0"
}

// factor formats a ratio with its interval.
func factor(c eval.Contrast) string {
	if !isKnown(c.Value) {
		return noValue
	}
	return "×" + metric.FormatRatio(*c.Value) + contrastInterval(c, metric.FormatRatio)
}

func withInterval(show func(float64) string) func(eval.Contrast) string {
	return func(c eval.Contrast) string { return contrast(c, show) }
}

func price(e eval.Estimate) string { return estimate(e, metric.FormatUSD, "") }

// ranking returns the table of a comparison of more than two variants, with one row for each, best
// first.
func ranking(c compare.Comparison) document.Block {
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: ""}, {Head: "accuracy"}, {Head: "macro-F1"}, {Head: "vs A"},
		{Head: rankedChanges(c.Epochs), Right: true}, {Head: "not significantly different from"}}}
	for _, r := range c.Ranking {
		s := c.Candidates[r.Candidate]
		row := []document.Cell{{Text: letter(r.Candidate)},
			{Text: estimate(s.Accuracy, percent, " %") + otherDenominator(s.Accuracy.N, c.Cases)},
			{Text: scoreText(s.MacroF1)}, {Text: "first"}, {}, {Text: letters(r.NotSignificantlyDifferentFrom)}}
		for _, v := range c.Pairs {
			if v.Reference == 0 && v.Candidate == r.Candidate {
				row[3] = document.Cell{Text: shortState(v), Tone: significanceTone(v.Accuracy)}
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
