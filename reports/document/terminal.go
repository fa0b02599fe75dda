package document

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"reflect"
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twcache"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

const minWidth = 40

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

// Text renders the blocks of a report as text with aligned tables.
func Text(d Document, o Options) ([]byte, error) {
	t := newTerminal(o)
	for _, b := range d.Blocks {
		if b.More = nil; b.Empty() {
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
	for _, l := range b.Preformatted {
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
		if len(b.Lines)+len(b.Preformatted) > 0 {
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

// alignedWriter renders tables as text with aligned columns. One writer renders all tables of a
// report, because creating one is expensive.
type alignedWriter struct {
	out    bytes.Buffer
	writer *tablewriter.Table
}

// newAlignedWriter returns a writer that aligns columns without borders. It does not wrap lines,
// because the wrapping of the table library is wrong for Chinese text.
func newAlignedWriter() *alignedWriter {
	c := &alignedWriter{}
	c.writer = tablewriter.NewTable(&c.out,
		tablewriter.WithEastAsian(tw.Off), // the result must not depend on the locale of the environment
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbolCustom("gap").WithColumn(strings.Repeat(" ", Gap)),
			Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.Separators{
				ShowHeader:     tw.Off,
				ShowFooter:     tw.Off,
				BetweenRows:    tw.Off,
				BetweenColumns: tw.On,
			}},
		})),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off), tablewriter.WithTrimTab(tw.Off), tablewriter.WithTrimLine(tw.Off),
		tablewriter.WithPadding(tw.PaddingNone),
		// The default cache of the table library is recreated at every Reset. That costs more than
		// the rendering itself.
		tablewriter.WithStringerCacheCustom(twcache.NewLRU[reflect.Type, reflect.Value](1)),
	)
	return c
}

// draw renders the rows as aligned text, starting with the column heads. Callers must wrap the cell
// texts to the column widths before.
func (c *alignedWriter) draw(layouts []layout, rows [][]string) (string, error) {
	widths := tw.NewMapper[int, int]()
	aligns := make(tw.Alignment, len(layouts))
	for i, l := range layouts {
		widths.Set(i, l.width)
		aligns[i] = tw.AlignLeft
		if l.right && l.textWidth == 0 {
			aligns[i] = tw.AlignRight
		}
	}
	c.out.Reset()
	c.writer.Reset()
	c.writer.Options(tablewriter.WithColumnWidths(widths), tablewriter.WithAlignment(aligns))
	c.writer.Header(rows[0])
	if err := c.writer.Bulk(rows[1:]); err != nil {
		return "", err
	}
	err := c.writer.Render()
	return c.out.String(), err
}

// widthFixes holds texts whose display width the table library computes wrongly. The library adds
// up characters, but an emoji sequence, a flag or a character with a variation selector is one
// symbol. Such texts are replaced by blanks of the right width and restored after alignment.
type widthFixes []string

// placeholder marks the start of blanks that replace a text. It has no width, and no text of a
// report contains it, because clean removes it.
const placeholder = "\x00"

// replace returns blanks for a text with a wrong width, and otherwise the text itself. It must be
// called in the order in which the texts occur in the table.
func (o *widthFixes) replace(text string) string {
	width := displayWidth(text)
	if twwidth.WidthWithOptions(text, twwidth.Options{}) == width {
		return text
	}
	*o = append(*o, text)
	return placeholder + strings.Repeat(" ", width)
}

func (o widthFixes) restore(table string) string {
	var out strings.Builder
	for _, text := range o {
		before, after, _ := strings.Cut(table, placeholder)
		out.WriteString(before + text)
		table = after[displayWidth(text):]
	}
	return out.String() + table
}

// asciiReplacer replaces each non-ASCII symbol that reports draw with one ASCII character, so that
// columns stay aligned.
var asciiReplacer = strings.NewReplacer("−", "-", "–", "-", "—", "-", "─", "-", "·", "-", "…", "~", "✓", "+", "✗", "x",
	"●", "o", "○", "o", "━", "=", "┊", ":", "×", "x", "→", ">", "←", "<", "≥", ">", "≤", "<", "µ", "u", "κ", "k", "▸", ">",
	"│", "|", "▁", "_", "▂", ".", "▃", ":", "▄", "-", "▅", "=", "▆", "+", "▇", "*", "█", "#")

// toASCII replaces the symbols that reports draw with ASCII if plain is set, also in names and texts.
// Other characters, such as Chinese ones, stay.
func toASCII(text []byte, plain bool) []byte {
	if !plain {
		return text
	}
	return []byte(asciiReplacer.Replace(string(text)))
}
