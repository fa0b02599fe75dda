package reports

import (
	"maps"
	"slices"

	"evalctl/eval"
	"evalctl/reports/document"
)

// rows returns one row for each difference or ratio between two variants: over all cases, or over
// one class or tag.
func (c ComparisonReport) rows() *document.Table {
	g := document.ValueTable("suite", "fault", "run_a", "variant_a", "run_b", "variant_b", "class", "tag",
		"metric", "value", "lo",
		"hi", "p", "p_holm", "n", "state")
	for _, one := range c.Suites {
		for _, v := range one.Pairs {
			a, b := one.Candidates[v.Reference], one.Candidates[v.Candidate]
			add := func(class, tag string, d eval.Difference) {
				addDifference(g, []any{one.Suite, one.Fault, a.Run, a.Variant, b.Run, b.Variant, class, tag}, d)
			}
			add("", "", v.Difference)
			for _, p := range v.Classes {
				add(p.Name, "", p.Difference)
			}
			for _, p := range v.Tags {
				add("", p.Name, p.Difference)
			}
		}
	}
	return g
}

func addDifference(g *document.Table, keys []any, d eval.Difference) {
	add := func(metric string, c eval.Contrast, state eval.ComparisonState) {
		if c.Value != nil {
			g.AddValues(append(slices.Clone(keys), metric, c.Value, c.Lo, c.Hi, c.P, c.AdjustedP,
				c.N, string(state))...)
		}
	}
	add("route.accuracy", d.Accuracy, d.State)
	add("route.macro_f1", d.MacroF1, "")
	for _, name := range slices.Sorted(maps.Keys(d.Ratios)) {
		add("ratio "+name, d.Ratios[name], "")
	}
}
