package reports

import "evalctl/eval"

// figures of the overview. Their order is such that a table that is folded at
// 80 columns has what belongs together side by side.
func figures() []figure {
	return []figure{
		{"accuracy", metric("route.accuracy", rate), nil},
		{"missing", unanswered, nil},
		{"macro-F1", metric("route.macro_f1", score), nil},
		{"fallback", metric("fallback.rate", rate), nil},
		{"correct fallback", metric("fallback.correct", rate), measured("fallback.correct")},
		{"recovered", metric("fallback.recovered", rate), measured("fallback.recovered")},
		{"apologies", metric("apology.rate", rate), apologises},
		{"p50 ms", metric("latency.p50", millis), nil},
		{"p95 ms", metric("latency.p95", millis), nil},
		{"TTFT p50 ms", metric("ttft.p50", millis), measured("ttft.p50")},
		{"calls", metric("calls.mean", mean), nil},
		{"USD", metric("cost.usd", dollars), measured("cost.usd")},
		{"worst–best", metric("route.accuracy", bounds), bounded},
	}
}

// apologises is false for a system that never does.
func apologises(c eval.CellSummary) bool {
	e := c.Metrics["apology.rate"]
	return known(e.Value) && *e.Value > 0
}

func bounded(c eval.CellSummary) bool {
	e := c.Metrics["route.accuracy"]
	return known(e.Worst) && known(e.Best)
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
	g.add(figures(), s.Variants)
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
