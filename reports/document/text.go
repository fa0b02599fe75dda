package document

import (
	"bytes"
	"cmp"
	"strings"
)

// Text renders the blocks of a report as text with aligned tables.
func Text(doc []Block, o Options) ([]byte, error) {
	t := newTerminal(o)
	for _, b := range doc {
		if b.Empty() {
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

func (t *terminal) block(b Block) {
	if b.Heading != "" {
		for _, text := range wrapText(b.Heading, t.width) {
			t.line(t.paint(text, Strong))
		}
	}
	t.statements(b.Lines, b.ValueColumn)
	for _, l := range b.Plot {
		t.line(l)
	}
	for i, g := range b.Table.Fit(t.width) {
		if i > 0 || b.spaced() {
			t.line("")
		}
		for _, l := range t.tableLines(g) {
			t.line(l)
		}
	}
	t.statements(b.Notes, 0)
	for _, s := range b.Next {
		for _, l := range CommandLines(s.Lead, s.Words, t.width) {
			t.line(t.paint(l, Faint))
		}
	}
}

// Height returns the number of lines of the block on a terminal. Its table must fit the width.
func (b Block) Height(width int) int {
	t := newTerminal(Options{Width: width})
	rows := b.Table.Rows()
	if b.Table = (Table{}); rows > 0 {
		rows++ // the heads
		if len(b.Lines)+len(b.Plot) > 0 {
			rows++ // the blank line before the table
		}
	}
	t.block(b)
	return rows + bytes.Count(t.out.Bytes(), []byte("\n"))
}

func (t *terminal) statements(lines []Line, valueColumn int) {
	for _, l := range lines {
		t.statement(l, valueColumn)
		for _, text := range CommandLines("", l.Command, t.width-2) {
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
func (t *terminal) tableLines(g Table) (lines []string) {
	if g.Rows() == 0 {
		return nil
	}
	layouts, heads := make([]layout, len(g.Columns)), make([]Cell, len(g.Columns))
	for i, width := range g.fittedWidths(t.width) {
		c := g.Columns[i]
		layouts[i] = layout{width: width, right: c.Right}
		heads[i] = Cell{Text: c.title(), Tone: Strong}
		if displayWidth(c.title()) < width {
			heads[i].Text = c.paddedTitle(width)
		}
	}
	var fixes widthFixes
	rows := [][]string{t.rowTexts(heads, layouts, &fixes)}
	for i, c := range g.Columns {
		if text, tail := c.valueWidths(); tail > 0 && text+1+tail <= layouts[i].width {
			layouts[i].textWidth = text
		}
	}
	for n := range g.Rows() {
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
func (c Column) paddedTitle(width int) string {
	if c.Right && c.TailHead == "" {
		return padToRight(c.title(), width)
	}
	return padRight(c.title(), width)
}

// rowTexts returns the texts of a row, wrapped to the column widths and colored.
func (t *terminal) rowTexts(row []Cell, layouts []layout, fixes *widthFixes) []string {
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
				texts[i] += strings.Repeat("\n", min(n, 1)) + t.paint(fixes.replace(lines[i][n]), c.Tone)
			}
		}
	}
	return texts
}

// textWithTail pads the text of a cell to the width of the texts in its column, and appends the
// tail.
func (t *terminal) textWithTail(c Cell, l layout, fixes *widthFixes) string {
	blanks := strings.Repeat(" ", max(0, l.textWidth-displayWidth(c.Text)))
	text := t.paint(fixes.replace(c.Text), c.Tone)
	switch {
	case l.right:
		text = blanks + text
	case c.Tail != "":
		text += blanks
	}
	if c.Tail == "" {
		return text
	}
	return text + " " + t.paint(fixes.replace(c.Tail), Faint)
}
