package reports

import "slices"

// gap separates columns.
const gap = 2

// grid is a table whose first columns, the keys, say what a row is about.
type grid struct {
	keys    int
	columns []column
	rows    [][]cell
	narrow  []string // one short key a row, for where the keys take too much room
	widths  []int    // of the columns, once folded
	flex    bool     // the last column takes what room is left, on several lines
	joint   int      // from this column on they belong together; 0: none do
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
	for i := range g.narrow {
		g.narrow[i] = clean(g.narrow[i])
	}
	for _, row := range g.rows {
		for i := range row {
			row[i].text = clean(row[i].text)
		}
	}
}

// fold makes of a grid several that are no wider than width, each with the
// keys and some of the columns.
func (g grid) fold(width int) []grid {
	g.widths = g.fit(width)
	if g.flex || sum(g.widths) <= width && slices.Equal(g.widths, g.natural()) {
		return []grid{g}
	}
	g = g.narrowed()
	g.widths = g.fit(width)
	room := width - sum(g.widths[:g.keys])
	var parts []grid
	for from := g.keys; from < len(g.columns); {
		to, left := from, room
		for to < len(g.columns) && (to == from || g.widths[to]+gap <= left) {
			left -= g.widths[to] + gap
			to++
		}
		if from < g.joint && g.joint < to && to < len(g.columns) {
			to = g.joint
		}
		parts = append(parts, g.only(from, to))
		from = to
	}
	return parts
}

// only keeps the keys and the columns in [from, to).
func (g grid) only(from, to int) grid {
	part := grid{keys: g.keys}
	part.columns = append(append(part.columns, g.columns[:g.keys]...), g.columns[from:to]...)
	part.widths = append(append(part.widths, g.widths[:g.keys]...), g.widths[from:to]...)
	for _, row := range g.rows {
		short := append([]cell(nil), row[:g.keys]...)
		part.rows = append(part.rows, append(short, row[from:to]...))
	}
	return part
}

// narrowed puts the short key in place of the keys.
func (g grid) narrowed() grid {
	if g.narrow == nil {
		return g
	}
	out := grid{keys: 1, joint: max(0, g.joint-g.keys+1), columns: append([]column{{head: g.columns[0].head}}, g.columns[g.keys:]...)}
	for i, row := range g.rows {
		out.rows = append(out.rows, append([]cell{{text: g.narrow[i]}}, row[g.keys:]...))
	}
	return out
}

// natural is how wide each column would like to be.
func (g grid) natural() []int {
	widths := make([]int, len(g.columns))
	for i, c := range g.columns {
		widths[i] = columnsOf(c.head)
		for _, row := range g.rows {
			widths[i] = max(widths[i], columnsOf(row[i].text))
		}
	}
	return widths
}

// fit holds the keys to two fifths of the width and every other column to
// what they leave; what is longer is broken into lines.
func (g grid) fit(width int) []int {
	widths := g.natural()
	for i := range g.keys {
		widths[i] = min(widths[i], (width*2/5-gap*(g.keys-1))/g.keys)
	}
	left := width - sum(widths[:g.keys]) - gap
	for i := g.keys; i < len(widths); i++ {
		widths[i] = min(widths[i], left)
	}
	if last := len(widths) - 1; g.flex && last > 0 {
		widths[last] = min(widths[last], max(width-sum(widths[:last])-gap, gap))
	}
	return widths
}

// sum is the width of columns with the gaps between them.
func sum(widths []int) int {
	total := gap * max(0, len(widths)-1)
	for _, w := range widths {
		total += w
	}
	return total
}
