package document

import (
	"slices"

	"evalctl/eval/metric"
)

// Gap is the number of blanks between two columns of a table.
const Gap = 2

// Table is a table. Readers see the heads of the columns and the texts of the cells. CSV and JSON
// contain the keys of the columns and the values of the cells.
type Table struct {
	Keys      int      // number of leading columns that identify a row
	Columns   []Column // all have the same number of cells
	Narrow    Fitting  // how the table fits a narrow page
	ShortKeys []string // short keys of the rows, which replace the key columns of a split table; nil: none
	// columns from this index on stay together in a split table if possible; 0: none
	JoinedFrom int
	Class      string // CSS class of the table in HTML; "": none
}

// Column is a column of a table. A column without a key is only for readers, and one without a head
// is only for CSV and JSON.
type Column struct {
	Key            string // name in CSV and JSON
	Head, TailHead string // heads of the texts and of their tails
	Right          bool   // texts are right-aligned
	Estimate       bool   // the values are estimates, so that CSV also has columns for interval and n
	Axis           *Axis  // axis of the cells' marks; nil: the cells have texts
	PlotWidth      int    // maximum width of the marks in a terminal; 0: only HTML shows them
	Group          string // head above several columns in HTML; "": none
	Rank           int    // if the table is too wide, columns with the lowest rank are removed first; 0: never removed
	Cells          []Cell
}

// Cell is a cell of a table. The tail is an interval or a denominator, which is aligned separately.
// The value is a string, a bool, an integer, a float64, a *float64 or an eval.Estimate; nil if there
// is none.
type Cell struct {
	Text, Tail string
	Tone       Tone
	Value      any
	Marks      []Mark // shapes on the axis of the column, instead of a text

	// what only HTML shows
	Parts []Part // text in parts with links; nil: Text
	Link  string // address that the text links to, within the page or its server; "": none
	Tag   string // short label after the text
	Note  string // text below
	// address that the note links to; "": none
	NoteLink string
	Choice   *Choice // radio button instead of the text; nil: none
	Tint     int     // background: 1 to 6 from light to dark for wrong, −1 to −6 for correct; 0: none
}

// Choice is a radio button. Its form is an element elsewhere on the page.
type Choice struct {
	Form        string // id of the form
	Name, Value string
	Label       string // for screen readers
	Checked     bool
}

// Fitting states how a table fits a page that is narrower than the table without its ranked columns.
type Fitting int

const (
	SplitColumns Fitting = iota // several tables with the same keys, each with some of the columns
	ShortenNames                // without tails, then with shortened texts in the first column
	KeepNames                   // the table may be wider than the page
	WrapLast                    // the texts of the last column are wrapped in the remaining width
)

// AddRow appends a row with one cell for each column.
func (g *Table) AddRow(cells []Cell) {
	for i := range g.Columns {
		g.Columns[i].Cells = append(g.Columns[i].Cells, cells[i])
	}
}

// Rows returns the number of rows.
func (g Table) Rows() int {
	if len(g.Columns) == 0 {
		return 0
	}
	return len(g.Columns[0].Cells)
}

// row returns the cells of a row.
func (g Table) row(i int) []Cell {
	cells := make([]Cell, len(g.Columns))
	for n, c := range g.Columns {
		cells[n] = c.Cells[i]
	}
	return cells
}

// FirstRows returns a table with the first n rows.
func (g Table) FirstRows(n int) Table {
	g.Columns = slices.Clone(g.Columns)
	for i := range g.Columns {
		g.Columns[i].Cells = g.Columns[i].Cells[:n]
	}
	return g
}

func (g *Table) clean() {
	g.Columns, g.ShortKeys = slices.Clone(g.Columns), slices.Clone(g.ShortKeys)
	for i := range g.Columns {
		c := &g.Columns[i]
		c.Head, c.TailHead, c.Group = escapeLine(c.Head), escapeLine(c.TailHead), escapeLine(c.Group)
		c.Cells = slices.Clone(c.Cells)
		for n := range c.Cells {
			cell := &c.Cells[n]
			cell.Text, cell.Tail = escapeLine(cell.Text), escapeLine(cell.Tail)
			cell.Tag, cell.Note, cell.Parts = escapeLine(cell.Tag), escapeLine(cell.Note), cleanParts(cell.Parts)
		}
	}
	for i := range g.ShortKeys {
		g.ShortKeys[i] = escapeLine(g.ShortKeys[i])
	}
}

// title returns the head of a column with the head of its tails.
func (c Column) title() string { return joined(c.Head, c.TailHead) }

// line returns the text of a cell with its tail.
func (c Cell) line() string { return joined(c.Text, c.Tail) }

func joined(text, tail string) string {
	if text == "" || tail == "" {
		return text + tail
	}
	return text + " " + tail
}

// empty reports whether the column has no texts.
func (c Column) empty() bool {
	return !slices.ContainsFunc(
		c.Cells, func(one Cell) bool { return one.Text != "" && one.Text != metric.MissingText })
}

// valueWidths returns the width of the widest text and of the widest tail.
func (c Column) valueWidths() (text, tail int) {
	for _, one := range c.Cells {
		text, tail = max(text, displayWidth(one.Text)), max(tail, displayWidth(one.Tail))
	}
	return text, tail
}

func (c Column) width() int {
	text, tail := c.valueWidths()
	if tail > 0 {
		text += 1 + tail
	}
	return max(text, displayWidth(c.title()))
}

// texts returns the titles and texts of all columns.
func (g Table) texts() (texts [][]string) {
	for _, c := range g.Columns {
		column := []string{c.title()}
		for _, one := range c.Cells {
			column = append(column, one.line())
		}
		texts = append(texts, column)
	}
	return texts
}

// withoutEmptyColumns returns the table without columns that have no texts. It keeps the keys.
func (g Table) withoutEmptyColumns() Table {
	keys := g.Columns[:min(g.Keys, len(g.Columns))]
	others := slices.DeleteFunc(slices.Clone(g.Columns[len(keys):]), Column.empty)
	g.Columns = slices.Concat(keys, others)
	return g
}

// Has reports whether the table has a column with the head.
func (g Table) Has(head string) bool {
	return slices.ContainsFunc(g.Columns, func(c Column) bool { return c.Head == head })
}

// readable returns the table without columns that no reader sees: those only for CSV and JSON, and
// empty ones that have a rank.
func (g Table) readable() Table {
	g.Columns = slices.DeleteFunc(slices.Clone(g.Columns), func(c Column) bool {
		if c.Axis != nil {
			return c.PlotWidth == 0
		}
		return c.title() == "" && c.Key != "" || c.Rank > 0 && c.empty()
	})
	return g
}

// printable returns the table for formats that do not draw marks.
func (g Table) printable() Table {
	g = g.readable()
	g.Columns = slices.DeleteFunc(g.Columns, func(c Column) bool { return c.Axis != nil })
	return g
}

// minPlotWidth is the width to which a plot in a table can shrink.
const minPlotWidth = 12

// withPlots returns the table with texts in place of marks. A plot gets the width that the other
// columns leave.
func (g Table) withPlots(width int) Table {
	room := width - g.Width()
	g.Columns = slices.Clone(g.Columns)
	for i, c := range g.Columns {
		if c.Axis != nil {
			g.Columns[i] = c.plotted(min(max(room, minPlotWidth), c.PlotWidth))
		}
	}
	return g
}

// Fit returns the tables that show g on a page of the given width.
func (g Table) Fit(width int) []Table {
	g = g.WithoutRanked(width)
	switch {
	case g.Width() <= width || g.Narrow == WrapLast, g.Narrow == KeepNames:
		return []Table{g}
	case g.Narrow == ShortenNames:
		return []Table{g.withShortNames(width)}
	}
	return g.split(width)
}

// importantRank is the rank from which on a column is worth shorter names. A note states if it is
// removed nevertheless. importantNameWidth is the width of these names.
const (
	importantRank      = 8
	importantNameWidth = 12
)

// WithoutRanked returns the table without the columns of the lowest ranks, as far as the width
// requires it. Names in the first column are shortened before an important column is removed, if the
// table allows that.
func (g Table) WithoutRanked(width int) Table {
	g = g.readable()
	for drawn := g.withPlots(width); ; drawn = g.withPlots(width) {
		lowest := -1
		for i, c := range g.Columns {
			if c.Rank > 0 && (lowest < 0 || c.Rank < g.Columns[lowest].Rank) {
				lowest = i
			}
		}
		over := drawn.Width() - width
		if over <= 0 || lowest < 0 {
			return drawn
		}
		if g.Narrow == ShortenNames && g.Columns[lowest].Rank >= importantRank {
			if short, ok := drawn.withNames(drawn.Columns[0].width() - over); ok {
				return short
			}
		}
		g.Columns = slices.Delete(g.Columns, lowest, lowest+1)
	}
}

// withNames returns a table whose names, the first column, have at most this width. ok is false if the
// names would be too short or not different.
func (g Table) withNames(width int) (out Table, ok bool) {
	out, seen := g, map[string]bool{}
	out.Columns = slices.Clone(g.Columns)
	names := &out.Columns[0]
	names.Cells = slices.Clone(names.Cells)
	for i, name := range names.Cells {
		short := truncateMiddle(name.Text, width)
		if short != name.Text && seen[short] {
			return g, false
		}
		seen[short] = true
		names.Cells[i].Text = short
	}
	return out, width >= importantNameWidth && names.width() <= width
}

// Missing returns the heads of the important columns that g has and fitted lacks.
func (g Table) Missing(fitted Table) (heads []string) {
	for _, c := range g.Columns {
		if c.Rank >= importantRank && !c.empty() && !fitted.Has(c.Head) {
			heads = append(heads, c.Head)
		}
	}
	return heads
}

// Width returns the width of the table if no text is wrapped.
func (g Table) Width() int { return TotalWidth(g.NaturalWidths()) }

func (g Table) NaturalWidths() []int {
	widths := make([]int, len(g.Columns))
	for i, c := range g.Columns {
		widths[i] = c.width()
	}
	return widths
}

// withShortNames returns the table without tails. If it is still wider than width, the texts of the
// first column are shortened.
func (g Table) withShortNames(width int) Table {
	g.Columns = slices.Clone(g.Columns)
	for i := range g.Columns {
		c := &g.Columns[i]
		c.TailHead, c.Cells = "", slices.Clone(c.Cells)
		for n := range c.Cells {
			c.Cells[n].Tail = ""
		}
	}
	over := g.Width() - width
	if over <= 0 || len(g.Columns) == 0 {
		return g
	}
	names := &g.Columns[0]
	room := max(names.width()-over, MinNameWidth)
	names.Head = truncate(names.Head, room)
	for n := range names.Cells {
		names.Cells[n].Text = truncateMiddle(names.Cells[n].Text, room)
	}
	return g
}

const MinNameWidth = 8

// split returns several tables that fit the width. Each has the key columns and some of the other
// columns.
func (g Table) split(width int) []Table {
	g = g.withShortKeys()
	widths := g.fittedWidths(width)
	room := width - TotalWidth(widths[:g.Keys])
	var parts []Table
	for from := g.Keys; from < len(g.Columns); {
		to, left := from, room
		for to < len(g.Columns) && (to == from || widths[to]+Gap <= left) {
			left -= widths[to] + Gap
			to++
		}
		if from < g.JoinedFrom && g.JoinedFrom < to && to < len(g.Columns) {
			to = g.JoinedFrom
		}
		part := g
		part.Columns = slices.Concat(g.Columns[:g.Keys], g.Columns[from:to])
		parts = append(parts, part)
		from = to
	}
	return parts
}

// withShortKeys replaces the key columns by one column with the short keys.
func (g Table) withShortKeys() Table {
	if g.ShortKeys == nil {
		return g
	}
	keys := Column{Head: g.Columns[0].Head}
	for _, text := range g.ShortKeys {
		keys.Cells = append(keys.Cells, Cell{Text: text})
	}
	g.JoinedFrom = max(0, g.JoinedFrom-g.Keys+1)
	g.Columns, g.Keys, g.ShortKeys = append([]Column{keys}, g.Columns[g.Keys:]...), 1, nil
	return g
}

// fittedWidths returns the column widths for a total width: the keys get at most two fifths, the
// other columns the rest. Longer texts must be wrapped.
func (g Table) fittedWidths(width int) []int {
	widths := g.NaturalWidths()
	if g.Narrow == ShortenNames || g.Narrow == KeepNames {
		return widths
	}
	for i := range g.Keys {
		widths[i] = min(widths[i], (width*2/5-Gap*(g.Keys-1))/g.Keys)
	}
	left := width - TotalWidth(widths[:g.Keys]) - Gap
	for i := g.Keys; i < len(widths); i++ {
		widths[i] = min(widths[i], left)
	}
	if last := len(widths) - 1; g.Narrow == WrapLast && last > 0 {
		widths[last] = min(widths[last], max(width-TotalWidth(widths[:last])-Gap, Gap))
	}
	return widths
}

// TotalWidth returns the total width of columns, including the gaps between them.
func TotalWidth(widths []int) int {
	total := Gap * max(0, len(widths)-1)
	for _, w := range widths {
		total += w
	}
	return total
}
