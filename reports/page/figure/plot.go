package figure

import (
	"html/template"
	"strconv"
	"strings"
)

// Rows is a figure of rows: a name, then in each panel a plot on the panel's axis and
// the value that it shows, in text. Rows that are to be compared share their axes.
type Rows struct {
	Class  string // of the style that says how wide columns are: figures with one have equal ones
	Panels []Panel
	Rows   []Row
}

// Panel is a column of plots.
type Panel struct {
	Head string // what its axis is
	Axis Axis
	Zero *float64 // a dashed line there
	Band *Span    // behind all rows
}

// Span is a part of an axis, in its values.
type Span struct{ From, To float64 }

// Row is a variant, a fault, a class.
type Row struct {
	Name  string
	Link  string     // an address; "": none
	Cells []PlotCell // one a panel
}

// PlotCell is a plot and what it says in text. The plot is hidden from who cannot see it, so
// the text has all that it shows.
type PlotCell struct {
	Marks []Mark // at percentages: see Axis.At
	Value template.HTML
}

// Mark is a shape of a plot. Its class has its colour.
type Mark struct {
	Shape  Shape
	From   float64 // percent; of a dot and an upright line, where it is
	To     float64
	Y      float64 // pixels from above; a dot or a line without is in the middle
	Height float64 // pixels; a rectangle or an upright line without is as high as the plot
	Class  string
}

// Shape is what a mark looks like.
type Shape string

const (
	Rect Shape = "rect" // between From and To
	Line Shape = "line" // from From to To
	Rule Shape = "rule" // upright
	Dot  Shape = "dot"
)

// rowHeight is that of a plot in Rows, in pixels: at least, where the text beside it is higher.
const rowHeight = 30

// plot is a drawing as wide as there is room.
type plot struct {
	Height float64
	Marks  []Mark
	Ticks  []Tick // labels; lines are marks
}

// HTML is the plot as SVG.
func (p plot) HTML() template.HTML { return fragment("plot", p) }

// HTML is the figure.
func (r Rows) HTML() template.HTML {
	type column struct {
		Plot  template.HTML
		Value template.HTML
		Nth   int
		Blank bool // nothing is drawn
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
		Parts bool // several panels: they stand beneath each other where there is no room
	}{Class: r.Class, Heads: r.Panels, Parts: len(r.Panels) > 1}
	for _, one := range r.Rows {
		shown := row{Name: one.Name, Link: one.Link}
		for i, c := range one.Cells {
			marks := append(r.Panels[i].behind(), c.Marks...)
			shown.Columns = append(shown.Columns, column{Plot: plot{Height: rowHeight, Marks: marks}.HTML(), Value: c.Value, Nth: i, Blank: len(c.Marks) == 0})
		}
		data.Rows = append(data.Rows, shown)
	}
	for i, p := range r.Panels {
		data.Axes = append(data.Axes, column{Plot: p.Axis.plot(), Nth: i})
	}
	return fragment("rows", data)
}

const axisHeight = 18

// behind is what lies behind the marks of every row.
func (p Panel) behind() (marks []Mark) {
	if p.Band != nil {
		marks = append(marks, Mark{Shape: Rect, From: p.Axis.At(p.Band.From), To: p.Axis.At(p.Band.To), Class: "band"})
	}
	for _, t := range p.Axis.Ticks {
		marks = append(marks, Mark{Shape: Rule, From: t.At, Class: "grid"})
	}
	if p.Zero != nil {
		marks = append(marks, Mark{Shape: Rule, From: p.Axis.At(*p.Zero), Class: "zero"})
	}
	return marks
}

// X is where a mark begins, X2 where it ends and W how wide it is, as attributes have it.
func (m Mark) X() string  { return percent(m.From) }
func (m Mark) X2() string { return percent(m.To) }
func (m Mark) W() string  { return percent(m.To - m.From) }

// Top is where a mark begins from above.
func (m Mark) Top() string { return pixels(m.Y) }

// Bottom is where an upright line ends.
func (m Mark) Bottom() string {
	if m.Height == 0 {
		return "100%"
	}
	return pixels(m.Y + m.Height)
}

// Tall is how high a rectangle is.
func (m Mark) Tall() string {
	if m.Height == 0 {
		return "100%"
	}
	return pixels(m.Height)
}

// Middle is where a dot or a line is.
func (m Mark) Middle() string {
	if m.Y == 0 {
		return "50%"
	}
	return pixels(m.Y)
}

// X is where a label stands.
func (t Tick) X() string { return percent(t.At) }

func percent(v float64) string { return pixels(v) + "%" }

func pixels(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
}

// bar is a share's parts side by side, from the left, each with its class: a bar of the
// whole width with a frame. Parts of nothing are left out.
func bar(height float64, parts ...Piece) template.HTML {
	p := plot{Height: height}
	at := 0.0
	for _, one := range parts {
		if one.Share > 0 {
			p.Marks = append(p.Marks, Mark{Shape: Rect, From: at, To: at + one.Share*100, Height: height, Class: one.Class})
		}
		at += one.Share * 100
	}
	p.Marks = append(p.Marks, Mark{Shape: Rect, To: 100, Height: height, Class: "frame"})
	return p.HTML()
}

// Piece is a part of a bar.
type Piece struct {
	Share float64 // of the bar's width
	Class string
}
