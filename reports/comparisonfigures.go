package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/number"
)

// comparedFigures returns the table that compares two variants metric by metric. It omits metrics
// that are unknown or 0 for both.
func comparedFigures(c compare.Comparison, v compare.PairResult) block {
	a, b := c.Candidates[v.Reference], c.Candidates[v.Candidate]
	g := grid{keys: 1, columns: []column{{head: "metric"}, {head: "A"}, {head: "B"}, {head: "difference"},
		{head: "p (Holm)"}}}
	add := func(name string, was, is eval.Estimate, show func(eval.Estimate) string, difference eval.Contrast,
		form func(eval.Contrast) string) {
		if nonzero(was) || nonzero(is) {
			g.addRow([]cell{{text: name}, {text: show(was)}, {text: show(is)},
				{text: form(difference), tone: significanceTone(difference)}, {text: holmPValue(difference)}})
		}
	}
	accuracy := func(e eval.Estimate) string { return estimate(e, percent, " %") + otherDenominator(e.N, c.Cases) }
	add("accuracy", a.Accuracy, b.Accuracy, accuracy, v.Accuracy, withInterval(number.PercentagePoints))
	add("macro-F1", a.MacroF1, b.MacroF1, scoreText, v.MacroF1, withInterval(signed))
	add("USD per case", a.CostMean, b.CostMean, price, v.Ratios[compare.CostRatioKey], factor)
	add("p50", a.P50, b.P50, duration, v.Ratios[compare.P50RatioKey], factor)
	add("p95", a.P95, b.P95, duration, v.Ratios[compare.P95RatioKey], factor)
	return block{grid: g}
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
func significanceTone(c eval.Contrast) tone {
	switch {
	case !isKnown(c.AdjustedP) || *c.AdjustedP > 0.05 || !isKnown(c.Value):
		return plain
	case *c.Value < 0:
		return bad
	}
	return good
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
	text := number.Score(max(v, -v))
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
	return "×" + number.Ratio(*c.Value) + contrastInterval(c, number.Ratio)
}

func withInterval(show func(float64) string) func(eval.Contrast) string {
	return func(c eval.Contrast) string { return contrast(c, show) }
}

func price(e eval.Estimate) string { return estimate(e, number.USD, "") }

// ranking returns the table of a comparison of more than two variants, with one row for each, best
// first.
func ranking(c compare.Comparison) block {
	g := grid{keys: 1, columns: []column{{head: ""}, {head: "accuracy"}, {head: "macro-F1"}, {head: "vs A"},
		{head: rankedChanges(c.Epochs), right: true}, {head: "not significantly different from"}}}
	for _, r := range c.Ranking {
		s := c.Candidates[r.Candidate]
		row := []cell{{text: letter(r.Candidate)},
			{text: estimate(s.Accuracy, percent, " %") + otherDenominator(s.Accuracy.N, c.Cases)},
			{text: scoreText(s.MacroF1)}, {text: "first"}, {}, {text: letters(r.NotSignificantlyDifferentFrom)}}
		for _, v := range c.Pairs {
			if v.Reference == 0 && v.Candidate == r.Candidate {
				row[3] = cell{text: shortState(v), tone: significanceTone(v.Accuracy)}
				row[4] = cell{text: "+" + thousands(v.Fixed) + "/−" + thousands(v.Broken)}
			}
		}
		g.addRow(row)
	}
	return block{grid: g}
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
func (c ComparisonReport) rankingNote(of compare.Comparison) block {
	n := int64(0)
	for _, v := range of.Pairs {
		n = max(n, v.FamilySize)
	}
	text := fmt.Sprintf("Significance (~) is adjusted for %s (Holm)", plural(n, "comparison"))
	if slices.ContainsFunc(of.Pairs,
		func(v compare.PairResult) bool { return v.Reference == 0 && isUnadjusted(v.Difference) }) {
		text += "; " + unadjustedIntervals
	}
	b := block{lines: []line{{text: text + "."}}}
	first, second := min(of.Ranking[0].Candidate, of.Ranking[1].Candidate),
		max(of.Ranking[0].Candidate, of.Ranking[1].Candidate)
	words := pairCommand(of, of.Candidates[first], of.Candidates[second])
	if c.CommonCasesOnly {
		words = append(words, "--common-cases")
	}
	lead := "Compare two of them case by case, for example " + letter(first) + " and " + letter(second) + ":"
	b.lines = append(b.lines, line{text: lead, command: words})
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
		return "~ " + contrast(v.Accuracy, number.PercentagePoints)
	}
	return contrast(v.Accuracy, number.PercentagePoints)
}
