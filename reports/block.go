package reports

import "slices"

// line is a sentence with an optional mark in front of it.
type line struct {
	tone tone
	mark string
	text string
	code string // text to copy; Markdown shows it as code after the text
}

// block is a section of a report: lines, then a plot, then a table.
type block struct {
	level   int // heading level, from 1
	heading string
	tone    tone
	lines   []line
	plot    []string // lines of a chart, already fitted to the width
	grid    grid

	hidden     grid // rows that Markdown folds away and terminals omit
	hiddenName string
}

func (b block) empty() bool {
	return b.heading == "" && len(b.lines) == 0 && len(b.plot) == 0 && len(b.grid.rows) == 0
}

// spaced reports whether a blank line separates the lines or the plot from the table.
func (b block) spaced() bool { return len(b.lines)+len(b.plot) > 0 && len(b.grid.rows) > 0 }

// clean escapes control characters in all texts of the block. It is called for every block before
// rendering, so no text is missed.
func (b *block) clean() {
	b.heading = clean(b.heading)
	b.lines = slices.Clone(b.lines)
	for i := range b.lines {
		b.lines[i].text, b.lines[i].code = clean(b.lines[i].text), clean(b.lines[i].code)
	}
	b.grid.clean()
	b.hidden.clean()
}
