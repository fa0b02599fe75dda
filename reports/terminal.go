package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"strings"
)

const minWidth = 40

// unlimited is the line width of reports without a width limit. It is larger than any line.
const unlimited = 1 << 24

// lineWidth converts a width setting to a line width: 0 becomes unlimited, and widths below 40
// become 40.
func lineWidth(width int) int { return max(minWidth, cmp.Or(width, unlimited)) }

// terminal collects the lines of a text report and limits their width.
type terminal struct {
	out   bytes.Buffer
	width int
	color bool

	aligned *alignedWriter // writer of tables; nil: not used yet
	err     error          // first error of the table writer
}

// newTerminal returns a terminal without lines. It uses no color if NO_COLOR is set.
func newTerminal(o Options) *terminal {
	return &terminal{width: lineWidth(o.Width), color: o.Color && os.Getenv("NO_COLOR") == ""}
}

// text returns the report; ascii replaces the symbols that reports draw.
func (t *terminal) text(ascii bool) ([]byte, error) {
	if t.err != nil {
		return nil, fmt.Errorf("table: %w", t.err)
	}
	return toASCII(t.out.Bytes(), ascii), nil
}

func (t *terminal) line(text string) {
	t.out.WriteString(text)
	t.out.WriteByte('\n')
}

// statement prints a sentence wrapped to the width. Following lines are indented to the text after
// the mark.
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

// paint colors a text, except blanks at its ends that pad it.
func (t *terminal) paint(text string, as tone) string {
	if !t.color || as == plain || text == "" {
		return text
	}
	if core := strings.Trim(text, " "); len(core) < len(text) && !strings.Contains(text, placeholder) {
		before, after, _ := strings.Cut(text, core)
		return before + t.paint(core, as) + after
	}
	code := map[tone]string{strong: "1", good: "32", bad: "1;31", warn: "33", faint: "2"}[as]
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
