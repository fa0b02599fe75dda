package reports

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
)

// evidence shows what the answers of a suite's cells stand on, and what goes on beside
// them: what was found, which facts are stated, and what a cache and compressed sessions
// are worth. Nothing of what nobody measured.
func evidence(cells []eval.ConditionSummary) []block {
	return slices.Concat(
		measures(cells, "Retrieval", "Means over the cases with expected items. recall@k is the share of them among the first k results. MRR is 1 over the rank of the first one.", sought(), nil),
		measures(cells, "Facts", "Means over the cases with facts: the share that the answer states. The column facts ignores width, spaces, punctuation and number formats. The column verbatim does not.", stated(), graders),
		measures(cells, "Cache and sessions", "Cache hits are a share of lookups; calls saved are per trial. Compressed sessions: the share of tokens left, and of the labeled facts of earlier turns that remain.", beside(), nil))
}

// measures is a block with a row for each cell that has one of the figures.
func measures(cells []eval.ConditionSummary, heading, text string, list []figure, remarks func([]eval.ConditionSummary) []line) []block {
	has := func(c eval.ConditionSummary) bool {
		return slices.ContainsFunc(list, func(f figure) bool { return f.wanted(c) })
	}
	cells = slices.DeleteFunc(slices.Clone(cells), func(c eval.ConditionSummary) bool { return !has(c) })
	if len(cells) == 0 {
		return nil
	}
	g := grid{keys: 1, columns: []column{{head: "variant"}}}
	for _, c := range cells {
		g.rows = append(g.rows, []cell{{text: title(c)}})
	}
	g.add(list, cells)
	b := block{level: 3, heading: heading, lines: []line{{text: text}}, grid: g}
	if remarks != nil {
		b.lines = append(b.lines, remarks(cells)...)
	}
	return []block{b}
}

// ranked tells a cell of which it is known how soon something was found; recall at 5
// alone stands among the answers.
var ranked = measured(eval.MRRScore)

func sought() (list []figure) {
	for _, first := range eval.RecallDepths() {
		name := eval.RecallAt(first)
		list = append(list, figure{head: fmt.Sprintf("recall@%d", first), show: metric(name, recalled), wanted: func(c eval.ConditionSummary) bool { return ranked(c) && measured(name)(c) }})
	}
	mrr := func(e eval.Estimate) string { return outOf(e, score(e), "unscored") }
	return append(list, figure{head: "MRR", show: metric(eval.MRRScore, mrr), wanted: ranked})
}

func stated() []figure {
	kappa := func(e eval.Estimate) string { return outOf(e, score(e), "ungraded") }
	return []figure{
		{head: "verbatim", show: metric(eval.VerbatimScore, recalled), wanted: measured(eval.VerbatimScore)},
		{head: "facts", show: metric(eval.CoverageScore, recalled), wanted: measured(eval.CoverageScore)},
		{head: "graded", show: metric(eval.GradedScore, recalled), wanted: measured(eval.GradedScore)},
		{head: "grader agrees", show: metric(agreement, judged), wanted: measured(agreement)},
		{head: "κ", show: metric("facts.grader_kappa", kappa), wanted: measured("facts.grader_kappa")},
		{head: "grading USD", show: metric("facts.grader.cost", usd), wanted: measured("facts.grader.cost")},
	}
}

const agreement = "facts.grader_agreement"

// graders say how far a cell's grader is from the words of the answers.
func graders(cells []eval.ConditionSummary) (lines []line) {
	for _, c := range cells {
		e := c.Metrics[agreement]
		if fault(c) != eval.NoFault || !known(e.Value) || *e.Value == 1 {
			continue
		}
		differ := e.N - int64(*e.Value*float64(e.N)+0.5)
		lines = append(lines, line{text: fmt.Sprintf("%s: the grader and the word comparison disagree on %s of %s.", title(c), grouped(differ), counted(e.N, "fact"))})
	}
	return lines
}

func beside() []figure {
	total := func(e eval.Estimate) string { return whole(e) }
	return []figure{
		{head: "cache hits", show: metric("cache.hit_rate", rate), wanted: measured("cache.hit_rate")},
		{head: "calls saved", show: metric("cache.calls_saved", mean), wanted: measured("cache.calls_saved")},
		{head: "cache errors", show: metric("cache.errors", total), wanted: isSome("cache.errors")},
		{head: "history left", show: metric("compression.ratio", recalled), wanted: measured("compression.ratio")},
		{head: "facts kept", show: metric(eval.FactsKeptScore, recalled), wanted: measured(eval.FactsKeptScore)},
	}
}

// isSome tells a cell in which there is some of what is counted.
func isSome(name string) func(eval.ConditionSummary) bool {
	return func(c eval.ConditionSummary) bool { v := c.Metrics[name].Value; return known(v) && *v > 0 }
}

// isParallel tells a cell in which several model calls were under way at once.
func isParallel(c eval.ConditionSummary) bool {
	v := c.Metrics["calls.peak"].Value
	return known(v) && *v > 1
}

// furtherSides are the shares that are about further labels, where no supervisor's are
// shown with its own.
func furtherSides(cells []eval.ConditionSummary) (list []figure) {
	if slices.ContainsFunc(cells, isSupervised) {
		return nil
	}
	for _, name := range furtherLabels(cells) {
		list = append(list, figure{head: strings.TrimSuffix(name, accuracyOf), show: metric(name, judged), wanted: measured(name)})
	}
	return list
}
