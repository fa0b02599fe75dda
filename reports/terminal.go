package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"strings"
	"unicode"
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

// statement prints a line, wrapped to the width. Following lines are indented to the text after the
// mark. A value starts at the column, or below the text if both do not fit.
func (t *terminal) statement(l line, column int) {
	lead := strings.Repeat(" ", l.indent)
	if l.mark != "" {
		lead += l.mark + " "
	}
	indent, tones := displayWidth(lead), l.tones()
	if text := l.content(); l.value != "" && indent+displayWidth(text)+gap <= column &&
		column+displayWidth(l.value) <= t.width {
		t.line(t.painted(l, lead, padRight(text, column-indent), &tones) + l.value)
		return
	}
	for i, s := range wrapText(l.content(), t.width-indent) {
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		t.line(t.painted(l, lead, s, &tones))
	}
	if l.value != "" {
		indent += gap
		for _, s := range wrapText(l.value, t.width-indent) {
			t.line(strings.Repeat(" ", indent) + s)
		}
	}
}

// painted returns a line of text after its lead, in its colors.
func (t *terminal) painted(l line, lead, text string, of *tones) string {
	if l.parts == nil {
		return t.paint(lead+text, l.tone)
	}
	return t.paint(lead, l.tone) + t.paintParts(text, of)
}

// tones are the tones of the characters of a text that are not blanks.
type tones []tone

func (l line) tones() (of tones) {
	for _, p := range l.parts {
		for _, r := range p.text {
			if !unicode.IsSpace(r) {
				of = append(of, p.tone)
			}
		}
	}
	return of
}

// paintParts colors the characters of a line and removes their tones from the list. A blank between
// two characters of the same tone has that tone, too.
func (t *terminal) paintParts(line string, of *tones) string {
	if len(*of) == 0 {
		return line
	}
	var out, run, blanks strings.Builder
	as := plain
	flush := func() {
		out.WriteString(t.paint(run.String(), as))
		run.Reset()
	}
	for _, r := range line {
		if unicode.IsSpace(r) {
			blanks.WriteRune(r)
			continue
		}
		if next := (*of)[0]; next != as {
			if as != plain {
				flush()
			}
			run.WriteString(blanks.String())
			blanks.Reset()
			if next != plain {
				flush()
			}
			as = next
		}
		*of = (*of)[1:]
		run.WriteString(blanks.String())
		run.WriteRune(r)
		blanks.Reset()
	}
	flush()
	return out.String() + blanks.String()
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
