package reports

import (
	"strings"

	"evalctl/eval"
	"evalctl/reports/document"
)

// confidencePanels returns the data of the JSON confidence report. For each variant it contains
// ECE, Brier score and AUROC, followed by the rows that the CSV format also has.
func confidencePanels(s eval.Summary) (list []document.Block) {
	for _, suite := range s.Suites {
		for _, c := range confidenceConditions(suite) {
			p := document.Block{Suite: suite.Name, Variant: c.Variant,
				Table: document.Table{Keys: 1, Columns: []document.Column{{Key: "series"}, {Key: "from"}, {Key: "to"},
					{Key: "mean_confidence"},
					{Key: "value"}}}}
			for _, name := range confidenceFigures() {
				p.Table.AddRow([]document.Cell{{Value: strings.TrimPrefix(name, "confidence.")}, {}, {}, {},
					{Value: c.Metrics[name]}})
			}
			if c.Confidence != nil {
				for _, row := range confidenceSeries(*c.Confidence) {
					p.Table.AddRow(row)
				}
			}
			list = append(list, p)
		}
	}
	return list
}

func confidenceSeries(of eval.ConfidenceSummary) (rows [][]document.Cell) {
	for _, b := range of.Bins {
		rows = append(rows, []document.Cell{{Value: "reliability"}, {Value: b.Lo}, {Value: b.Hi}, {Value: b.MeanConfidence},
			{Value: b.Accuracy}})
	}
	for _, p := range of.RiskCoverage {
		rows = append(rows, []document.Cell{{Value: "risk_coverage"}, {Value: p.Threshold}, {Value: 1.0},
			{}, {Value: p.Risk}})
	}
	return rows
}

// confidenceRows returns the rows of the CSV format, one for each confidence bin and each threshold.
// Series "reliability" is the accuracy between two confidences; series "risk_coverage" is the error
// rate at or above a confidence. Column n is the number of answers in a row, total the number of
// all answers. A partial run has a PARTIAL row at the top and at the bottom.
func confidenceRows(s eval.Summary) *document.Table {
	g := document.ValueTable("suite", "variant", "fault", "series", "from", "to", "mean_confidence", "value", "lo", "hi", "n",
		"total")
	partial := []any{"", "", "", "PARTIAL", nil, nil, nil, nil, nil, nil, nil, nil}
	if s.Partial {
		g.AddValues(partial...)
	}
	for _, suite := range s.Suites {
		for _, c := range confidenceConditions(suite) {
			if c.Confidence == nil {
				continue
			}
			of := c.Confidence.Accuracy.N
			row := func(series string, from, to float64, mean any, e eval.Estimate) {
				g.AddValues(suite.Name, c.Variant, fault(c), series, from, to, mean, e.Value, e.Lo, e.Hi, e.N, of)
			}
			for _, b := range c.Confidence.Bins {
				row("reliability", b.Lo, b.Hi, b.MeanConfidence, b.Accuracy)
			}
			for _, p := range c.Confidence.RiskCoverage {
				row("risk_coverage", p.Threshold, 1, nil, p.Risk)
			}
		}
	}
	if s.Partial {
		g.AddValues(partial...)
	}
	return g
}
