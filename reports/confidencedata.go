package reports

import (
	"strconv"
	"strings"

	"evalctl/eval"
)

// confidencePanels returns the data of the JSON confidence report. For each variant it contains
// ECE, Brier score and AUROC, followed by the rows that the CSV format also has.
func confidencePanels(s eval.Summary) (list []panel) {
	for _, suite := range s.Suites {
		for _, c := range confidenceConditions(suite) {
			p := panel{suite: suite.Name, variant: c.Variant,
				columns: []panelColumn{{name: "series"}, {name: "from"}, {name: "to"}, {name: "mean_confidence"},
					{name: "value"}}}
			for _, name := range confidenceFigures() {
				p.rows = append(p.rows, []cellValue{{value: strings.TrimPrefix(name, "confidence.")}, {}, {}, {},
					{value: c.Metrics[name]}})
			}
			if c.Confidence != nil {
				p.rows = append(p.rows, confidenceRows(*c.Confidence)...)
			}
			list = append(list, p)
		}
	}
	return list
}

func confidenceRows(of eval.ConfidenceSummary) (rows [][]cellValue) {
	for _, b := range of.Bins {
		rows = append(rows, []cellValue{{value: "reliability"}, {value: b.Lo}, {value: b.Hi}, {value: b.MeanConfidence},
			{value: b.Accuracy}})
	}
	for _, p := range of.RiskCoverage {
		rows = append(rows, []cellValue{{value: "risk_coverage"}, {value: p.Threshold}, {value: 1.0},
			{}, {value: p.Risk}})
	}
	return rows
}

// confidenceCSV renders the confidence report as CSV, with one row for each confidence bin and each
// threshold. Series "reliability" is the accuracy between two confidences; series "risk_coverage"
// is the error rate at or above a confidence. Column n is the number of answers in a row, total the
// number of all answers. A partial run has a PARTIAL row at the top and at the bottom.
func confidenceCSV(s eval.Summary) ([]byte, error) {
	rows := [][]string{{"suite", "variant", "fault", "series", "from", "to", "mean_confidence", "value",
		"lo", "hi", "n", "total"}}
	partial := append([]string{"", "", "", "PARTIAL"}, make([]string, 8)...)
	if s.Partial {
		rows = append(rows, partial)
	}
	for _, suite := range s.Suites {
		for _, c := range confidenceConditions(suite) {
			if c.Confidence == nil {
				continue
			}
			of := c.Confidence.Accuracy.N
			row := func(figure string, from, to float64, mean *float64, e eval.Estimate) {
				rows = append(rows, []string{escapeFormula(suite.Name), escapeFormula(c.Variant),
					escapeFormula(fault(c)), figure,
					plainNumber(&from), plainNumber(&to), plainNumber(mean), plainNumber(e.Value), plainNumber(e.Lo),
					plainNumber(e.Hi),
					strconv.FormatInt(e.N, 10), strconv.FormatInt(of, 10)})
			}
			for _, b := range c.Confidence.Bins {
				row("reliability", b.Lo, b.Hi, &b.MeanConfidence, b.Accuracy)
			}
			for _, p := range c.Confidence.RiskCoverage {
				row("risk_coverage", p.Threshold, 1, nil, p.Risk)
			}
		}
	}
	if s.Partial {
		rows = append(rows, partial)
	}
	return csvOf(rows)
}
