package reports

import (
	"math"
	"strings"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// How wide the plot beside the reliability table is, and how high that of the risk.
const (
	leastPlot  = 12
	mostPlot   = 48
	riskHeight = 5
)

// scale is the axis of a plot of shares: from a tenth to 1.
type scale struct {
	from  float64
	width int
}

// newScale begins at the tenth below all that is drawn.
func newScale(of *eval.ConfidenceSummary, width int) scale {
	from := 1.0
	for _, b := range of.Bins {
		from = min(from, b.MeanConfidence)
		if known(b.Accuracy.Lo) {
			from = min(from, *b.Accuracy.Lo)
		}
	}
	return scale{from: min(math.Floor(from*10)/10, 0.9), width: width}
}

func (s scale) head() string {
	left := rounded(100*s.from) + " %"
	return left + strings.Repeat(" ", max(1, s.width-columnsOf(left)-columnsOf("100 %"))) + "100 %"
}

func (s scale) at(v float64) int {
	return min(max(int(math.Round((v-s.from)/(1-s.from)*float64(s.width-1))), 0), s.width-1)
}

// draw has the share of right answers on its interval, and what the model says.
func (s scale) draw(b eval.ConfidenceBin) string {
	signs := []rune(strings.Repeat(" ", s.width))
	if known(b.Accuracy.Lo) && known(b.Accuracy.Hi) {
		for i := s.at(*b.Accuracy.Lo); i <= s.at(*b.Accuracy.Hi); i++ {
			signs[i] = '─'
		}
	}
	signs[s.at(b.MeanConfidence)] = '│'
	if known(b.Accuracy.Value) {
		signs[s.at(*b.Accuracy.Value)] = '●'
	}
	return strings.TrimRight(string(signs), " ")
}

// eighths are a column's levels.
var eighths = []rune(" ▁▂▃▄▅▆▇█")

// riskPlot draws the share of wrong answers among the surest ones over how many of all
// these are. Nothing stands where no threshold keeps so few, nor where these are fewer than
// say anything; there is no plot where nothing is wrong.
func riskPlot(curve []eval.RiskPoint, width int) []string {
	label := func(text string) string { return pad(text, len("100.0 %"), true) + " " }
	columns := min(width-columnsOf(label("")), 2*mostPlot)
	heights, most := riskHeights(curve, columns)
	if most == 0 {
		return nil
	}
	lines := make([]string, 0, riskHeight+1)
	for row := range riskHeight {
		signs := make([]rune, columns)
		for i, h := range heights {
			full := int(math.Round(h / most * 8 * riskHeight))
			signs[i] = eighths[min(max(full-8*(riskHeight-1-row), 0), 8)]
		}
		left := ""
		switch row {
		case 0:
			left = percent(most) + " %"
		case riskHeight - 1:
			left = "0 %"
		}
		lines = append(lines, strings.TrimRight(label(left)+string(signs), " "))
	}
	axis, end := "0 %", "100 % coverage"
	return append(lines, label("")+axis+strings.Repeat(" ", max(1, columns-columnsOf(axis)-columnsOf(end)))+end)
}

// riskHeights are the risks over as many columns of coverage, and the greatest.
func riskHeights(curve []eval.RiskPoint, columns int) (heights []float64, most float64) {
	heights = make([]float64, columns)
	at := 0
	for i := range heights {
		coverage := float64(i+1) / float64(columns)
		for at < len(curve)-1 && curve[at].Coverage < coverage-1e-9 {
			at++
		}
		if v := curve[at].Risk.Value; known(v) && !finding.IsSmallSample(curve[at].Risk) && coverage > curve[0].Coverage-1/float64(columns) {
			heights[i] = *v
			most = max(most, *v)
		}
	}
	return heights, most
}
