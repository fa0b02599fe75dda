package reports

import (
	"maps"
	"slices"

	"evalctl/eval"
	"evalctl/reports/document"
)

// metricRows returns one row for each metric of each condition, for CSV. A partial run has a row
// with the metric PARTIAL at the top and at the bottom.
func metricRows(s eval.Summary) *document.Table {
	g := document.ValueTable("suite", "variant", "fault", "metric", "value", "lo", "hi", "n", "missing")
	for _, suite := range s.Suites {
		for _, c := range suite.Conditions {
			for _, name := range slices.Sorted(maps.Keys(c.Metrics)) {
				e := c.Metrics[name]
				g.AddValues(suite.Name, c.Variant, c.Fault, name, e.Value, e.Lo, e.Hi, e.N, e.Missing)
			}
		}
	}
	if s.Partial {
		g.MarkPartial("", "", "", "PARTIAL", int64(1))
	}
	return g
}

// conditionRows returns one row for each condition, for CSV. Each metric that any condition has is a
// column with value, interval and n. A partial run has a PARTIAL row at the top and at the bottom.
func conditionRows(s eval.Summary) *document.Table {
	g := document.ValueTable("suite", "variant", "fault", "trials")
	names := measuredAnywhere(s)
	for _, name := range names {
		g.Columns = append(g.Columns, document.Column{Key: name, Estimate: true})
	}
	for _, suite := range s.Suites {
		for _, c := range suite.Conditions {
			row := []any{suite.Name, c.Variant, fault(c), c.Trials}
			for _, name := range names {
				row = append(row, c.Metrics[name])
			}
			g.AddValues(row...)
		}
	}
	if s.Partial {
		g.MarkPartial("PARTIAL")
	}
	return g
}

// measuredAnywhere returns the sorted names of all metrics that have a value in at least one
// condition.
func measuredAnywhere(s eval.Summary) []string {
	found := map[string]struct{}{}
	for _, suite := range s.Suites {
		for _, c := range suite.Conditions {
			for name, e := range c.Metrics {
				if isKnown(e.Value) {
					found[name] = struct{}{}
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}
