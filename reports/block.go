package reports

import (
	"fmt"
	"reflect"
	"slices"
)

// line is one sentence of a report, with an optional mark in front of it, such as ✓ or !.
type line struct {
	tone tone
	mark string
	text string
	// command to run for more: terminals show it below the text, Markdown as code after it
	command []string
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
	next    [][]string // evalctl commands that a reader may run next, below the table

	hidden     grid // additional rows, which Markdown puts into a folded section and terminals omit
	hiddenName string

	// scope of a table that exists for each suite or variant. For readers, the scope is the heading,
	// and equal blocks of several variants are shown once. The CSV and JSON formats contain the
	// scope of each row.
	suite, variant string
	visibleRows    int    // number of rows that readers see without details; 0: all
	noun           string // singular noun for what a row represents, such as "class"
}

func (b block) empty() bool {
	return b.heading == "" && len(b.lines) == 0 && len(b.plot) == 0 && b.grid.rows() == 0
}

// spaced reports whether a blank line is needed before the table, because sentences or a plot
// precede it.
func (b block) spaced() bool { return len(b.lines)+len(b.plot) > 0 && b.grid.rows() > 0 }

// clean escapes control characters in all texts of the block, so that names and case texts cannot
// change a terminal.
func (b *block) clean() {
	b.heading = clean(b.heading)
	b.lines = slices.Clone(b.lines)
	for i := range b.lines {
		b.lines[i].text = clean(b.lines[i].text)
	}
	b.grid.clean()
	b.hidden.clean()
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
				variants = append(variants, named(o.variant))
			}
		}
		list = append(list, b.forReaders(variants, detail))
	}
	return list
}

func (b block) forReaders(variants []string, detail bool) block {
	b.level, b.heading = 2, b.suite
	if len(variants) > 0 {
		b.heading += ": " + listed(variants)
	}
	if all := b.grid.rows(); b.visibleRows > 0 && all > b.visibleRows && !detail {
		b.grid = b.grid.firstRows(b.visibleRows)
		b.lines = append(slices.Clone(b.lines),
			line{text: fmt.Sprintf("First %d of %s; -v shows all.", b.visibleRows, plural(int64(all), b.noun))})
	}
	b.grid = b.grid.withoutEmptyColumns()
	return b
}
