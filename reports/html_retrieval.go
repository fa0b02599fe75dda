package reports

import (
	"slices"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
)

// retrievalChart returns the metrics of retrieval and of stated facts, each with a mark for every
// variant on one axis.
func retrievalChart(s eval.SuiteSummary) document.Block {
	conditions := rankedConditions(s)
	keys := slices.DeleteFunc(measuredKeys(conditions), func(k metric.ResolvedKey) bool {
		return k.Group != metric.RetrievalGroup && k.Group != metric.FactsGroup || k.Unit != metric.Share && k.Unit != metric.Score ||
			k.IsSecondary()
	})
	g := document.Table{Keys: 1, Class: "lines", Columns: []document.Column{{Head: "metric"}, {Head: "variant"},
		{Axis: document.ShareAxis(0, 1)}, {Head: "value"}, {Head: "n", Right: true}}}
	for _, k := range keys {
		name := k.RowLabel(s.Epochs)
		measured := slices.DeleteFunc(slices.Clone(conditions),
			func(c eval.ConditionSummary) bool { return !k.IsShown(c.Metrics[k.Name]) })
		for _, group := range groupEqual(measured,
			func(c eval.ConditionSummary) eval.Estimate { return c.Metrics[k.Name] }) {
			e := group.value
			value := document.Cell{Text: k.Format(*e.Value), Tone: document.Strong, Tail: k.FormatInterval(e)}
			if e.Missing > 0 {
				value.Note = thousands(e.Missing) + " missing"
			}
			g.AddRow([]document.Cell{{Text: name}, {Text: text.JoinAnd(group.names)},
				{Marks: document.IntervalMarks(e.Value, e.Lo, e.Hi, document.Plain, true)}, value,
				{Text: thousands(e.N)}})
			name = ""
		}
	}
	if g.Rows() == 0 {
		return document.Block{}
	}
	return document.Block{Heading: "Retrieval and facts", Table: g, Graphics: document.Graphics{
		ID: sectionID(s, "retrieval"), Note: "Variants with the same value share a row."}}
}
