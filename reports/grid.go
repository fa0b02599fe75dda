package reports

import (
	"slices"

	"evalctl/eval/number"
)

// gap is the number of blanks between two columns of a table.
const gap = 2

// grid is a table. Readers see the heads of the columns and the texts of the cells. CSV and JSON
// contain the keys of the columns and the values of the cells.
type grid struct {
	keys      int      // number of leading columns that identify a row
	columns   []column // all have the same number of cells
	narrow    fitting  // how the table fits a narrow page
	shortKeys []string // short keys of the rows, which replace the key columns of a split table; nil: none
	// columns from this index on stay together in a split table if possible; 0: none
	joinedFrom int
}

// column is a column of a table. A column without a key is only for readers, and one without a head
// is only for CSV and JSON.
type column struct {
	key            string // name in CSV and JSON
	head, tailHead string // heads of the texts and of their tails
	right          bool   // texts are right-aligned
	estimate       bool   // the values are estimates, so that CSV also has columns for interval and n
	plot           bool   // the texts draw a plot, which only terminals show
	rank           int    // if the table is too wide, columns with the lowest rank are removed first; 0: never removed
	cells          []cell
}

// cell is a cell of a table. The tail is an interval or a denominator, which is aligned separately.
// The value is a string, a bool, an integer, a float64, a *float64 or an eval.Estimate; nil if there
// is none.
type cell struct {
	text, tail string
	tone       tone
	value      any
}

// fitting states how a table fits a page that is narrower than the table without its ranked columns.
type fitting int

const (
	splitColumns fitting = iota // several tables with the same keys, each with some of the columns
	shortenNames                // without tails, then with shortened texts in the first column
	keepNames                   // the table may be wider than the page
	wrapLast                    // the texts of the last column are wrapped in the remaining width
)

// addRow appends a row with one cell for each column.
func (g *grid) addRow(cells []cell) {
	for i := range g.columns {
		g.columns[i].cells = append(g.columns[i].cells, cells[i])
	}
}

// rows returns the number of rows.
func (g grid) rows() int {
	if len(g.columns) == 0 {
		return 0
	}
	return len(g.columns[0].cells)
}

// row returns the cells of a row.
func (g grid) row(i int) []cell {
	cells := make([]cell, len(g.columns))
	for n, c := range g.columns {
		cells[n] = c.cells[i]
	}
	return cells
}

// firstRows returns a table with the first n rows.
func (g grid) firstRows(n int) grid {
	g.columns = slices.Clone(g.columns)
	for i := range g.columns {
		g.columns[i].cells = g.columns[i].cells[:n]
	}
	return g
}

func (g *grid) clean() {
	g.columns, g.shortKeys = slices.Clone(g.columns), slices.Clone(g.shortKeys)
	for i := range g.columns {
		c := &g.columns[i]
		c.head, c.tailHead, c.cells = escapeLine(c.head), escapeLine(c.tailHead), slices.Clone(c.cells)
		for n := range c.cells {
			c.cells[n].text, c.cells[n].tail = escapeLine(c.cells[n].text), escapeLine(c.cells[n].tail)
		}
	}
	for i := range g.shortKeys {
		g.shortKeys[i] = escapeLine(g.shortKeys[i])
	}
}

// title returns the head of a column with the head of its tails.
func (c column) title() string { return joined(c.head, c.tailHead) }

// line returns the text of a cell with its tail.
func (c cell) line() string { return joined(c.text, c.tail) }

func joined(text, tail string) string {
	if text == "" || tail == "" {
		return text + tail
	}
	return text + " " + tail
}

// empty reports whether the column has no texts.
func (c column) empty() bool {
	return !slices.ContainsFunc(c.cells, func(one cell) bool { return one.text != "" && one.text != number.MissingText })
}

// valueWidths returns the width of the widest text and of the widest tail.
func (c column) valueWidths() (text, tail int) {
	for _, one := range c.cells {
		text, tail = max(text, displayWidth(one.text)), max(tail, displayWidth(one.tail))
	}
	return text, tail
}

func (c column) width() int {
	text, tail := c.valueWidths()
	if tail > 0 {
		text += 1 + tail
	}
	return max(text, displayWidth(c.title()))
}

// texts returns the texts of all columns.
func (g grid) texts() (texts [][]string) {
	for _, c := range g.columns {
		var column []string
		for _, one := range c.cells {
			column = append(column, one.text)
		}
		texts = append(texts, column)
	}
	return texts
}

// withoutEmptyColumns returns the table without columns that have no texts. It keeps the keys.
func (g grid) withoutEmptyColumns() grid {
	keys := g.columns[:min(g.keys, len(g.columns))]
	others := slices.DeleteFunc(slices.Clone(g.columns[len(keys):]), column.empty)
	g.columns = slices.Concat(keys, others)
	return g
}

// has reports whether the table has a column with the head.
func (g grid) has(head string) bool {
	return slices.ContainsFunc(g.columns, func(c column) bool { return c.head == head })
}

// readable returns the table without columns that no reader sees: those only for CSV and JSON, and
// empty ones that have a rank.
func (g grid) readable() grid {
	g.columns = slices.DeleteFunc(slices.Clone(g.columns), func(c column) bool {
		return c.title() == "" && c.key != "" || c.rank > 0 && c.empty()
	})
	return g
}

// printable returns the table for formats that do not draw plots in tables.
func (g grid) printable() grid {
	g = g.readable()
	g.columns = slices.DeleteFunc(g.columns, func(c column) bool { return c.plot })
	return g
}

// fit returns the tables that show g on a page of the given width.
func (g grid) fit(width int) []grid {
	g = g.withoutRanked(width)
	switch {
	case g.width() <= width || g.narrow == wrapLast, g.narrow == keepNames:
		return []grid{g}
	case g.narrow == shortenNames:
		return []grid{g.withShortNames(width)}
	}
	return g.split(width)
}

// importantRank is the rank from which on a column is worth shorter names. A note states if it is
// removed nevertheless. importantNameWidth is the width of these names.
const (
	importantRank      = 8
	importantNameWidth = 12
)

// withoutRanked returns the table without the columns of the lowest ranks, as far as the width
// requires it. Names in the first column are shortened before an important column is removed, if the
// table allows that.
func (g grid) withoutRanked(width int) grid {
	g = g.readable()
	for g.width() > width {
		lowest := -1
		for i, c := range g.columns {
			if c.rank > 0 && (lowest < 0 || c.rank < g.columns[lowest].rank) {
				lowest = i
			}
		}
		if lowest < 0 {
			break
		}
		if g.narrow == shortenNames && g.columns[lowest].rank >= importantRank {
			if short, ok := g.withNames(g.columns[0].width() - (g.width() - width)); ok {
				return short
			}
		}
		g.columns = slices.Delete(g.columns, lowest, lowest+1)
	}
	return g
}

// withNames returns a table whose names, the first column, have at most this width. ok is false if the
// names would be too short or not different.
func (g grid) withNames(width int) (out grid, ok bool) {
	out, seen := g, map[string]bool{}
	out.columns = slices.Clone(g.columns)
	names := &out.columns[0]
	names.cells = slices.Clone(names.cells)
	for i, name := range names.cells {
		short := truncateMiddle(name.text, width)
		if short != name.text && seen[short] {
			return g, false
		}
		seen[short] = true
		names.cells[i].text = short
	}
	return out, width >= importantNameWidth && names.width() <= width
}

// missing returns the heads of the important columns that g has and fitted lacks.
func (g grid) missing(fitted grid) (heads []string) {
	for _, c := range g.columns {
		if c.rank >= importantRank && !c.empty() && !fitted.has(c.head) {
			heads = append(heads, c.head)
		}
	}
	return heads
}

// width returns the width of the table if no text is wrapped.
func (g grid) width() int { return totalWidth(g.naturalWidths()) }

func (g grid) naturalWidths() []int {
	widths := make([]int, len(g.columns))
	for i, c := range g.columns {
		widths[i] = c.width()
	}
	return widths
}

// withShortNames returns the table without tails. If it is still wider than width, the texts of the
// first column are shortened.
func (g grid) withShortNames(width int) grid {
	for i := range g.columns {
		c := &g.columns[i]
		c.tailHead, c.cells = "", slices.Clone(c.cells)
		for n := range c.cells {
			c.cells[n].tail = ""
		}
	}
	over := g.width() - width
	if over <= 0 || len(g.columns) == 0 {
		return g
	}
	names := &g.columns[0]
	room := max(names.width()-over, minNameWidth)
	names.head = truncate(names.head, room)
	for n := range names.cells {
		names.cells[n].text = truncateMiddle(names.cells[n].text, room)
	}
	return g
}

const minNameWidth = 8

// split returns several tables that fit the width. Each has the key columns and some of the other
// columns.
func (g grid) split(width int) []grid {
	g = g.withShortKeys()
	widths := g.fittedWidths(width)
	room := width - totalWidth(widths[:g.keys])
	var parts []grid
	for from := g.keys; from < len(g.columns); {
		to, left := from, room
		for to < len(g.columns) && (to == from || widths[to]+gap <= left) {
			left -= widths[to] + gap
			to++
		}
		if from < g.joinedFrom && g.joinedFrom < to && to < len(g.columns) {
			to = g.joinedFrom
		}
		part := g
		part.columns = slices.Concat(g.columns[:g.keys], g.columns[from:to])
		parts = append(parts, part)
		from = to
	}
	return parts
}

// withShortKeys replaces the key columns by one column with the short keys.
func (g grid) withShortKeys() grid {
	if g.shortKeys == nil {
		return g
	}
	keys := column{head: g.columns[0].head}
	for _, text := range g.shortKeys {
		keys.cells = append(keys.cells, cell{text: text})
	}
	g.joinedFrom = max(0, g.joinedFrom-g.keys+1)
	g.columns, g.keys, g.shortKeys = append([]column{keys}, g.columns[g.keys:]...), 1, nil
	return g
}

// fittedWidths returns the column widths for a total width: the keys get at most two fifths, the
// other columns the rest. Longer texts must be wrapped.
func (g grid) fittedWidths(width int) []int {
	widths := g.naturalWidths()
	if g.narrow == shortenNames || g.narrow == keepNames {
		return widths
	}
	for i := range g.keys {
		widths[i] = min(widths[i], (width*2/5-gap*(g.keys-1))/g.keys)
	}
	left := width - totalWidth(widths[:g.keys]) - gap
	for i := g.keys; i < len(widths); i++ {
		widths[i] = min(widths[i], left)
	}
	if last := len(widths) - 1; g.narrow == wrapLast && last > 0 {
		widths[last] = min(widths[last], max(width-totalWidth(widths[:last])-gap, gap))
	}
	return widths
}

// totalWidth returns the total width of columns, including the gaps between them.
func totalWidth(widths []int) int {
	total := gap * max(0, len(widths)-1)
	for _, w := range widths {
		total += w
	}
	return total
}
