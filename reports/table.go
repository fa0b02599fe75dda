package reports

import (
	"bytes"
	"cmp"
	"os"
	"strings"
)

// minWidth is the least that a terminal is taken to have.
const minWidth = 40

// unlimited is wider than any line.
const unlimited = 1 << 24

// lineWidth is how long lines may be.
func lineWidth(width int) int { return max(minWidth, cmp.Or(width, unlimited)) }

// terminal writes blocks as text of a limited width.
type terminal struct {
	out    bytes.Buffer
	width  int
	colour bool
}

func table(r Report) []byte {
	t := &terminal{width: lineWidth(r.Width), colour: r.Colour && os.Getenv("NO_COLOR") == ""}
	for i, b := range document(r) {
		if i > 0 && !b.empty() {
			t.out.WriteByte('\n')
		}
		t.block(b)
	}
	return t.out.Bytes()
}

func (t *terminal) block(b block) {
	if b.heading != "" {
		for _, s := range wrap(b.heading, t.width) {
			t.line(t.paint(s, max(b.tone, strong)))
		}
	}
	for _, l := range b.lines {
		t.statement(l)
	}
	for i, g := range b.grid.fold(t.width) {
		if i > 0 || b.spaced() {
			t.out.WriteByte('\n')
		}
		t.grid(g)
	}
}

func (b block) empty() bool {
	return b.heading == "" && len(b.lines) == 0 && len(b.grid.rows) == 0
}

// spaced sets numbers apart from the statements over them.
func (b block) spaced() bool { return len(b.lines) > 0 && len(b.grid.rows) > 0 }

// statement hangs the text under its own beginning, beside the mark.
func (t *terminal) statement(l line) {
	lead := ""
	if l.mark != "" {
		lead = l.mark + " "
	}
	indent := columnsOf(lead)
	for i, s := range wrap(l.text, t.width-indent) {
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		t.line(t.paint(lead+s, l.tone))
	}
}

func (t *terminal) grid(g grid) {
	if len(g.rows) == 0 {
		return
	}
	heads := make([]cell, len(g.columns))
	for i, c := range g.columns {
		heads[i] = cell{c.head, strong}
	}
	for _, row := range append([][]cell{heads}, g.rows...) {
		t.row(g, row)
	}
}

// row writes as many lines as its fullest cell has.
func (t *terminal) row(g grid, row []cell) {
	lines := make([][]string, len(row))
	height := 1
	for i, c := range row {
		lines[i] = []string{c.text}
		if columnsOf(c.text) > g.widths[i] {
			lines[i] = wrap(c.text, g.widths[i])
		}
		height = max(height, len(lines[i]))
	}
	for n := range height {
		var parts []string
		for i, c := range row {
			text := ""
			if n < len(lines[i]) {
				text = lines[i][n]
			}
			padded := pad(text, g.widths[i], g.columns[i].right)
			parts = append(parts, strings.Replace(padded, text, t.paint(text, c.tone), 1))
		}
		t.line(strings.TrimRight(strings.Join(parts, strings.Repeat(" ", gap)), " "))
	}
}

func (t *terminal) line(text string) {
	t.out.WriteString(text)
	t.out.WriteByte('\n')
}

func (t *terminal) paint(text string, as tone) string {
	if !t.colour || as == plain || text == "" {
		return text
	}
	code := map[tone]string{strong: "1", good: "32", bad: "1;31", warn: "33"}[as]
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
