package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"evalctl/eval"
	"evalctl/eval/curve"
	"evalctl/eval/number"
)

// Curves show accuracy along a numeric axis.
type Curves struct {
	Curves []curve.Curve `json:"curves"`

	Width int  `json:"-"` // as of a Report, and the next two
	Color bool `json:"-"`
	ASCII bool `json:"-"`
}

// Write renders the curves in the given format. It writes once, when all is rendered.
func (c Curves) Write(w io.Writer, format Format) error {
	return writeOnce(w, format, "curve", func() ([]byte, error) {
		switch format {
		case Table:
			return drawn(c.document(lineWidth(cmp.Or(c.Width, pageWidth))), c.Width, c.Color, c.ASCII)
		case Markdown:
			return paged(c.document(pageWidth)), nil
		case LaTeX:
			return latexOf(source{text: "evalctl curve"}, c.document(pageWidth)), nil
		case JSON:
			return jsonText(c)
		case CSV:
			return curvesCSV(c)
		}
		return nil, unfit(format, "curve")
	})
}

func (c Curves) document(width int) (doc []block) {
	for _, one := range c.Curves {
		b := block{level: 2, heading: named(one.Suite)}
		if one.Name != "" {
			b.heading += " · " + named(one.Name)
		}
		b.heading += " · accuracy over " + one.Axis
		if n := one.Points[0].Accuracy.N; n > 0 {
			b.heading += " · " + counted(cmp.Or(one.Points[0].Accuracy.Cases, n), "case")
		}
		b.lines, b.plot, b.grid = curveSays(one), plotted(one.Points, min(width, mostChart)), curvePoints(one)
		doc = append(doc, b)
	}
	return doc
}

// curveSays is the gist of a curve: what the last doubling has brought, and not more.
func curveSays(c curve.Curve) (list []line) {
	if c.Identical && slices.ContainsFunc(c.Models, func(m eval.ModelNote) bool { return m.Kind == "simulated" }) {
		list = append(list, line{tone: warn, mark: "!", text: "The model is simulated and does not read the prompt, so examples in the prompt change nothing."})
	}
	if c.NotRun != "" {
		list = append(list, line{mark: "·", text: "The baseline model alone, without the rules and settings of " + clean(c.NotRun) + "."})
	}
	n := len(c.Points)
	switch from, to, ok := c.LastDoubling(); {
	case ok:
		text := fmt.Sprintf("The last doubling, from %s to %s %s, adds %s.", along(from.At), along(to.At), c.Axis, gain(*to.VersusPrevious))
		if from.Lowest != nil {
			text += fmt.Sprintf(" %d draws of %s: %s %%.", from.Draws, along(from.At), fromTo(*from.Lowest, *from.Highest, " to "))
		}
		if _, before, ok := (curve.Curve{Points: c.Points[:n-1]}).LastDoubling(); ok {
			text += " " + trend(*before.VersusPrevious, *to.VersusPrevious)
		}
		list = append(list, line{mark: "·", text: text})
	case c.Points[n-1].VersusFirst != nil && c.Points[n-1].VersusFirst.Value != nil:
		last := c.Points[n-1]
		list = append(list, line{mark: "·", text: fmt.Sprintf("%s %s instead of %s adds %s.", c.Axis, along(last.At), along(c.Points[0].At), gain(*last.VersusFirst))})
	}
	return list
}

// trend says what can be said of the next doubling: no more than how the last two
// compare. They are told apart where their intervals do not meet, which is proof enough
// however the two go together: the error of a difference is at most the sum of both.
func trend(before, last eval.Contrast) string {
	text := "The doubling before added " + contrast(before, number.Points)
	switch {
	case !known(before.Lo) || !known(before.Hi) || !known(last.Lo) || !known(last.Hi) || *last.Lo <= *before.Hi && *before.Lo <= *last.Hi:
		return text + ": no significant difference between the two."
	case *last.Value <= 0:
		return text + "."
	case *last.Value < *before.Value:
		return text + ": gains shrink."
	}
	return text + ": gains do not shrink yet."
}

// gain says a difference, and whether there is none.
func gain(c eval.Contrast) string {
	text := contrast(c, number.Points) + " points"
	if known(c.Lo) && known(c.Hi) && *c.Lo <= 0 && *c.Hi >= 0 {
		text += " (not significant)"
	}
	return text
}

// curvePoints has a row for each point.
func curvePoints(c curve.Curve) grid {
	g := grid{keys: 1, columns: []column{{head: c.Axis, right: true}, {head: "accuracy [95 %]"}}}
	drawn := slices.ContainsFunc(c.Points, func(p curve.CurvePoint) bool { return p.Draws > 1 })
	if drawn {
		g.columns = append(g.columns, column{head: "draws"})
	}
	g.columns = append(g.columns, column{head: "vs previous"})
	if !drawn {
		g.columns = append(g.columns, column{head: "vs first"})
	}
	for _, p := range c.Points {
		row := []cell{{text: along(p.At)}, {text: accuracyAt(p, c.Points[0].Accuracy.N)}}
		if drawn {
			row = append(row, cell{text: drawsOf(p)})
		}
		if row = append(row, cell{text: stepOf(p.VersusPrevious)}); !drawn {
			row = append(row, cell{text: stepOf(p.VersusFirst)})
		}
		g.rows = append(g.rows, row)
	}
	return g
}

// accuracyAt is a point's, with how many were judged where that is not the number of
// the first.
func accuracyAt(p curve.CurvePoint, n int64) string {
	text := estimate(p.Accuracy, percent, " %")
	if text == unmeasured {
		return text
	}
	return text + ofOthers(p.Accuracy.N, n)
}

func drawsOf(p curve.CurvePoint) string {
	if p.Lowest == nil || p.Highest == nil {
		return strconv.Itoa(max(p.Draws, 1))
	}
	return fmt.Sprintf("%d: %s", p.Draws, fromTo(*p.Lowest, *p.Highest, "–"))
}

// fromTo writes a range, as one figure where both ends are shown alike.
func fromTo(from, to float64, between string) string {
	if percent(from) == percent(to) {
		return percent(from)
	}
	return percent(from) + between + percent(to)
}

func stepOf(c *eval.Contrast) string {
	if c == nil {
		return ""
	}
	return contrast(*c, number.Points)
}

// along writes a value on the axis.
func along(v float64) string {
	if v == float64(int64(v)) {
		return grouped(int64(v))
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// curvesCSV has a row for every point.
func curvesCSV(c Curves) ([]byte, error) {
	rows := [][]string{{"suite", "curve", "axis", "x", "variant", "accuracy", "lo", "hi", "n", "missing", "draws", "lowest", "highest",
		"vs_previous", "vs_previous_lo", "vs_previous_hi", "vs_first", "vs_first_lo", "vs_first_hi"}}
	for _, one := range c.Curves {
		for _, p := range one.Points {
			step, first := orNone(p.VersusPrevious), orNone(p.VersusFirst)
			rows = append(rows, []string{guarded(one.Suite), guarded(one.Name), guarded(one.Axis), plainNumber(&p.At), guarded(p.Variant),
				plainNumber(p.Accuracy.Value), plainNumber(p.Accuracy.Lo), plainNumber(p.Accuracy.Hi), strconv.FormatInt(p.Accuracy.N, 10), strconv.FormatInt(p.Accuracy.Missing, 10),
				strconv.Itoa(max(p.Draws, 1)), plainNumber(p.Lowest), plainNumber(p.Highest),
				plainNumber(step.Value), plainNumber(step.Lo), plainNumber(step.Hi), plainNumber(first.Value), plainNumber(first.Lo), plainNumber(first.Hi)})
		}
	}
	return csvOf(rows)
}

func orNone(c *eval.Contrast) eval.Contrast {
	if c == nil {
		return eval.Contrast{}
	}
	return *c
}
