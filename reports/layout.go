package reports

import (
	"slices"
	"strings"
)

// tableCell is a cell of a table in the terminal report: a value and an optional tail, which is its
// interval or denominator.
type tableCell struct {
	text, tail string
	tone       tone
}

// tableColumn is a column of a table in the terminal report. Values and their tails (intervals or
// denominators) are aligned separately.
type tableColumn struct {
	head, tailHead string
	right          bool // values are right-aligned
	cells          []tableCell
	rank           int // if the table is too wide, columns with the lowest rank are removed first; 0: never removed
}

// empty reports whether the column has no values.
func (l tableColumn) empty() bool {
	for _, f := range l.cells {
		if f.text != "" && f.text != noValue {
			return false
		}
	}
	return true
}

// withoutTails returns a copy of the column without intervals and denominators.
func (l tableColumn) withoutTails() tableColumn {
	out := tableColumn{head: l.head, right: l.right, rank: l.rank}
	for _, f := range l.cells {
		out.cells = append(out.cells, tableCell{text: f.text, tone: f.tone})
	}
	return out
}

// parts returns the width of the widest value and of the widest tail of the column.
func (l tableColumn) parts() (value, tail int) {
	for _, f := range l.cells {
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

// screenTable is a table of the terminal report, as a list of columns.
type screenTable []tableColumn

func (all screenTable) width() int {
	widths := make([]int, len(all))
	for i, l := range all {
		widths[i] = l.width()
	}
	return totalWidth(widths)
}

// importantRank is the rank from which on a column is worth shorter names. A note states if it is
// removed nevertheless. importantNameWidth is the width of these names.
const (
	importantRank      = 8
	importantNameWidth = 12
)

// fit returns a table that fits the width. It removes empty columns, then columns by rank. Names are
// shortened before an important column is removed. If the table is still too wide, it removes the
// tails and shortens the names.
func (all screenTable) fit(width int) screenTable {
	var out screenTable
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
			return out.withoutTails(width)
		}
		if out[at].rank >= importantRank {
			if narrow, ok := out.withNames(out[0].width() - (out.width() - width)); ok {
				return narrow
			}
		}
		out = append(out[:at:at], out[at+1:]...)
	}
	return out
}

// withoutTails removes intervals and denominators from all columns. If the table is still wider
// than width, it shortens the names in the first column.
func (all screenTable) withoutTails(width int) screenTable {
	out := make(screenTable, len(all))
	for i, l := range all {
		out[i] = l.withoutTails()
	}
	over := out.width() - width
	if over <= 0 || len(out) == 0 {
		return out
	}
	names := &out[0]
	room := max(names.width()-over, minNameWidth)
	names.head = shorten(names.head, room)
	for i := range names.cells {
		names.cells[i].text = shortenMiddle(names.cells[i].text, room)
	}
	return out
}

// withNames returns a table whose names, the first column, have at most this width. ok is false if the
// names would be too short or not different.
func (all screenTable) withNames(width int) (out screenTable, ok bool) {
	out, seen := slices.Clone(all), map[string]bool{}
	out[0].cells = slices.Clone(out[0].cells)
	for i, name := range out[0].cells {
		short := shortenMiddle(name.text, width)
		if short != name.text && seen[short] {
			return all, false
		}
		seen[short] = true
		out[0].cells[i].text = short
	}
	return out, width >= importantNameWidth && out[0].width() <= width
}

// missing returns the heads of the important columns that all has and fitted lacks.
func (all screenTable) missing(fitted screenTable) (heads []string) {
	for _, l := range all {
		if l.rank >= importantRank && !l.empty() && !fitted.has(l.head) {
			heads = append(heads, l.head)
		}
	}
	return heads
}

const minNameWidth = 8

func (all screenTable) has(head string) bool {
	for _, l := range all {
		if l.head == head {
			return true
		}
	}
	return false
}

// draw returns the lines of a table: one for the heads and one for each row.
func (t *terminal) draw(all screenTable) []string {
	lines := []string{all.row(
		func(l tableColumn) string { return t.padded(l.title(), l.width(), l.right && l.tailHead == "", strong) })}
	for i := range all[0].cells {
		lines = append(lines, all.row(func(l tableColumn) string { return t.paddedCell(l, l.cells[i]) }))
	}
	return lines
}

func (all screenTable) row(show func(tableColumn) string) string {
	cells := make([]string, len(all))
	for i, l := range all {
		cells[i] = show(l)
	}
	return strings.TrimRight(strings.Join(cells, strings.Repeat(" ", gap)), " ")
}

// paddedCell formats a cell of the column l. The value and the tail are each padded to the width of
// the widest in the column.
func (t *terminal) paddedCell(l tableColumn, f tableCell) string {
	value, tail := l.parts()
	if tail == 0 {
		return t.padded(f.text, l.width(), l.right, f.tone)
	}
	rest := l.width() - value - 1
	return t.padded(f.text, value, l.right, f.tone) + " " + t.padded(f.tail, rest, false, faint)
}

// padded pads a text to n columns with blanks, which are not colored.
func (t *terminal) padded(text string, n int, right bool, as tone) string {
	space := strings.Repeat(" ", max(0, n-columnsOf(text)))
	if right {
		return space + t.paint(text, as)
	}
	return t.paint(text, as) + space
}
