package reports

import "strings"

// tableCell is what stands in one place of a table on the first screen: a value, and
// behind it its interval or its denominator.
type tableCell struct {
	text, tail string
	tone       tone
}

// tableColumn is one of the screen's columns. Its values are aligned, and what stands
// behind them, too.
type tableColumn struct {
	head, tailHead string
	right          bool // values stand on the right
	fields         []tableCell
	rank           int // the lowest leaves first where there is no room; 0: stays
}

// empty tells a lane that says nothing.
func (l tableColumn) empty() bool {
	for _, f := range l.fields {
		if f.text != "" && f.text != unmeasured {
			return false
		}
	}
	return true
}

// bare leaves out the intervals.
func (l tableColumn) bare() tableColumn {
	out := tableColumn{head: l.head, right: l.right, rank: l.rank}
	for _, f := range l.fields {
		out.fields = append(out.fields, tableCell{text: f.text, tone: f.tone})
	}
	return out
}

// parts are the widths of the values and of what stands behind them.
func (l tableColumn) parts() (value, tail int) {
	for _, f := range l.fields {
		value, tail = max(value, columnsOf(f.text)), max(tail, columnsOf(f.tail))
	}
	return value, tail
}

func (l tableColumn) width() int {
	value, tail := l.parts()
	if tail > 0 {
		value += 1 + tail
	}
	return max(value, columnsOf(l.title()))
}

func (l tableColumn) title() string { return strings.TrimSpace(l.head + " " + l.tailHead) }

// lanes are a table of the first screen.
type lanes []tableColumn

func (all lanes) width() int {
	widths := make([]int, len(all))
	for i, l := range all {
		widths[i] = l.width()
	}
	return sum(widths)
}

// fit leaves out the lanes that say nothing, and those that come first to go
// until the table is no wider than width; then the intervals. What is too wide
// still loses the end of its names.
func (all lanes) fit(width int) lanes {
	var out lanes
	for _, l := range all {
		if l.rank == 0 || !l.empty() {
			out = append(out, l)
		}
	}
	for out.width() > width {
		at := -1
		for i, l := range out {
			if l.rank > 0 && (at < 0 || l.rank < out[at].rank) {
				at = i
			}
		}
		if at < 0 {
			return out.narrowed(width)
		}
		out = append(out[:at:at], out[at+1:]...)
	}
	return out
}

// narrowed gives up the intervals, then room for the first lane's names.
func (all lanes) narrowed(width int) lanes {
	out := make(lanes, len(all))
	for i, l := range all {
		out[i] = l.bare()
	}
	over := out.width() - width
	if over <= 0 || len(out) == 0 {
		return out
	}
	names := &out[0]
	room := max(names.width()-over, leastName)
	names.head = shorten(names.head, room)
	for i := range names.fields {
		names.fields[i].text = middle(names.fields[i].text, room)
	}
	return out
}

// leastName is how much of a name is left at least.
const leastName = 8

// has tells whether a lane is left.
func (all lanes) has(head string) bool {
	for _, l := range all {
		if l.head == head {
			return true
		}
	}
	return false
}

// draw has a line for the heads, and one for each row.
func (t *terminal) draw(all lanes) []string {
	lines := []string{all.row(func(l tableColumn) string { return t.padded(l.title(), l.width(), l.right && l.tailHead == "", strong) })}
	for i := range all[0].fields {
		lines = append(lines, all.row(func(l tableColumn) string { return t.field(l, l.fields[i]) }))
	}
	return lines
}

func (all lanes) row(show func(tableColumn) string) string {
	cells := make([]string, len(all))
	for i, l := range all {
		cells[i] = show(l)
	}
	return strings.TrimRight(strings.Join(cells, strings.Repeat(" ", gap)), " ")
}

// tableCell aligns the value among the values, and its tail among the tails.
func (t *terminal) field(l tableColumn, f tableCell) string {
	value, tail := l.parts()
	if tail == 0 {
		return t.padded(f.text, l.width(), l.right, f.tone)
	}
	rest := l.width() - value - 1
	return t.padded(f.text, value, l.right, f.tone) + " " + t.padded(f.tail, rest, false, faint)
}

// padded fills a text up; colours leave the blanks alone.
func (t *terminal) padded(text string, n int, right bool, as tone) string {
	space := strings.Repeat(" ", max(0, n-columnsOf(text)))
	if right {
		return space + t.paint(text, as)
	}
	return t.paint(text, as) + space
}
