package reports

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/eval/curve"
	"evalctl/eval/metric"
	"evalctl/reports/document"
)

// CurveReport is the report of `evalctl curve`: how accuracy depends on a numeric setting, such as
// the number of training cases.
type CurveReport struct {
	Curves []curve.Curve `json:"curves"` // one for each suite and group of variants

	document.Options
}

// Write renders the curves in the given format.
func (c CurveReport) Write(w io.Writer, format Format) error {
	return screen{noun: "curve", layOut: c.document}.write(w, format, c.Options)
}

func (c CurveReport) document(to document.Target) document.Document {
	d := document.Document{Source: "evalctl curve", Data: c, Rows: c.rows}
	width := min(to.Width, maxChartWidth)
	for _, one := range c.Curves {
		b := document.Block{Level: 2, Heading: named(one.Suite)}
		if one.Name != "" {
			b.Heading += " · " + named(one.Name)
		}
		b.Heading += " · accuracy over " + one.Axis
		if n := one.Points[0].Accuracy.N; n > 0 {
			b.Heading += " · " + plural(cmp.Or(one.Points[0].Accuracy.Cases, n), "case")
		}
		b.Lines, b.Plot, b.Table = curveSummary(one), curvePlot(one.Points, width), curvePoints(one)
		d.Blocks = append(d.Blocks, b)
	}
	return d
}

// curveSummary describes a curve in sentences: how much the last doubling of the setting adds to
// the accuracy. It does not extrapolate.
func curveSummary(c curve.Curve) (list []document.Line) {
	if c.Identical && slices.ContainsFunc(c.Models, func(m eval.ModelInfo) bool { return m.Kind == "simulated" }) {
		list = append(list, document.Line{Tone: document.Warn, Mark: "!",
			Text: "The model is simulated and does not read the prompt, so examples in the prompt change nothing."})
	}
	if c.SkippedSystem != "" {
		list = append(list, document.Line{Mark: "·",
			Text: "The baseline model alone, without the rules and settings of " + clean(c.SkippedSystem) + "."})
	}
	n := len(c.Points)
	switch from, to, ok := c.LastDoubling(); {
	case ok:
		text := fmt.Sprintf("The last doubling, from %s to %s %s, adds %s.", axisValue(from.X), axisValue(to.X),
			c.Axis, gainText(*to.VersusPrevious))
		if from.LowestAccuracy != nil {
			text += fmt.Sprintf(" %d draws of %s: %s %%.", from.TrainingSamples, axisValue(from.X),
				rangeText(*from.LowestAccuracy, *from.HighestAccuracy, " to "))
		}
		if _, before, ok := (curve.Curve{Points: c.Points[:n-1]}).LastDoubling(); ok {
			text += " " + trendText(*before.VersusPrevious, *to.VersusPrevious)
		}
		list = append(list, document.Line{Mark: "·", Text: text})
	case c.Points[n-1].VersusFirst != nil && c.Points[n-1].VersusFirst.Value != nil:
		last := c.Points[n-1]
		list = append(list, document.Line{Mark: "·",
			Text: fmt.Sprintf("%s %s instead of %s adds %s.", c.Axis, axisValue(last.X), axisValue(c.Points[0].X),
				gainText(*last.VersusFirst))})
	}
	return list
}

// trendText compares the gains of the last two doublings of the setting. They differ significantly
// only if their intervals do not overlap. This is sufficient for any correlation, because the error
// of a difference is at most the sum of both errors.
func trendText(before, last eval.Contrast) string {
	text := "The doubling before added " + contrast(before, metric.FormatPoints)
	switch {
	case !isKnown(before.Lo) || !isKnown(before.Hi) || !isKnown(last.Lo) || !isKnown(last.Hi) ||
		*last.Lo <= *before.Hi && *before.Lo <= *last.Hi:
		return text + ": no significant difference between the two."
	case *last.Value <= 0:
		return text + "."
	case *last.Value < *before.Value:
		return text + ": gains shrink."
	}
	return text + ": gains do not shrink yet."
}

func gainText(c eval.Contrast) string {
	text := contrast(c, metric.FormatPoints) + " points"
	if isKnown(c.Lo) && isKnown(c.Hi) && *c.Lo <= 0 && *c.Hi >= 0 {
		text += " (not significant)"
	}
	return text
}

func curvePoints(c curve.Curve) document.Table {
	g := document.Table{Keys: 1, Columns: []document.Column{{Head: c.Axis, Right: true}, {Head: "accuracy [95 %]"}}}
	drawn := slices.ContainsFunc(c.Points, func(p curve.Point) bool { return p.TrainingSamples > 1 })
	if drawn {
		g.Columns = append(g.Columns, document.Column{Head: "draws"})
	}
	g.Columns = append(g.Columns, document.Column{Head: "vs previous"})
	if !drawn {
		g.Columns = append(g.Columns, document.Column{Head: "vs first"})
	}
	for _, p := range c.Points {
		row := []document.Cell{{Text: axisValue(p.X)}, {Text: accuracyAt(p, c.Points[0].Accuracy.N)}}
		if drawn {
			row = append(row, document.Cell{Text: drawsText(p)})
		}
		if row = append(row, document.Cell{Text: contrastOrEmpty(p.VersusPrevious)}); !drawn {
			row = append(row, document.Cell{Text: contrastOrEmpty(p.VersusFirst)})
		}
		g.AddRow(row)
	}
	return g
}

// accuracyAt formats the accuracy at a point of the curve. It adds the number of cases if that
// differs from n.
func accuracyAt(p curve.Point, n int64) string {
	text := estimate(p.Accuracy, percent, " %")
	if text == noValue {
		return text
	}
	return text + otherDenominator(p.Accuracy.N, n)
}

func drawsText(p curve.Point) string {
	if p.LowestAccuracy == nil || p.HighestAccuracy == nil {
		return strconv.Itoa(max(p.TrainingSamples, 1))
	}
	return fmt.Sprintf("%d: %s", p.TrainingSamples, rangeText(*p.LowestAccuracy, *p.HighestAccuracy, "–"))
}

// rangeText formats a range of shares. It returns one number if both ends round to the same text.
func rangeText(from, to float64, between string) string {
	if percent(from) == percent(to) {
		return percent(from)
	}
	return percent(from) + between + percent(to)
}

func contrastOrEmpty(c *eval.Contrast) string {
	if c == nil {
		return ""
	}
	return contrast(*c, metric.FormatPoints)
}

func axisValue(v float64) string {
	if v == float64(int64(v)) {
		return thousands(int64(v))
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

func (c CurveReport) rows() *document.Table {
	g := document.ValueTable("suite", "curve", "axis", "x", "variant", "accuracy", "lo", "hi", "n", "missing",
		"draws", "lowest",
		"highest", "vs_previous", "vs_previous_lo", "vs_previous_hi", "vs_first", "vs_first_lo", "vs_first_hi")
	for _, one := range c.Curves {
		for _, p := range one.Points {
			step, first := orZero(p.VersusPrevious), orZero(p.VersusFirst)
			g.AddValues(one.Suite, one.Name, one.Axis, p.X, p.Variant, p.Accuracy.Value, p.Accuracy.Lo, p.Accuracy.Hi,
				p.Accuracy.N, p.Accuracy.Missing, max(p.TrainingSamples, 1), p.LowestAccuracy, p.HighestAccuracy,
				step.Value, step.Lo, step.Hi,
				first.Value, first.Lo, first.Hi)
		}
	}
	return g
}

func orZero(c *eval.Contrast) eval.Contrast {
	if c == nil {
		return eval.Contrast{}
	}
	return *c
}

// Size of a curve's text plot in characters: maximum width, height, and width of the labels on the
// left.
const (
	maxChartWidth = 72
	chartHeight   = 8
	chartScale    = 7
)

// chart is a text plot under construction: characters in rows and columns, and the ranges of both
// axes.
type chart struct {
	signs             [][]rune
	left, right       float64 // ends of the horizontal axis; logarithms if isLog is set
	bottom, top       float64 // ends of the vertical axis, as shares from 0 to 1
	isLog             bool
	smallest, columns float64
}

// curvePlot draws the points of a curve with their intervals as text. The horizontal axis is
// logarithmic if it spans at least two doublings. It returns nil for fewer than two points with a
// value.
func curvePlot(points []curve.Point, width int) []string {
	c := chart{bottom: 1, columns: float64(width - chartScale - 2)}
	n := 0
	for _, p := range points {
		if lo, hi, ok := pointRange(p); ok {
			n++
			c.bottom, c.top = min(c.bottom, lo), max(c.top, hi)
		}
	}
	if n < 2 {
		return nil
	}
	const step = 0.05
	c.bottom, c.top = step*math.Floor(c.bottom/step+1e-9), min(1, step*math.Ceil(c.top/step-1e-9))
	if c.top <= c.bottom {
		c.bottom = max(0, c.top-step)
		c.top = c.bottom + step
	}
	c.scale(points)
	for range chartHeight {
		c.signs = append(c.signs, []rune(strings.Repeat(" ", int(c.columns)+1)))
	}
	for _, p := range points {
		c.draw(p)
	}
	return c.lines(points)
}

// pointRange returns the vertical extent of a point: its confidence interval, or only its value. It
// returns false if the accuracy is unknown.
func pointRange(p curve.Point) (lo, hi float64, ok bool) {
	e := p.Accuracy
	if !isKnown(e.Value) {
		return 0, 0, false
	}
	lo, hi = *e.Value, *e.Value
	if isKnown(e.Lo) && isKnown(e.Hi) {
		lo, hi = min(*e.Lo, lo), max(*e.Hi, hi)
	}
	return max(lo, 0), min(hi, 1), true
}

// scale chooses the range of the horizontal axis and whether it is logarithmic. On a logarithmic
// axis, 0 is drawn at half of the smallest positive value.
func (c *chart) scale(points []curve.Point) {
	first, last := points[0].X, points[len(points)-1].X
	c.smallest = last
	for _, p := range points {
		if p.X > 0 {
			c.smallest = min(c.smallest, p.X)
		}
	}
	c.isLog = first >= 0 && c.smallest > 0 && last >= 4*c.smallest
	c.left, c.right = c.scaled(first), c.scaled(last)
}

func (c *chart) scaled(v float64) float64 {
	if !c.isLog {
		return v
	}
	return math.Log2(max(v, c.smallest/2))
}

func (c *chart) column(v float64) int {
	if c.right <= c.left {
		return 0
	}
	return int(math.Round(min(max((c.scaled(v)-c.left)/(c.right-c.left), 0), 1) * c.columns))
}

func (c *chart) row(share float64) int {
	return int(math.Round((c.top - share) / (c.top - c.bottom) * (chartHeight - 1)))
}

func (c *chart) draw(p curve.Point) {
	lo, hi, ok := pointRange(p)
	if !ok {
		return
	}
	at := c.column(p.X)
	for r := c.row(hi); r <= c.row(lo); r++ {
		c.signs[r][at] = '│'
	}
	c.signs[c.row(*p.Accuracy.Value)][at] = '●'
}

// lines returns the plot with its axis labels. It omits a label of the horizontal axis that would
// overlap the one before.
func (c *chart) lines(points []curve.Point) (list []string) {
	for r, signs := range c.signs {
		label := ""
		if r == 0 {
			label = rounded(100*c.top) + " %"
		}
		if r == chartHeight-1 {
			label = rounded(100*c.bottom) + " %"
		}
		list = append(list, strings.TrimRight(padLeft(label, chartScale)+" "+string(signs), " "))
	}
	under := []rune(strings.Repeat(" ", int(c.columns)+1))
	free := 0
	for _, p := range points {
		text := []rune(axisValue(p.X))
		from := min(max(c.column(p.X)-len(text)/2, 0), len(under)-len(text))
		if from >= free {
			copy(under[from:], text)
			free = from + len(text) + 1
		}
	}
	return append(list, strings.TrimRight(strings.Repeat(" ", chartScale+1)+string(under), " "))
}
