package reports

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
)

// corrections returns a table of the reasons why decisions of a supervisor (an agent that decides
// which agent acts next) were corrected, or its agent called again. It has one row for each reason
// and one column for each condition. It returns nil if there are no reasons.
func corrections(conditions []eval.ConditionSummary) []document.Block {
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "correction"}}}
	for _, c := range conditions {
		g.Columns = append(g.Columns, document.Column{Head: title(c)})
	}
	for _, of := range []struct{ family, then string }{
		{"supervisor.correction_rate.", "corrected"},
		{"supervisor.called_again_rate.", "called again"},
	} {
		for _, name := range metricsWithPrefix(of.family, conditions) {
			row := []document.Cell{{Text: strings.TrimPrefix(name, of.family) + ": " + of.then}}
			for _, c := range conditions {
				row = append(row, document.Cell{Text: rateText(c.Metrics[name])})
			}
			g.AddRow(row)
		}
	}
	if g.Rows() == 0 {
		return nil
	}
	return []document.Block{{Level: 3, Heading: "Corrections", Table: g}}
}

// metricsWithPrefix lists the metrics with a name prefix, sorted by number of trials (most first),
// then by name.
func metricsWithPrefix(prefix string, conditions []eval.ConditionSummary) []string {
	most := map[string]int64{}
	for _, c := range conditions {
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
