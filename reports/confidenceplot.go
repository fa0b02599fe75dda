package reports

import (
	"math"
	"strings"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// Size of the confidence plots, in characters: the width of the plot next to the table, and the
// height of the risk plot.
const (
	minPlotWidth = 12
	maxPlotWidth = 48
	riskHeight   = 5
)

// shareScale is the horizontal axis of a text plot of shares. The axis starts at the share in from,
// ends at 1 and has width characters.
type shareScale struct {
	from  float64
	width int
}

// newShareScale returns an axis that starts at a multiple of 0.1, at or below the lowest value of
// the plot.
func newShareScale(of *eval.ConfidenceSummary, width int) shareScale {
	from := 1.0
	for _, b := range of.Bins {
		from = min(from, b.MeanConfidence)
		if isKnown(b.Accuracy.Lo) {
			from = min(from, *b.Accuracy.Lo)
		}
	}
	return shareScale{from: min(math.Floor(from*10)/10, 0.9), width: width}
}

func (s shareScale) head() string {
	left := rounded(100*s.from) + " %"
	return left + strings.Repeat(" ", max(1, s.width-columnsOf(left)-columnsOf("100 %"))) + "100 %"
}

func (s shareScale) at(v float64) int {
	return min(max(int(math.Round((v-s.from)/(1-s.from)*float64(s.width-1))), 0), s.width-1)
}

// draw returns one line of the plot, with the accuracy of a bin, its interval and its mean
// confidence.
func (s shareScale) draw(b eval.ConfidenceBin) string {
	signs := []rune(strings.Repeat(" ", s.width))
	if isKnown(b.Accuracy.Lo) && isKnown(b.Accuracy.Hi) {
		for i := s.at(*b.Accuracy.Lo); i <= s.at(*b.Accuracy.Hi); i++ {
			signs[i] = '─'
		}
	}
	signs[s.at(b.MeanConfidence)] = '│'
	if isKnown(b.Accuracy.Value) {
		signs[s.at(*b.Accuracy.Value)] = '●'
	}
	return strings.TrimRight(string(signs), " ")
}

// eighths are the characters for a bar of a text plot, from empty to full in steps of one eighth.
var eighths = []rune(" ▁▂▃▄▅▆▇█")

// riskPlot draws the error rate of the most confident answers against the share of answers that are
// accepted. It leaves columns empty below the lowest such share and where the sample is small. It
// returns nil if there are no errors.
func riskPlot(curve []eval.RiskPoint, width int) []string {
	label := func(text string) string { return padLeft(text, len("100.0 %")) + " " }
	columns := min(width-columnsOf(label("")), 2*maxPlotWidth)
	heights, highest := riskHeights(curve, columns)
	if highest == 0 {
		return nil
	}
	lines := make([]string, 0, riskHeight+1)
	for row := range riskHeight {
		signs := make([]rune, columns)
		for i, h := range heights {
			full := int(math.Round(h / highest * 8 * riskHeight))
			signs[i] = eighths[min(max(full-8*(riskHeight-1-row), 0), 8)]
		}
		left := ""
		switch row {
		case 0:
			left = percent(highest) + " %"
		case riskHeight - 1:
			left = "0 %"
		}
		lines = append(lines, strings.TrimRight(label(left)+string(signs), " "))
	}
	axis, end := "0 %", "100 % coverage"
	return append(lines, label("")+axis+strings.Repeat(" ", max(1, columns-columnsOf(axis)-columnsOf(end)))+end)
}

// riskHeights returns the error rate for each column of the risk plot, and the highest of these
// rates.
func riskHeights(curve []eval.RiskPoint, columns int) (heights []float64, highest float64) {
	heights = make([]float64, columns)
	at := 0
	for i := range heights {
		coverage := float64(i+1) / float64(columns)
		for at < len(curve)-1 && curve[at].Coverage < coverage-1e-9 {
			at++
		}
		if v := curve[at].Risk.Value; isKnown(v) && !finding.IsSmallSample(curve[at].Risk) &&
			coverage > curve[0].Coverage-1/float64(columns) {
			heights[i] = *v
			highest = max(highest, *v)
		}
	}
	return heights, highest
}
