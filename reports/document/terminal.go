package document

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"strings"
	"unicode"
)

const minWidth = 40

// Unlimited is the line width of reports without a width limit. It is larger than any line.
const Unlimited = 1 << 24

// LineWidth converts a width setting to a line width: 0 becomes unlimited, and widths below 40
// become 40.
func LineWidth(width int) int { return max(minWidth, cmp.Or(width, Unlimited)) }

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
	return &terminal{width: LineWidth(o.Width), color: o.Color && os.Getenv("NO_COLOR") == ""}
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
func (t *terminal) statement(l Line, column int) {
	lead := strings.Repeat(" ", l.Indent)
	if l.Mark != "" {
		lead += l.Mark + " "
	}
	indent, tones := displayWidth(lead), l.tones()
	if text := l.content(); l.Value != "" && indent+displayWidth(text)+Gap <= column &&
		column+displayWidth(l.Value) <= t.width {
		t.line(t.painted(l, lead, padRight(text, column-indent), &tones) + l.Value)
		return
	}
	for i, s := range wrapText(l.content(), t.width-indent) {
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		t.line(t.painted(l, lead, s, &tones))
	}
	if l.Value != "" {
		indent += Gap
		for _, s := range wrapText(l.Value, t.width-indent) {
			t.line(strings.Repeat(" ", indent) + s)
		}
	}
}

// painted returns a line of text after its lead, in its colors.
func (t *terminal) painted(l Line, lead, text string, of *tones) string {
	if l.Parts == nil {
		return t.paint(lead+text, l.Tone)
	}
	return t.paint(lead, l.Tone) + t.paintParts(text, of)
}

// tones are the tones of the characters of a text that are not blanks.
type tones []Tone

func (l Line) tones() (of tones) {
	for _, p := range l.Parts {
		for _, r := range p.Text {
			if !unicode.IsSpace(r) {
				of = append(of, p.Tone)
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
	as := Plain
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
			if as != Plain {
				flush()
			}
			run.WriteString(blanks.String())
			blanks.Reset()
			if next != Plain {
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
func (t *terminal) paint(text string, as Tone) string {
	if !t.color || as == Plain || text == "" {
		return text
	}
	if core := strings.Trim(text, " "); len(core) < len(text) && !strings.Contains(text, placeholder) {
		before, after, _ := strings.Cut(text, core)
		return before + t.paint(core, as) + after
	}
	code := map[Tone]string{Strong: "1", Good: "32", Bad: "1;31", Warn: "33", Faint: "2"}[as]
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
