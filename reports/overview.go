package reports

import (
	"slices"

	"evalctl/eval"
)

// figure is a column of the overview. Their order is such that a table that is
// folded at 80 columns has what belongs together side by side.
type figure struct {
	head     string
	show     func(eval.CellSummary) string
	optional bool // left out where no cell has it
}

func figures() []figure {
	of := func(name string, show func(eval.Estimate) string) func(eval.CellSummary) string {
		return func(c eval.CellSummary) string { return show(c.Metrics[name]) }
	}
	return []figure{
		{"accuracy", of("route.accuracy", rate), false},
		{"missing", unanswered, false},
		{"macro-F1", of("route.macro_f1", score), false},
		{"fallback", of("fallback.rate", rate), false},
		{"correct fallback", of("fallback.correct", rate), true},
		{"recovered", of("fallback.recovered", rate), true},
		{"apologies", of("apology.rate", some), true},
		{"subject", of("slots.subject", rate), true},
		{"style", of("slots.style", rate), true},
		{"retrieval hits", of("retrieval.hit_rate", rate), true},
		{"events in order", of("events.in_order", rate), true},
		{"GenUI conform", of("genui.conform", rate), true},
		{"p50 ms", of("latency.p50", millis), false},
		{"p95 ms", of("latency.p95", millis), false},
		{"TTFT p50 ms", of("ttft.p50", millis), true},
		{"calls", of("calls.mean", mean), false},
		{"worst–best", of("route.accuracy", bounds), true},
	}
}

// some is a rate that is of interest only where it is not 0.
func some(e eval.Estimate) string {
	if known(e.Value) && *e.Value == 0 {
		return unmeasured
	}
	return rate(e)
}

// unanswered is missing from the accuracy, or from the trials of a suite that
// does not judge decisions.
func unanswered(c eval.CellSummary) string {
	if text := missing(c.Metrics["route.accuracy"]); text != unmeasured {
		return text
	}
	e := c.Metrics["missing.rate"]
	if !known(e.Value) {
		return unmeasured
	}
	lost := int64(*e.Value*float64(e.N) + 0.5)
	return missing(eval.Estimate{N: e.N - lost, Missing: lost})
}

// overview has a row for every variant and fault of a suite.
func overview(s eval.SuiteSummary) block {
	g := grid{keys: 2, columns: []column{{head: "variant"}, {head: "fault"}}}
	for i, c := range s.Variants {
		g.rows = append(g.rows, []cell{{text: c.Name}, {text: fault(c)}})
		g.narrow = append(g.narrow, shortKey(s.Variants, i))
	}
	for _, f := range figures() {
		var texts []string
		for _, c := range s.Variants {
			texts = append(texts, f.show(c))
		}
		if f.optional && !slices.ContainsFunc(texts, func(t string) bool { return t != unmeasured }) {
			continue
		}
		g.columns = append(g.columns, column{head: f.head})
		for i, text := range texts {
			g.rows[i] = append(g.rows[i], cell{text: text})
		}
	}
	return block{level: 2, heading: s.Name, lines: ran(s), grid: g}
}

func fault(c eval.CellSummary) string {
	if c.Fault == "" {
		return eval.NoFault
	}
	return c.Fault
}

// title names a cell: the variant, and the fault if there is one.
func title(c eval.CellSummary) string {
	if fault(c) == eval.NoFault {
		return c.Name
	}
	return c.Name + " + " + c.Fault
}

// shortKey leaves out the variant where the row above has it.
func shortKey(cells []eval.CellSummary, i int) string {
	if i > 0 && cells[i-1].Name == cells[i].Name && fault(cells[i]) != eval.NoFault {
		return "+ " + cells[i].Fault
	}
	return title(cells[i])
}
