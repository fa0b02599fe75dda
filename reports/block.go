package reports

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval/number"
)

// line is one sentence of a report.
type line struct {
	tone   tone   // tone of the line; of a line with parts only that of the mark
	indent int    // number of blanks before the line
	mark   string // precedes the text, such as ✓ or a term; following lines are indented after it
	text   string
	parts  []part // the text in parts with different tones; nil: text
	// text at the value column of the block; it moves below if both do not fit on one line
	value string
	// command to run for more: terminals show it below the text, Markdown as code after it
	command []string
}

// part is a part of a line.
type part struct {
	text string
	tone tone
}

// content returns the text of the line without its mark.
func (l line) content() string {
	if l.parts == nil {
		return l.text
	}
	var b strings.Builder
	for _, p := range l.parts {
		b.WriteString(p.text)
	}
	return b.String()
}

// suggestion is an evalctl command that a reader may run next.
type suggestion struct {
	lead  string // what the command shows, padded
	words []string
}

// suggestions returns suggestions with the same lead.
func suggestions(lead string, commands ...[]string) (list []suggestion) {
	for _, words := range commands {
		list = append(list, suggestion{lead, words})
	}
	return list
}

// block is a section of a report: a heading, sentences, a plot, a table, notes about the table, and
// suggested commands, in this order. Each part is optional.
type block struct {
	level       int // heading level, from 1
	heading     string
	tone        tone
	lines       []line
	valueColumn int      // column at which the values of lines start
	plot        []string // lines of a text plot, already limited to the output width
	grid        grid
	caption     string // caption of the table in LaTeX; "": the heading and the lines
	notes       []line
	next        []suggestion
	more        *folded // further blocks, which only Markdown shows, in a folded section; nil: none

	// scope of a table that exists for each suite or variant. For readers, the scope is the heading,
	// and equal blocks of several variants are shown once. The CSV and JSON formats contain the
	// scope of each row.
	suite, variant string
	visibleRows    int    // number of rows that readers see without details; 0: all
	noun           string // singular noun for what a row represents, such as "class"
}

// folded is a section that readers open with a click.
type folded struct {
	name   string
	blocks []block
}

// empty reports whether the block shows nothing.
func (b block) empty() bool {
	return b.heading == "" && len(b.lines) == 0 && len(b.plot) == 0 && b.grid.rows() == 0 && len(b.notes) == 0 &&
		len(b.next) == 0 && b.more == nil
}

// spaced reports whether a blank line is needed before the table, because sentences or a plot
// precede it.
func (b block) spaced() bool { return len(b.lines)+len(b.plot) > 0 && b.grid.rows() > 0 }

// clean escapes control characters in all texts of the block, so that names and case texts cannot
// change a terminal. Commands are checked when they are formatted.
func (b *block) clean() {
	b.heading, b.caption = escapeLine(b.heading), escapeLine(b.caption)
	b.lines, b.notes = cleanLines(b.lines), cleanLines(b.notes)
	b.plot = slices.Clone(b.plot)
	for i := range b.plot {
		b.plot[i] = escapeLine(b.plot[i])
	}
	b.grid.clean()
}

func cleanLines(lines []line) []line {
	lines = slices.Clone(lines)
	for i := range lines {
		l := &lines[i]
		l.mark, l.text, l.value, l.parts = escapeLine(l.mark), escapeLine(l.text), escapeLine(l.value), slices.Clone(l.parts)
		for n := range l.parts {
			l.parts[n].text = escapeLine(l.parts[n].text)
		}
	}
	return lines
}

// sameContent reports whether two blocks with a scope show the same, so that one block can
// represent both variants.
func (b block) sameContent(o block) bool {
	return b.suite == o.suite && (b.variant == "") == (o.variant == "") && reflect.DeepEqual(b.lines, o.lines) &&
		reflect.DeepEqual(b.grid.texts(), o.grid.texts())
}

// forReaders returns the blocks as readers see them. Equal blocks of several variants become one
// under all their names, long tables are cut unless detail is set, and columns without texts are
// left out.
func forReaders(blocks []block, detail bool) (list []block) {
	for i, b := range blocks {
		if b.suite == "" {
			list = append(list, b)
			continue
		}
		if slices.ContainsFunc(blocks[:i], b.sameContent) {
			continue
		}
		var variants []string
		for _, o := range blocks[i:] {
			if b.sameContent(o) && o.variant != "" {
				variants = append(variants, text.EscapeLabel(o.variant))
			}
		}
		list = append(list, b.forReaders(variants, detail))
	}
	return list
}

func (b block) forReaders(variants []string, detail bool) block {
	b.level, b.heading = 2, b.suite
	if len(variants) > 0 {
		b.heading += ": " + joinAnd(variants)
	}
	if all := b.grid.rows(); b.visibleRows > 0 && all > b.visibleRows && !detail {
		b.grid = b.grid.firstRows(b.visibleRows)
		b.lines = append(slices.Clone(b.lines),
			line{text: fmt.Sprintf("First %d of %s; -v shows all.", b.visibleRows, number.Plural(int64(all), b.noun))})
	}
	b.grid = b.grid.withoutEmptyColumns()
	return b
}
