package reports

import (
	"bytes"
	"cmp"
	"strings"
)

// renderText renders the blocks of a report as text with aligned tables.
func renderText(doc []block, o Options) ([]byte, error) {
	t := newTerminal(o)
	for _, b := range doc {
		if b.empty() {
			continue
		}
		if t.out.Len() > 0 {
			t.line("")
		}
		b.clean()
		t.block(b)
	}
	return t.text(o.ASCII)
}

func (t *terminal) block(b block) {
	if b.heading != "" {
		for _, text := range wrapText(b.heading, t.width) {
			t.line(t.paint(text, max(b.tone, strong)))
		}
	}
	t.statements(b.lines, b.valueColumn)
	for _, l := range b.plot {
		t.line(l)
	}
	for i, g := range b.grid.fit(t.width) {
		if i > 0 || b.spaced() {
			t.line("")
		}
		for _, l := range t.tableLines(g) {
			t.line(l)
		}
	}
	t.statements(b.notes, 0)
	for _, s := range b.next {
		for _, l := range command(s.lead, s.words, t.width) {
			t.line(t.paint(l, faint))
		}
	}
}

// height returns the number of lines of the block on a terminal. Its table must fit the width.
func (b block) height(width int) int {
	t := newTerminal(Options{Width: width})
	rows := b.grid.rows()
	if b.grid = (grid{}); rows > 0 {
		rows++ // the heads
		if len(b.lines)+len(b.plot) > 0 {
			rows++ // the blank line before the table
		}
	}
	t.block(b)
	return rows + bytes.Count(t.out.Bytes(), []byte("\n"))
}

func (t *terminal) statements(lines []line, valueColumn int) {
	for _, l := range lines {
		t.statement(l, valueColumn)
		for _, text := range command("", l.command, t.width-2) {
			t.line("  " + text)
		}
	}
}

// layout is how a column of a table is printed.
type layout struct {
	width     int
	right     bool // texts are right-aligned
	textWidth int  // width of the texts before their tails, which are aligned separately; 0: not aligned
}

// tableLines returns the lines of a table: the heads, then the rows.
func (t *terminal) tableLines(g grid) (lines []string) {
	if g.rows() == 0 {
		return nil
	}
	layouts, heads := make([]layout, len(g.columns)), make([]cell, len(g.columns))
	for i, width := range g.fittedWidths(t.width) {
		c := g.columns[i]
		layouts[i] = layout{width: width, right: c.right}
		heads[i] = cell{text: c.title(), tone: strong}
		if displayWidth(c.title()) < width {
			heads[i].text = c.paddedTitle(width)
		}
	}
	var fixes widthFixes
	rows := [][]string{t.rowTexts(heads, layouts, &fixes)}
	for i, c := range g.columns {
		if text, tail := c.valueWidths(); tail > 0 && text+1+tail <= layouts[i].width {
			layouts[i].textWidth = text
		}
	}
	for n := range g.rows() {
		rows = append(rows, t.rowTexts(g.row(n), layouts, &fixes))
	}
	if t.aligned == nil {
		t.aligned = newAlignedWriter()
	}
	text, err := t.aligned.draw(layouts, rows)
	t.err = cmp.Or(t.err, err)
	for line := range strings.Lines(fixes.restore(text)) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return lines
}

// paddedTitle returns the title of the column, aligned as its texts. A title above tails is
// left-aligned.
func (c column) paddedTitle(width int) string {
	if c.right && c.tailHead == "" {
		return padToRight(c.title(), width)
	}
	return padRight(c.title(), width)
}

// rowTexts returns the texts of a row, wrapped to the column widths and colored.
func (t *terminal) rowTexts(row []cell, layouts []layout, fixes *widthFixes) []string {
	lines := make([][]string, len(row))
	height := 1
	for i, c := range row {
		lines[i] = []string{c.line()}
		if layouts[i].textWidth == 0 && displayWidth(c.line()) > layouts[i].width {
			lines[i] = wrapText(c.line(), layouts[i].width)
		}
		height = max(height, len(lines[i]))
	}
	texts := make([]string, len(row))
	for n := range height { // line by line, because fixes are restored in this order
		for i, c := range row {
			switch {
			case n >= len(lines[i]):
			case layouts[i].textWidth > 0:
				texts[i] = t.textWithTail(c, layouts[i], fixes)
			default:
				texts[i] += strings.Repeat("\n", min(n, 1)) + t.paint(fixes.replace(lines[i][n]), c.tone)
			}
		}
	}
	return texts
}

// textWithTail pads the text of a cell to the width of the texts in its column, and appends the
// tail.
func (t *terminal) textWithTail(c cell, l layout, fixes *widthFixes) string {
	blanks := strings.Repeat(" ", max(0, l.textWidth-displayWidth(c.text)))
	text := t.paint(fixes.replace(c.text), c.tone)
	switch {
	case l.right:
		text = blanks + text
	case c.tail != "":
		text += blanks
	}
	if c.tail == "" {
		return text
	}
	return text + " " + t.paint(fixes.replace(c.tail), faint)
}
