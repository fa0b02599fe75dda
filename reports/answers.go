package reports

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
)

// answers shows what is judged of a suite's answers besides the route. Nothing
// where nothing is.
func answers(cells []eval.ConditionSummary) []block {
	g := grid{keys: 1, columns: []column{{head: "variant"}}}
	for _, c := range cells {
		g.rows = append(g.rows, []cell{{text: title(c)}})
	}
	g.add(contents(cells), cells)
	g.joint = len(g.columns)
	if g.add(contracts(), cells); len(g.columns) == g.keys {
		return nil
	}
	return []block{{level: 3, heading: "Answers", grid: g}}
}

// contents are what the answers are about: further labels, the slots that some case
// labels, and what was found.
func contents(cells []eval.ConditionSummary) []figure {
	list := furtherSides(cells)
	for _, name := range starting("slots.", cells) {
		list = append(list, figure{head: strings.TrimPrefix(name, "slots."), show: metric(name, rate), wanted: measured(name)})
	}
	list = append(list,
		figure{head: "hit rate", show: metric("retrieval.hit_rate", rate), wanted: measured("retrieval.hit_rate")},
		figure{head: "recall@5", show: metric(eval.RecallScore, recalled), wanted: func(c eval.ConditionSummary) bool { return measured(eval.RecallScore)(c) && !ranked(c) }},
		figure{head: "valid form", show: metric("form.conformity", rate), wanted: measured("form.conformity")})
	for _, name := range starting("form.conformity.", cells) {
		list = append(list, figure{head: "form: " + strings.TrimPrefix(name, "form.conformity."), show: metric(name, rate), wanted: measured(name)})
	}
	return list
}

// recalled shows a mean share, and of how many trials it is.
func recalled(e eval.Estimate) string { return outOf(e, estimate(e, percent, " %"), "unscored") }

// starting lists the metrics whose names begin so, those of most trials first
// and equal ones by name.
func starting(prefix string, cells []eval.ConditionSummary) []string {
	most := map[string]int64{}
	for _, c := range cells {
		for name, e := range c.Metrics {
			if strings.HasPrefix(name, prefix) {
				most[name] = max(most[name], e.N)
			}
		}
	}
	return slices.SortedFunc(maps.Keys(most), func(a, b string) int {
		return cmp.Or(cmp.Compare(most[b], most[a]), cmp.Compare(a, b))
	})
}

// contracts are what an agent owes to every user interface; a warning tells of
// each breach, so that a brief table may leave them out.
func contracts() []figure {
	return []figure{
		{head: "events in order", show: metric("events.in_order", rate), wanted: measured("events.in_order")},
		{head: "GenUI valid", show: metric("genui.conform", rate), wanted: measured("genui.conform")},
	}
}
