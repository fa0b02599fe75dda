package page

import (
	"html/template"
	"strconv"
	"strings"
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
