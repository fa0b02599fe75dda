package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/number"
)

// comparedFigures has a row for every metric that both sides have.
func comparedFigures(c compare.Comparison, v compare.PairResult) block {
	a, b := c.Candidates[v.Reference], c.Candidates[v.Candidate]
	g := grid{keys: 1, columns: []column{{head: "metric"}, {head: "A"}, {head: "B"}, {head: "difference"}, {head: "p (Holm)"}}}
	add := func(name string, was, is eval.Estimate, show func(eval.Estimate) string, difference eval.Contrast, form func(eval.Contrast) string) {
		if nonzero(was) || nonzero(is) {
			g.rows = append(g.rows, []cell{{text: name}, {text: show(was)}, {text: show(is)},
				{text: form(difference), tone: apart(difference)}, {text: probability(difference)}})
		}
	}
	accuracy := func(e eval.Estimate) string { return estimate(e, percent, " %") + ofOthers(e.N, c.Cases) }
	add("accuracy", a.Accuracy, b.Accuracy, accuracy, v.Accuracy, by(number.Points))
	add("macro-F1", a.MacroF1, b.MacroF1, score, v.MacroF1, by(signed))
	add("USD per case", a.CostMean, b.CostMean, price, v.Ratios[compare.CostRatio], factor)
	add("p50", a.P50, b.P50, duration, v.Ratios[compare.P50Ratio], factor)
	add("p95", a.P95, b.P95, duration, v.Ratios[compare.P95Ratio], factor)
	return block{grid: g}
}

// nonzero tells that there is something to show: what costs nothing on either
// side needs no row.
func nonzero(e eval.Estimate) bool { return known(e.Value) && *e.Value != 0 }

// ofOthers is the denominator, where it is not the cases' number.
func ofOthers(n, cases int64) string {
	if n == cases {
		return ""
	}
	return " of " + grouped(n)
}

// contrast shows a difference or ratio with its interval.
func contrast(c eval.Contrast, show func(float64) string) string {
	if !known(c.Value) {
		return unmeasured
	}
	return show(*c.Value) + spanOf(c, show)
}

// apart paints a difference that its family's test has proven.
func apart(c eval.Contrast) tone {
	switch {
	case !known(c.HolmP) || *c.HolmP > 0.05 || !known(c.Value):
		return plain
	case *c.Value < 0:
		return bad
	}
	return good
}

// probability is the p that counts; nothing where there is no test.
func probability(c eval.Contrast) string {
	if !known(c.HolmP) {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(chance(c.HolmP), "p "), "= ")
}

// signed writes a difference of scores: +0.021, −0.003.
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

// factor shows a ratio with its interval.
func factor(c eval.Contrast) string {
	if !known(c.Value) {
		return unmeasured
	}
	return "×" + number.Factor(*c.Value) + spanOf(c, number.Factor)
}

// by shows a difference with its interval, each number as show has it.
func by(show func(float64) string) func(eval.Contrast) string {
	return func(c eval.Contrast) string { return contrast(c, show) }
}

func price(e eval.Estimate) string { return estimate(e, number.USD, "") }

// ranking has a row for each side, the best first.
func ranking(c compare.Comparison) block {
	g := grid{keys: 1, columns: []column{{head: ""}, {head: "accuracy"}, {head: "macro-F1"}, {head: "vs A"}, {head: rankedChanges(c.Epochs), right: true}, {head: "not significantly different from"}}}
	for _, r := range c.Ranking {
		s := c.Candidates[r.Candidate]
		row := []cell{{text: letter(r.Candidate)}, {text: estimate(s.Accuracy, percent, " %") + ofOthers(s.Accuracy.N, c.Cases)}, {text: score(s.MacroF1)}, {text: "first"}, {}, {text: letters(r.NotSignificantlyDifferentFrom)}}
		for _, v := range c.Pairs {
			if v.Reference == 0 && v.Candidate == r.Candidate {
				row[3] = cell{text: shortState(v), tone: apart(v.Accuracy)}
				row[4] = cell{text: "+" + grouped(v.Fixed) + "/−" + grouped(v.Broken)}
			}
		}
		g.rows = append(g.rows, row)
	}
	return block{grid: g}
}

// rankedChanges heads the cases that changed against the first.
func rankedChanges(epochs int) string {
	if epochs > 1 {
		return moreLessRight
	}
	return fixedBroken
}

// ranked says how many comparisons a ranking is of, and how to see the cases of one.
func (c Comparison) ranked(of compare.Comparison) block {
	n := int64(0)
	for _, v := range of.Pairs {
		n = max(n, v.FamilySize)
	}
	text := fmt.Sprintf("Significance (~) is adjusted for %s (Holm)", counted(n, "comparison"))
	if slices.ContainsFunc(of.Pairs, func(v compare.PairResult) bool { return v.Reference == 0 && isUnadjusted(v.Difference) }) {
		text += "; " + unadjustedIntervals
	}
	b := block{lines: []line{{text: text + "."}}}
	first, second := min(of.Ranking[0].Candidate, of.Ranking[1].Candidate), max(of.Ranking[0].Candidate, of.Ranking[1].Candidate)
	words := pairCommand(of, of.Candidates[first], of.Candidates[second])
	if c.Common {
		words = append(words, "--common-cases")
	}
	lead := "Compare two of them case by case, for example " + letter(first) + " and " + letter(second) + ":"
	b.lines = append(b.lines, c.withCommand(line{text: lead}, words)...)
	return b
}

// pairCommand compares two sides alone.
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

// shortState is a difference with its state: «= identical», «~ +0.9».
func shortState(v compare.PairResult) string {
	switch v.State {
	case eval.InsufficientData:
		return unmeasured
	case eval.Identical:
		return "= identical"
	case eval.NotSignificant:
		return "~ " + contrast(v.Accuracy, number.Points)
	}
	return contrast(v.Accuracy, number.Points)
}
