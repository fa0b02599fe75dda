package reports

import "slices"

// gap is the number of blanks between two columns of a table.
const gap = 2

// grid is a table. The field keys is the number of leading columns that identify a row.
type grid struct {
	keys         int
	columns      []column
	rows         [][]cell
	shortKeys    []string // one short key for each row; they replace the key columns if these are too wide
	widths       []int    // column widths, set by fold
	lastFlexible bool     // the last column gets the remaining width, and its texts are wrapped
	joinedFrom   int      // fold keeps the columns from this index on together if possible; 0: none
}

type column struct {
	head  string
	right bool
}

type cell struct {
	text string
	tone tone
}

func (g *grid) clean() {
	for i := range g.columns {
		g.columns[i].head = clean(g.columns[i].head)
	}
	for i := range g.shortKeys {
		g.shortKeys[i] = clean(g.shortKeys[i])
	}
	for _, row := range g.rows {
		for i := range row {
			row[i].text = clean(row[i].text)
		}
	}
}

// fold splits a grid into several grids that fit the width. Each has the key columns and some of
// the other columns.
func (g grid) fold(width int) []grid {
	g.widths = g.fit(width)
	if g.lastFlexible || totalWidth(g.widths) <= width && slices.Equal(g.widths, g.naturalWidths()) {
		return []grid{g}
	}
	g = g.withShortKeys()
	g.widths = g.fit(width)
	room := width - totalWidth(g.widths[:g.keys])
	var parts []grid
	for from := g.keys; from < len(g.columns); {
		to, left := from, room
		for to < len(g.columns) && (to == from || g.widths[to]+gap <= left) {
			left -= g.widths[to] + gap
			to++
		}
		if from < g.joinedFrom && g.joinedFrom < to && to < len(g.columns) {
			to = g.joinedFrom
		}
		parts = append(parts, g.slice(from, to))
		from = to
	}
	return parts
}

// slice returns a grid with the key columns and the columns with index i, from <= i < to.
func (g grid) slice(from, to int) grid {
	part := grid{keys: g.keys}
	part.columns = append(append(part.columns, g.columns[:g.keys]...), g.columns[from:to]...)
	part.widths = append(append(part.widths, g.widths[:g.keys]...), g.widths[from:to]...)
	for _, row := range g.rows {
		short := append([]cell(nil), row[:g.keys]...)
		part.rows = append(part.rows, append(short, row[from:to]...))
	}
	return part
}

// withShortKeys replaces the key columns by one column with the short keys.
func (g grid) withShortKeys() grid {
	if g.shortKeys == nil {
		return g
	}
	out := grid{keys: 1, joinedFrom: max(0, g.joinedFrom-g.keys+1),
		columns: append([]column{{head: g.columns[0].head}}, g.columns[g.keys:]...)}
	for i, row := range g.rows {
		out.rows = append(out.rows, append([]cell{{text: g.shortKeys[i]}}, row[g.keys:]...))
	}
	return out
}

func (g grid) naturalWidths() []int {
	widths := make([]int, len(g.columns))
	for i, c := range g.columns {
		widths[i] = columnsOf(c.head)
		for _, row := range g.rows {
			widths[i] = max(widths[i], columnsOf(row[i].text))
		}
	}
	return widths
}

// fit returns the column widths for a total width: the keys get at most two fifths, the other
// columns the rest. Longer texts must be wrapped.
func (g grid) fit(width int) []int {
	widths := g.naturalWidths()
	for i := range g.keys {
		widths[i] = min(widths[i], (width*2/5-gap*(g.keys-1))/g.keys)
	}
	left := width - totalWidth(widths[:g.keys]) - gap
	for i := g.keys; i < len(widths); i++ {
		widths[i] = min(widths[i], left)
	}
	if last := len(widths) - 1; g.lastFlexible && last > 0 {
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
