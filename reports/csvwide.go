package reports

import (
	"maps"
	"slices"
	"strconv"

	"evalctl/eval"
)

// csvWide renders a summary as CSV with one row for each condition. Each metric that any condition
// has gets columns for value, interval and n. A partial run has a PARTIAL row at the top and at the
// bottom.
func csvWide(s eval.Summary) ([]byte, error) {
	names := measuredAnywhere(s)
	heads := []string{"suite", "variant", "fault", "trials"}
	for _, name := range names {
		name = escapeFormula(name)
		heads = append(heads, name, name+"_lo", name+"_hi", name+"_n")
	}
	rows := [][]string{heads}
	partial := make([]string, len(heads))
	if partial[0] = "PARTIAL"; s.Partial {
		rows = append(rows, partial)
	}
	for _, suite := range s.Suites {
		for _, c := range suite.Conditions {
			row := []string{escapeFormula(suite.Name), escapeFormula(c.Variant), escapeFormula(fault(c)),
				strconv.FormatInt(c.Trials, 10)}
			for _, name := range names {
				row = append(row, estimateCells(c.Metrics[name])...)
			}
			rows = append(rows, row)
		}
	}
	if s.Partial {
		rows = append(rows, partial)
	}
	return csvOf(rows)
}

// estimateCells returns the four cells of a metric: value, lower bound, upper bound and n. All are
// empty if the value is unknown.
func estimateCells(e eval.Estimate) []string {
	if !isKnown(e.Value) {
		return make([]string, 4)
	}
	return []string{plainNumber(e.Value), plainNumber(e.Lo), plainNumber(e.Hi), strconv.FormatInt(e.N, 10)}
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
