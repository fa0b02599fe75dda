package reports

import (
	"strconv"
	"strings"

	"evalctl/eval"
)

// confidencePanels are what is known of each variant's confidence, in the rows that the
// CSV has, and its three figures before them.
func confidencePanels(s eval.Summary) (list []panel) {
	for _, suite := range s.Suites {
		for _, c := range confident(suite) {
			p := panel{suite: suite.Name, variant: c.Name, columns: []panelColumn{{name: "series"}, {name: "from"}, {name: "to"}, {name: "mean_confidence"}, {name: "value"}}}
			for _, name := range confidenceFigures() {
				p.rows = append(p.rows, []cellValue{{value: strings.TrimPrefix(name, "confidence.")}, {}, {}, {}, {value: c.Metrics[name]}})
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
		rows = append(rows, []cellValue{{value: "reliability"}, {value: b.Lo}, {value: b.Hi}, {value: b.MeanConfidence}, {value: b.Accuracy}})
	}
	for _, p := range of.RiskCoverage {
		rows = append(rows, []cellValue{{value: "risk_coverage"}, {value: p.Threshold}, {value: 1.0}, {}, {value: p.Risk}})
	}
	return rows
}

// confidenceCSV has a row for every bin (figure right: the share of right answers between
// two confidences) and for every threshold (figure wrong: the share of wrong ones from a
// confidence up), each of n answers out of all. A run that did not end says so at the top
// and at the bottom, as its other rows do.
func confidenceCSV(s eval.Summary) ([]byte, error) {
	rows := [][]string{{"suite", "variant", "fault", "series", "from", "to", "mean_confidence", "value", "lo", "hi", "n", "total"}}
	partial := append([]string{"", "", "", "PARTIAL"}, make([]string, 8)...)
	if s.Partial {
		rows = append(rows, partial)
	}
	for _, suite := range s.Suites {
		for _, c := range confident(suite) {
			if c.Confidence == nil {
				continue
			}
			of := c.Confidence.Accuracy.N
			row := func(figure string, from, to float64, mean *float64, e eval.Estimate) {
				rows = append(rows, []string{guarded(suite.Name), guarded(c.Name), guarded(fault(c)), figure,
					plainNumber(&from), plainNumber(&to), plainNumber(mean), plainNumber(e.Value), plainNumber(e.Lo), plainNumber(e.Hi),
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
