package reports

import (
	"slices"

	"evalctl/eval"
)

// tone says how a text is meant, for formats that can show it.
type tone int

const (
	plain tone = iota
	strong
	good
	bad
	warn
)

// line is a statement; its mark stands before it.
type line struct {
	tone tone
	mark string
	text string
}

// block is a piece of a report: statements, then numbers.
type block struct {
	level   int // of the heading, from 1
	heading string
	tone    tone
	lines   []line
	grid    grid
}

// document is the whole report, of which every textual format makes its own.
func document(r Report) []block {
	doc := []block{head(r)}
	for _, s := range r.Summary.Suites {
		doc = append(doc, suite(r, s)...)
	}
	if len(r.Summary.Gates) > 0 {
		doc = append(doc, gates(r.Summary.Gates))
	}
	doc = append(doc, foot(r))
	for i := range doc {
		doc[i].clean()
	}
	return doc
}

func suite(r Report, s eval.SuiteSummary) []block {
	blocks := []block{overview(s)}
	if w := warnings(r, s); len(w) > 0 {
		blocks = append(blocks, block{lines: w})
	}
	var shown []eval.CellSummary
	for _, c := range s.Variants {
		if fault(c) == eval.NoFault || r.Detail {
			shown = append(shown, c)
		}
	}
	brief := !r.Detail && len(shown) > 1
	blocks = append(blocks, answers(shown, brief)...)
	blocks = append(blocks, critics(shown)...)
	for _, c := range shown {
		blocks = append(blocks, inside(r, c, brief)...)
	}
	return blocks
}

// clean is done in one place, so that no text escapes it.
func (b *block) clean() {
	b.heading = clean(b.heading)
	b.lines = slices.Clone(b.lines)
	for i := range b.lines {
		b.lines[i].text = clean(b.lines[i].text)
	}
	b.grid.clean()
}
