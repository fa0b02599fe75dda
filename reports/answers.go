package reports

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
)

// answers returns the table of answer metrics other than the route. It returns nil if no such
// metric was measured.
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

// contents lists the metrics of the content of answers: further labels, labeled slots, retrieval
// and form.
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

// recalled formats a mean share with its number of trials.
func recalled(e eval.Estimate) string { return outOf(e, estimate(e, percent, " %"), "unscored") }

// starting lists the metrics with a name prefix, sorted by number of trials (most first), then by
// name.
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

// contracts lists the metrics of the output contract: event order and valid GenUI components. A
// warning reports each violation, so short tables may omit them.
func contracts() []figure {
	return []figure{
		{head: "events in order", show: metric("events.in_order", rate), wanted: measured("events.in_order")},
		{head: "GenUI valid", show: metric("genui.conform", rate), wanted: measured("genui.conform")},
	}
}
