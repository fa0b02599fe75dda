package reports

import "evalctl/eval"

// answers shows what is judged of a suite's answers besides the route. Nothing
// where nothing is.
func answers(cells []eval.CellSummary, brief bool) []block {
	g := grid{keys: 1, brief: brief, columns: []column{{head: "variant"}}}
	for _, c := range cells {
		g.rows = append(g.rows, []cell{{text: title(c)}})
	}
	g.add(contents(), cells)
	g.joint = len(g.columns)
	if g.add(contracts(), cells); len(g.columns) == g.keys {
		return nil
	}
	return []block{{level: 3, heading: "Answers", grid: g}}
}

// contents are what the answers are about.
func contents() []figure {
	return []figure{
		{head: "subject", show: metric("slots.subject", rate), wanted: measured("slots.subject")},
		{head: "style", show: metric("slots.style", rate), wanted: measured("slots.style")},
		{head: "retrieval hits", show: metric("retrieval.hit_rate", rate), wanted: measured("retrieval.hit_rate")},
	}
}

// contracts are what an agent owes to every user interface; a warning tells of
// each breach, so that a brief table may leave them out.
func contracts() []figure {
	return []figure{
		{head: "events in order", show: metric("events.in_order", rate), wanted: measured("events.in_order")},
		{head: "GenUI conform", show: metric("genui.conform", rate), wanted: measured("genui.conform")},
	}
}
