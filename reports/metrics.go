package reports

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// measuredKeys returns the metrics of the conditions in the order of the catalog.
func measuredKeys(conditions []eval.ConditionSummary) []metric.ResolvedKey {
	keys := map[string]struct{}{}
	for _, c := range conditions {
		for name := range c.Metrics {
			keys[name] = struct{}{}
		}
	}
	return metric.InOrder(slices.Collect(maps.Keys(keys)))
}

// metricTables returns a table for each group of metrics, with a row for each condition that has
// one of them. Classes, nodes and fault matrices have their own tables.
func metricTables(s eval.SuiteSummary, conditions []eval.ConditionSummary) (blocks []document.Block) {
	keys := measuredKeys(conditions)
	for len(keys) > 0 {
		group := keys[0].Group
		n := slices.IndexFunc(keys, func(k metric.ResolvedKey) bool { return k.Group != group })
		if n < 0 {
			n = len(keys)
		}
		if !group.HasOwnTable() {
			if b := groupTable(s, conditions, keys[:n]); b.Table.Rows() > 0 {
				blocks = append(blocks, b)
			}
		}
		keys = keys[n:]
	}
	return blocks
}

func groupTable(s eval.SuiteSummary, conditions []eval.ConditionSummary, keys []metric.ResolvedKey) document.Block {
	shown := func(c eval.ConditionSummary, k metric.ResolvedKey) bool { return k.IsShown(c.Metrics[k.Name]) }
	conditions = slices.DeleteFunc(slices.Clone(conditions), func(c eval.ConditionSummary) bool {
		return !slices.ContainsFunc(keys, func(k metric.ResolvedKey) bool { return shown(c, k) })
	})
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: "variant"}}}
	for i := range conditions {
		g.AddRow([]document.Cell{{Text: shortKey(conditions, i)}})
	}
	for _, k := range keys {
		if !slices.ContainsFunc(conditions, func(c eval.ConditionSummary) bool { return shown(c, k) }) {
			continue
		}
		column := document.Column{Head: k.ColumnHeading(s.Epochs), Right: true}
		for _, c := range conditions {
			e := c.Metrics[k.Name]
			column.Cells = append(column.Cells, metricCell(k.Def, e))
			if isKnown(e.Value) && k.FormatInterval(e) != "" {
				column.TailHead = "[95 %]"
			}
		}
		g.Columns = append(g.Columns, column)
	}
	heading := keys[0].Group.String()
	if keys[0].Requirements&metric.OOSLabel != 0 {
		heading += ": " + s.OOSLabel
	}
	return document.Block{
		Level:   3,
		Heading: heading,
		Lines:   graderRemarks(conditions, keys),
		Table:   g,
	}
}

// metricCell formats an estimate with its interval, its denominator and the number of missing
// values.
func metricCell(d metric.Def, e eval.Estimate) document.Cell {
	if !isKnown(e.Value) {
		return document.Cell{Text: noValue}
	}
	c := document.Cell{Text: strings.TrimPrefix(d.Format(*e.Value), "USD "), Tail: d.FormatInterval(e)}
	add := func(text string) {
		if c.Tail != "" {
			c.Tail += " "
		}
		c.Tail += text
	}
	if d.IsCounted() || d.Kind == metric.Mean {
		add("n=" + thousands(e.N))
	}
	if e.Missing > 0 {
		add(thousands(e.Missing) + " missing")
	}
	return c
}

// rankedColumns returns a column for each metric that the catalog ranks for the first screen. The
// accuracy has a column of its own.
func rankedColumns(s eval.SuiteSummary, conditions []eval.ConditionSummary) (columns []document.Column) {
	for _, k := range measuredKeys(conditions) {
		if k.Priority == 0 {
			continue
		}
		columns = append(columns, rankedColumn(s, conditions, k))
	}
	return columns
}

func rankedColumn(s eval.SuiteSummary, conditions []eval.ConditionSummary, k metric.ResolvedKey) document.Column {
	return document.Column{
		Head:  k.ColumnHeading(s.Epochs),
		Right: true,
		Rank:  k.Priority,
		Cells: each(conditions, func(c eval.ConditionSummary) document.Cell {
			return document.Cell{Text: briefText(k.Def, c.Metrics[k.Name])}
		}),
	}
}

// briefText formats an estimate for a narrow column: without its interval, and shares of a small
// sample as counts. It returns "" if tables do not show the estimate.
func briefText(d metric.Def, e eval.Estimate) string {
	switch {
	case d.Key == "route.pass_k":
		return inAllEpochs(e)
	case !d.IsShown(e):
		return ""
	case d.IsCounted():
		return finding.FormatShare(e)
	}
	return strings.TrimPrefix(d.FormatValue(e), "USD ")
}

// graderRemarks states how often the model that grades facts disagrees with the simple comparison
// of words. It returns nil if the metrics are not those of facts.
func graderRemarks(conditions []eval.ConditionSummary, keys []metric.ResolvedKey) (lines []document.Line) {
	const agreement = "facts.grader_agreement"
	if !slices.ContainsFunc(keys, func(k metric.ResolvedKey) bool { return k.Name == agreement }) {
		return nil
	}
	for _, c := range conditions {
		e := c.Metrics[agreement]
		if fault(c) != eval.NoFault || !isKnown(e.Value) || *e.Value == 1 {
			continue
		}
		differ := e.N - int64(*e.Value*float64(e.N)+0.5)
		lines = append(lines, document.Line{Text: fmt.Sprintf(
			"%s: the grader and the word comparison disagree on %s of %s.",
			title(c), thousands(differ), plural(e.N, "fact"))})
	}
	return lines
}
