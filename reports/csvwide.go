package reports

import (
	"maps"
	"slices"
	"strconv"

	"evalctl/eval"
)

// csvWide has a row for each cell and, for every metric that some cell has, its value,
// its interval and of how many it is. A run that did not end says so at the top and at
// the bottom.
func csvWide(s eval.Summary) ([]byte, error) {
	names := measuredAnywhere(s)
	heads := []string{"suite", "variant", "fault", "trials"}
	for _, name := range names {
		name = guarded(name)
		heads = append(heads, name, name+"_lo", name+"_hi", name+"_n")
	}
	rows := [][]string{heads}
	partial := make([]string, len(heads))
	if partial[0] = "PARTIAL"; s.Partial {
		rows = append(rows, partial)
	}
	for _, suite := range s.Suites {
		for _, c := range suite.Conditions {
			row := []string{guarded(suite.Name), guarded(c.Name), guarded(fault(c)), strconv.FormatInt(c.Trials, 10)}
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

// estimateCells are empty where nothing was measured.
func estimateCells(e eval.Estimate) []string {
	if !known(e.Value) {
		return make([]string, 4)
	}
	return []string{plainNumber(e.Value), plainNumber(e.Lo), plainNumber(e.Hi), strconv.FormatInt(e.N, 10)}
}

// measuredAnywhere names the metrics of which some cell has a value.
func measuredAnywhere(s eval.Summary) []string {
	found := map[string]struct{}{}
	for _, suite := range s.Suites {
		for _, c := range suite.Conditions {
			for name, e := range c.Metrics {
				if known(e.Value) {
					found[name] = struct{}{}
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}
