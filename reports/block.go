package reports

import "slices"

// line is a statement; its mark stands before it.
type line struct {
	tone tone
	mark string
	text string
	code string // to be copied, on a page behind the text
}

// block is a piece of a report: statements, then numbers.
type block struct {
	level   int // of the heading, from 1
	heading string
	tone    tone
	lines   []line
	plot    []string // of our own signs, as wide as there is room for
	grid    grid

	hidden   grid // what pages fold away and terminals leave out
	restName string
}

func (b block) empty() bool {
	return b.heading == "" && len(b.lines) == 0 && len(b.plot) == 0 && len(b.grid.rows) == 0
}

// spaced sets numbers apart from the statements over them.
func (b block) spaced() bool { return len(b.lines)+len(b.plot) > 0 && len(b.grid.rows) > 0 }

// clean is done in one place, so that no text escapes it.
func (b *block) clean() {
	b.heading = clean(b.heading)
	b.lines = slices.Clone(b.lines)
	for i := range b.lines {
		b.lines[i].text, b.lines[i].code = clean(b.lines[i].text), clean(b.lines[i].code)
	}
	b.grid.clean()
	b.hidden.clean()
}
