package reports

import (
	"maps"
	"slices"
	"strconv"

	"evalctl/eval"
)

// comparisonCSV renders a comparison as CSV. Each row is one difference or ratio between two
// variants: over all cases, or over one class or tag.
func comparisonCSV(c ComparisonReport) ([]byte, error) {
	rows := [][]string{{"suite", "fault", "run_a", "variant_a", "run_b", "variant_b", "class", "tag", "metric", "value",
		"lo", "hi", "p", "p_holm", "n", "state"}}
	for _, one := range c.Suites {
		for _, v := range one.Pairs {
			a, b := one.Candidates[v.Reference], one.Candidates[v.Candidate]
			keys := []string{escapeFormula(one.Suite), escapeFormula(one.Fault), escapeFormula(a.Run),
				escapeFormula(a.Variant), escapeFormula(b.Run), escapeFormula(b.Variant)}
			rows = append(rows, differenceRows(slices.Concat(keys, []string{"", ""}), v.Difference)...)
			for _, p := range v.Classes {
				rows = append(rows, differenceRows(slices.Concat(keys, []string{escapeFormula(p.Name), ""}),
					p.Difference)...)
			}
			for _, p := range v.Tags {
				rows = append(rows, differenceRows(slices.Concat(keys, []string{"", escapeFormula(p.Name)}),
					p.Difference)...)
			}
		}
	}
	return csvOf(rows)
}

func differenceRows(keys []string, d eval.Difference) (rows [][]string) {
	add := func(metric string, c eval.Contrast, state eval.ComparisonState) {
		if c.Value != nil {
			rows = append(rows, slices.Concat(keys,
				[]string{metric, plainNumber(c.Value), plainNumber(c.Lo), plainNumber(c.Hi),
					plainNumber(c.P), plainNumber(c.AdjustedP), strconv.FormatInt(c.N, 10), string(state)}))
		}
	}
	add("route.accuracy", d.Accuracy, d.State)
	add("route.macro_f1", d.MacroF1, "")
	for _, name := range slices.Sorted(maps.Keys(d.Ratios)) {
		add("ratio "+name, d.Ratios[name], "")
	}
	return rows
}
