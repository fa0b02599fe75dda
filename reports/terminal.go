package reports

import (
	"bytes"
	"cmp"
	"strings"
)

// minWidth is the least that a terminal is taken to have.
const minWidth = 40

// unlimited is wider than any line.
const unlimited = 1 << 24

// lineWidth is how long lines may be.
func lineWidth(width int) int { return max(minWidth, cmp.Or(width, unlimited)) }

// terminal takes lines of a limited width.
type terminal struct {
	out   bytes.Buffer
	width int
	color bool
}

func (t *terminal) line(text string) {
	t.out.WriteString(text)
	t.out.WriteByte('\n')
}

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

func (t *terminal) paint(text string, as tone) string {
	if !t.color || as == plain || text == "" {
		return text
	}
	code := map[tone]string{strong: "1", good: "32", bad: "1;31", warn: "33", faint: "2"}[as]
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
