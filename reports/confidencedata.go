package reports

import (
	"maps"
	"strconv"
	"strings"

	"evalctl/eval"
)

// confidenceSummary is the part of a summary that is about confidence, in its form.
func confidenceSummary(s eval.Summary) eval.Summary {
	out := eval.Summary{Partial: s.Partial, Suites: []eval.SuiteSummary{}, Gates: []eval.GateVerdict{}}
	for _, suite := range s.Suites {
		cells := confident(suite)
		suite.Slices, suite.Differences, suite.Fates, suite.Variants = nil, nil, nil, []eval.CellSummary{}
		for _, c := range cells {
			metrics := maps.Clone(c.Metrics)
			maps.DeleteFunc(metrics, func(name string, _ eval.Estimate) bool { return !strings.HasPrefix(name, "confidence.") })
			suite.Variants = append(suite.Variants, eval.CellSummary{Name: c.Name, Fault: c.Fault, Trials: c.Trials, Metrics: metrics, Confidence: c.Confidence})
		}
		out.Suites = append(out.Suites, suite)
	}
	return out
}

// confidenceCSV has a row for every bin (figure right: the share of right answers between
// two confidences) and for every threshold (figure wrong: the share of wrong ones from a
// confidence up), each of n answers out of all. A run that did not end says so at the top
// and at the bottom, as its other rows do.
func confidenceCSV(s eval.Summary) ([]byte, error) {
	rows := [][]string{{"suite", "variant", "fault", "figure", "from", "to", "mean", "value", "lo", "hi", "n", "of"}}
	partial := append([]string{"", "", "", "PARTIAL"}, make([]string, 8)...)
	if s.Partial {
		rows = append(rows, partial)
	}
	for _, suite := range s.Suites {
		for _, c := range confident(suite) {
			if c.Confidence == nil {
				continue
			}
			of := c.Confidence.Right.N
			row := func(figure string, from, to float64, mean *float64, e eval.Estimate) {
				rows = append(rows, []string{guarded(suite.Name), guarded(c.Name), guarded(fault(c)), figure,
					plainNumber(&from), plainNumber(&to), plainNumber(mean), plainNumber(e.Value), plainNumber(e.Lo), plainNumber(e.Hi),
					strconv.FormatInt(e.N, 10), strconv.FormatInt(of, 10)})
			}
			for _, b := range c.Confidence.Bins {
				row("right", b.Lo, b.Hi, &b.Mean, b.Right)
			}
			for _, p := range c.Confidence.Curve {
				row("wrong", p.Confidence, 1, nil, p.Risk)
			}
		}
	}
	if s.Partial {
		rows = append(rows, partial)
	}
	return csvOf(rows)
}
