package reports

import "slices"

// line is one sentence of a report, with an optional mark in front of it, such as ✓ or !.
type line struct {
	tone tone
	mark string
	text string
	code string // text to copy; Markdown shows it as code after the text
}

// block is a section of a report: a heading, sentences, a plot and a table, in this order. Each
// part is optional.
type block struct {
	level   int // heading level, from 1
	heading string
	tone    tone
	lines   []line
	plot    []string // lines of a text plot, already limited to the output width
	grid    grid

	hidden     grid // additional rows, which Markdown puts into a folded section and terminals omit
	hiddenName string
}

func (b block) empty() bool {
	return b.heading == "" && len(b.lines) == 0 && len(b.plot) == 0 && len(b.grid.rows) == 0
}

// spaced reports whether a blank line is needed before the table, because sentences or a plot
// precede it.
func (b block) spaced() bool { return len(b.lines)+len(b.plot) > 0 && len(b.grid.rows) > 0 }

// clean escapes control characters in all texts of the block, so that names and case texts cannot
// change a terminal.
func (b *block) clean() {
	b.heading = clean(b.heading)
	b.lines = slices.Clone(b.lines)
	for i := range b.lines {
		b.lines[i].text, b.lines[i].code = clean(b.lines[i].text), clean(b.lines[i].code)
	}
	b.grid.clean()
	b.hidden.clean()
}
