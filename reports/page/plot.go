package page

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"evalctl/eval/metric"
)

// Rows is a figure that consists of rows. Each row has a name and, for each panel, a small plot
// with its value as text. All plots of a panel have the same axis, so that they can be compared.
type Rows struct {
	Class  string // CSS class of the figure, which sets the widths of its columns
	Panels []Panel
	Rows   []Row
}

// Panel is a column of plots with a common axis.
type Panel struct {
	Head string // title of the axis
	Axis Axis
	Zero *float64 // value at which a dashed line is drawn; nil: none
	Band *Span    // range that is shaded behind all rows; nil: none
}

// Span is a range of values on an axis.
type Span struct{ From, To float64 }

// Row is a row of a figure, such as a variant, a fault or a class.
type Row struct {
	Name  string
	Link  string     // URL for the name; "": no link
	Cells []PlotCell // one plot for each panel
}

// PlotCell is a plot with its value as text. Screen readers skip the plot, so the text must contain
// all information in it.
type PlotCell struct {
	Marks []Mark        // shapes of the plot, in drawing order
	Value template.HTML // value as text
}

// Mark is a shape in a plot. Its CSS class sets the color.
type Mark struct {
	Shape  Shape
	From   float64 // start in percent of the width; for dots and vertical lines, the position
	To     float64 // end in percent of the width
	Y      float64 // pixels from the top; 0: dots and horizontal lines are centered
	Height float64 // pixels; 0: rectangles and vertical lines have the height of the plot
	Class  string
}

// Shape is the shape of a mark.
type Shape string

const (
	rectShape Shape = "rect" // rectangle between From and To
	lineShape Shape = "line" // horizontal line between From and To
	ruleShape Shape = "rule" // vertical line at From
	dotShape  Shape = "dot"  // circle at From
)

// rowHeight is the height of a plot in [Rows], in pixels.
const rowHeight = 30

// plot is an SVG drawing that fills the available width.
type plot struct {
	Height float64
	Marks  []Mark
	Ticks  []Tick // only the labels of ticks; their lines are marks
}

// HTML renders the plot as SVG.
func (p plot) HTML() template.HTML { return fragment("plot", p) }

// HTML renders the figure.
func (r Rows) HTML() template.HTML {
	type column struct {
		Plot  template.HTML
		Value template.HTML
		Nth   int
		Blank bool // the plot has no marks
	}
	type row struct {
		Name, Link string
		Columns    []column
	}
	data := struct {
		Class string
		Heads []Panel
		Rows  []row
		Axes  []column
		Parts bool // the figure has several panels, which are stacked on narrow screens
	}{Class: r.Class, Heads: r.Panels, Parts: len(r.Panels) > 1}
	for _, one := range r.Rows {
		shown := row{Name: one.Name, Link: one.Link}
		for i, c := range one.Cells {
			marks := append(r.Panels[i].backgroundMarks(), c.Marks...)
			shown.Columns = append(shown.Columns, column{
				Plot:  plot{Height: rowHeight, Marks: marks}.HTML(),
				Value: c.Value,
				Nth:   i,
				Blank: len(c.Marks) == 0,
			})
		}
		data.Rows = append(data.Rows, shown)
	}
	for i, p := range r.Panels {
		data.Axes = append(data.Axes, column{Plot: p.Axis.plot(), Nth: i})
	}
	return fragment("rows", data)
}

const axisHeight = 18

// backgroundMarks returns the marks that are behind the marks of every row: shaded range, grid and
// zero line.
func (p Panel) backgroundMarks() (marks []Mark) {
	if p.Band != nil {
		marks = append(marks, Mark{
			Shape: rectShape,
			From:  p.Axis.Position(p.Band.From),
			To:    p.Axis.Position(p.Band.To),
			Class: "band",
		})
	}
	for _, t := range p.Axis.Ticks {
		marks = append(marks, Mark{Shape: ruleShape, From: t.Position, Class: "grid"})
	}
	if p.Zero != nil {
		marks = append(marks, Mark{Shape: ruleShape, From: p.Axis.Position(*p.Zero), Class: "zero"})
	}
	return marks
}

// X returns the start of a mark as an SVG attribute; X2 returns its end, and W its width.
func (m Mark) X() string  { return percent(m.From) }
func (m Mark) X2() string { return percent(m.To) }
func (m Mark) W() string  { return percent(m.To - m.From) }

// Top returns the y coordinate of the upper edge, as an SVG attribute.
func (m Mark) Top() string { return figurePixels(m.Y) }

// Bottom returns the y coordinate of the lower end of a vertical line, as an SVG attribute.
func (m Mark) Bottom() string {
	if m.Height == 0 {
		return "100%"
	}
	return figurePixels(m.Y + m.Height)
}

// HeightText returns the height of a rectangle, as an SVG attribute.
func (m Mark) HeightText() string {
	if m.Height == 0 {
		return "100%"
	}
	return figurePixels(m.Height)
}

// Middle returns the y coordinate of a dot or a horizontal line, as an SVG attribute.
func (m Mark) Middle() string {
	if m.Y == 0 {
		return "50%"
	}
	return figurePixels(m.Y)
}

// X returns the x coordinate of the label, as an SVG attribute.
func (t Tick) X() string { return percent(t.Position) }

func percent(v float64) string { return figurePixels(v) + "%" }

func figurePixels(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
}

// stackedBar renders a bar that consists of pieces from left to right, with a frame around it. It
// omits empty pieces.
func stackedBar(height float64, parts ...barPart) template.HTML {
	p := plot{Height: height}
	at := 0.0
	for _, one := range parts {
		if one.Share > 0 {
			p.Marks = append(p.Marks, Mark{
				Shape:  rectShape,
				From:   at,
				To:     at + one.Share*100,
				Height: height,
				Class:  one.Class,
			})
		}
		at += one.Share * 100
	}
	p.Marks = append(p.Marks, Mark{
		Shape:  rectShape,
		To:     100,
		Height: height,
		Class:  "frame",
	})
	return p.HTML()
}

// piece is a part of a stacked bar.
type barPart struct {
	Share float64 // share of the bar's width, from 0 to 1
	Class string
}

// Axis is the horizontal axis of a plot. It converts values to percentages of the width, so that
// the browser can scale the plot without a script.
type Axis struct {
	Lo, Hi float64 // values at the ends
	Log    bool    // logarithmic axis; Lo must be above 0
	Ticks  []Tick
}

// Tick is a tick mark of an axis and its label.
type Tick struct {
	Position  float64 // position in percent of the width
	Label     string  // "": no label
	Anchor    string  // SVG text-anchor of the label: start, middle or end
	HideClass string  // CSS class that hides the label if the plot is too narrow for it; "": never hidden
}

// Position returns the position of a value in percent of the width. Values outside of the axis are
// moved to its ends.
func (a Axis) Position(v float64) float64 {
	lo, hi := a.Lo, a.Hi
	if a.Log {
		v, lo, hi = math.Log(max(v, lo)), math.Log(lo), math.Log(hi)
	}
	if !(hi > lo) {
		return 50
	}
	return min(max((v-lo)/(hi-lo), 0), 1) * 100
}

// maxSteps is the maximum number of intervals between the ticks of an axis of shares.
const maxSteps = 6

func shareSteps() []float64 { return []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5} }

// ShareAxis returns an axis for shares from lo to hi, extended to multiples of a step between 1 and
// 50 %. The axis can start above 0.
func ShareAxis(lo, hi float64) Axis {
	return axisWithSteps(max(lo, 0), min(hi, 1),
		func(v float64) string { return strconv.Itoa(int(math.Round(v*100))) + " %" })
}

// PercentagePointAxis returns an axis for differences from lo to hi, which always contains 0. The
// values are fractions, the labels are percentage points.
func PercentagePointAxis(lo, hi float64) Axis {
	return axisWithSteps(min(lo, 0), max(hi, 0),
		func(v float64) string { return metric.FormatPoints(math.Round(v*100) / 100) })
}

func axisWithSteps(lo, hi float64, label func(float64) string) Axis {
	var first, last int
	step := 0.0
	for _, step = range shareSteps() {
		first, last = int(math.Floor(lo/step+1e-9)), int(math.Ceil(hi/step-1e-9))
		switch {
		case first == last && float64(last)*step >= 1:
			first--
		case first == last:
			last++
		}
		if last-first <= maxSteps {
			break
		}
	}
	a := Axis{Lo: float64(first) * step, Hi: float64(last) * step}
	for i := first; i <= last; i++ {
		a.Ticks = append(a.Ticks, Tick{Position: a.Position(float64(i) * step), Label: label(float64(i) * step)})
	}
	a.label(maxLabels)
	return a
}

// Maximum number of labels on an axis of shares and on a time axis.
const (
	maxLabels     = 5
	maxTimeLabels = 8
)

// TimeAxis returns a logarithmic axis for times from lo to hi, in milliseconds. Its ticks are 1, 2
// and 5 times each power of ten.
func TimeAxis(lo, hi float64) Axis {
	lo = max(lo, 1e-3)
	a := Axis{Lo: lo, Hi: max(hi, lo*2), Log: true}
	for power := math.Floor(math.Log10(a.Lo)); power <= math.Log10(a.Hi); power++ {
		for _, n := range []float64{1, 2, 5} {
			if ms := n * math.Pow(10, power); ms >= a.Lo && ms <= a.Hi {
				a.Ticks = append(a.Ticks, Tick{Position: a.Position(ms), Label: timeLabel(ms)})
			}
		}
	}
	a.label(maxTimeLabels)
	return a
}

// timeLabel formats a round time in a suitable unit, such as "50 ms", "0.5 s" or "2 s".
func timeLabel(ms float64) string {
	name, millis := metric.TimeUnit(ms)
	return strconv.FormatFloat(ms/millis, 'g', 6, 64) + " " + name
}

// label removes labels until at most the given number remains. It aligns labels near the ends of
// the axis so that they stay within the plot.
func (a *Axis) label(most int) {
	every := (len(a.Ticks) + most - 1) / most
	for i := range a.Ticks {
		t := &a.Ticks[i]
		if i%every != 0 {
			t.Label = ""
		}
		switch {
		case t.Position < 5:
			t.Anchor = "start"
		case t.Position > 95:
			t.Anchor = "end"
		default:
			t.Anchor = "middle"
		}
	}
}

// plotWidths lists the widths of a plot, in pixels, from which it shows more axis labels. class is
// the CSS class of these labels, and most is the maximum number of labels at this width.
var plotWidths = []struct {
	class string
	width float64
	most  int
}{{"", 96, 3}, {"w160", 160, 3}, {"w240", 240, maxTimeLabels}, {"w320", 320, maxTimeLabels},
	{"w560", 560, maxTimeLabels}}

// Estimated width of a character, and minimum distance between two labels, in pixels.
const (
	charWidth = 7
	labelGap  = 8
)

// plot renders the labels of the axis. In a narrow plot it hides some of them, so that they do not
// overlap.
func (a Axis) plot() template.HTML {
	return plot{Height: axisHeight, Ticks: fittedTicks(a.Ticks)}.HTML()
}

// fittedTicks sets for each label the minimum width of the plot at which it is shown. The labels at
// the ends have priority, then those closest to the middle. It omits labels that never fit.
func fittedTicks(ticks []Tick) (shown []Tick) {
	ticks = slices.DeleteFunc(slices.Clone(ticks), func(t Tick) bool { return t.Label == "" })
	if len(ticks) == 0 {
		return nil
	}
	ranks := map[float64]float64{}
	for i, t := range ticks {
		ranks[t.Position] = math.Abs(float64(2*i - len(ticks) + 1))
	}
	ranks[ticks[0].Position], ranks[ticks[len(ticks)-1].Position] = -2, -1
	slices.SortStableFunc(ticks, func(a, b Tick) int { return cmp.Compare(ranks[a.Position], ranks[b.Position]) })
	for _, room := range plotWidths {
		ticks = slices.DeleteFunc(ticks, func(t Tick) bool {
			fits := len(shown) < room.most &&
				!slices.ContainsFunc(shown, func(other Tick) bool { return overlap(t, other, room.width) })
			if fits {
				t.HideClass = room.class
				shown = append(shown, t)
			}
			return fits
		})
	}
	slices.SortFunc(shown, func(a, b Tick) int { return cmp.Compare(a.Position, b.Position) })
	return shown
}

func overlap(a, b Tick, width float64) bool {
	if a.Position > b.Position {
		a, b = b, a
	}
	_, end := a.extent(width)
	start, _ := b.extent(width)
	return end+labelGap > start
}

// extent returns the start and the end of a label in a plot of the given width, in pixels.
func (t Tick) extent(width float64) (from, to float64) {
	at, long := t.Position/100*width, charWidth*float64(utf8.RuneCountInString(t.Label))
	switch t.Anchor {
	case "start":
		return at, at + long
	case "end":
		return at - long, at
	}
	return at - long/2, at + long/2
}

// legendItem is a color of a figure and its meaning.
type legendItem struct {
	Class string
	Text  string
	Line  bool // drawn as a hatched line
}

func legend(signs ...legendItem) template.HTML { return fragment("legend", signs) }
