package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

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

func (c CurveReport) document(document.Target) document.Document {
	d := document.Document{Source: "evalctl curve", Data: c, Rows: c.rows}
	for _, one := range c.Curves {
		b := document.Block{Level: 2, Heading: named(one.Suite)}
		if one.Name != "" {
			b.Heading += " · " + named(one.Name)
		}
		b.Heading += " · accuracy over " + one.Axis
		if n := one.Points[0].Accuracy.N; n > 0 {
			b.Heading += " · " + plural(cmp.Or(one.Points[0].Accuracy.Cases, n), "case")
		}
		b.Lines, b.Table = curveSummary(one), curvePoints(one)
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

// curvePoints returns the table of a curve's points. A narrow terminal shows the plot of the accuracies
// rather than the draws or the difference from the first point.
func curvePoints(c curve.Curve) document.Table {
	var accuracies valueRange
	for _, p := range c.Points {
		accuracies.addEstimate(p.Accuracy)
	}
	plot := document.Column{Axis: accuracies.axis(document.ShareAxis), PlotWidth: maxPlotWidth, Rank: 2}
	last := document.Column{Head: "vs first", Rank: 1}
	isDrawn := slices.ContainsFunc(c.Points, func(p curve.Point) bool { return p.TrainingSamples > 1 })
	if isDrawn {
		last.Head = "draws"
	}
	g := document.Table{Keys: 1, Columns: []document.Column{
		{Head: c.Axis, Right: true}, plot, {Head: "accuracy [95 %]"}, {Head: "vs previous"}, last}}
	for _, p := range c.Points {
		lastText := contrastOrEmpty(p.VersusFirst)
		if isDrawn {
			lastText = drawsText(p)
		}
		e := p.Accuracy
		g.AddRow([]document.Cell{
			{Text: axisValue(p.X)},
			{Marks: document.IntervalMarks(e.Value, e.Lo, e.Hi, document.Plain, true)},
			{Text: accuracyAt(p, c.Points[0].Accuracy.N)},
			{Text: contrastOrEmpty(p.VersusPrevious)},
			{Text: lastText},
		})
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
