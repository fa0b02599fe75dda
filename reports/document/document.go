// Package document lays out reports: headings, sentences, tables, plots and suggested commands. It
// renders them for terminals, Markdown, LaTeX, CSV, JSON and HTML.
package document

import (
	"fmt"
	"html/template"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval/metric"
)

// Document is what a report shows, for every format. Terminal, Markdown and LaTeX show the blocks.
type Document struct {
	Source  string // command that writes the report, as the first line of a LaTeX file
	Partial bool   // the run did not end
	Blocks  []Block
	Data    any           // data of the JSON format
	Rows    func() *Table // returns the rows of the CSV format; nil: the format is not supported
}

// Target is what a document is laid out for.
type Target struct {
	Width    int  // width of a line in columns
	Terminal bool // a terminal; otherwise a Markdown or LaTeX page
}

// Unlimited is the line width of reports without a width limit. It is larger than any line.
const Unlimited = 1 << 24

// PageTarget is the target of Markdown and LaTeX, which have no limit of width.
var PageTarget = Target{Width: Unlimited}

// Options state how a terminal shows a report.
type Options struct {
	// line width in columns; 0: the default of the report, which is unlimited or 100 columns; 1 to 39: 40
	Width int  `json:"-"`
	Color bool `json:"-"` // use colors, unless NO_COLOR is set
	ASCII bool `json:"-"` // use only ASCII symbols
}

// Line is one sentence of a report.
type Line struct {
	Tone   Tone   // tone of the line; of a line with parts only that of the mark
	Indent int    // number of blanks before the line
	Mark   string // precedes the text, such as ✓ or a term; following lines are indented after it
	Text   string
	Parts  []Part // the text in parts with different tones; nil: text
	// text at the value column of the block; it moves below if both do not fit on one line
	Value string
	// command to run for more: terminals show it below the text, Markdown as code after it
	Command []string
}

// Part is a part of a line or of a cell.
type Part struct {
	Text string
	Tone Tone
	Link string // address that HTML links the part to, within the page or its server; "": none
}

// content returns the text of the line without its mark.
func (l Line) content() string {
	if l.Parts == nil {
		return l.Text
	}
	var b strings.Builder
	for _, p := range l.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Suggestion is an evalctl command that a reader may run next.
type Suggestion struct {
	Lead  string   // what the command shows, padded
	Words []string // of the command
}

// Suggestions returns suggestions with the same lead.
func Suggestions(lead string, commands ...[]string) (list []Suggestion) {
	for _, words := range commands {
		list = append(list, Suggestion{lead, words})
	}
	return list
}

// Block is a section of a report: a heading, sentences, preformatted lines, a table, notes about the table, and
// suggested commands, in this order. Each part is optional.
type Block struct {
	Level        int // heading level, from 1
	Heading      string
	Lines        []Line
	ValueColumn  int      // column at which the values of lines start
	Preformatted []string // lines that keep their spaces, already limited to the output width
	Table        Table
	Caption      string // caption of the table in LaTeX; "": the heading and the lines
	Notes        []Line
	Next         []Suggestion
	More         *Folded // further blocks, which only Markdown and HTML show, in a folded section; nil: none
	Graphics     Graphics

	// scope of a table that exists for each suite or variant. For readers, the scope is the heading,
	// and equal blocks of several variants are shown once. The CSV and JSON formats contain the
	// scope of each row.
	Suite, Variant string
	VisibleRows    int    // number of rows that readers see without details; 0: all
	Noun           string // singular noun for what a row represents, such as "class"
}

// Graphics is what only HTML shows of a block.
type Graphics struct {
	ID       string      // id of the block's element, for links; "": none
	Note     string      // text next to the heading
	Link     string      // address that the heading links to; "": none
	Headline []Part      // large sentence below the heading
	Figures  []KeyFigure // key figures, in a row
	Legend   []LegendItem
	Drawing  template.HTML // drawing of its own, as SVG or a table; its texts are escaped
}

// KeyFigure is a large number with a label.
type KeyFigure struct {
	Label string
	Value string
	Unit  string // after the value, or before it for currencies
	Note  string // text below the value
	Tone  Tone
}

// LegendItem explains a mark or a tint of a table.
type LegendItem struct {
	Marks []Mark // on an axis from 0 to 1; nil: a box with the tint
	Tint  int    // tint of a cell, see [Cell]
	Text  string
}

// Folded is a section that readers open with a click.
type Folded struct {
	Name   string
	Blocks []Block
}

// Empty reports whether the block shows nothing.
func (b Block) Empty() bool {
	return b.Heading == "" && len(b.Lines) == 0 && len(b.Preformatted) == 0 && b.Table.Rows() == 0 && len(b.Notes) == 0 &&
		len(b.Next) == 0 && b.More == nil && b.Graphics.Drawing == "" && len(b.Graphics.Figures) == 0 &&
		len(b.Graphics.Headline) == 0
}

// spaced reports whether a blank line is needed before the table, because sentences or preformatted lines
// precede it.
func (b Block) spaced() bool { return len(b.Lines)+len(b.Preformatted) > 0 && b.Table.Rows() > 0 }

// clean escapes control characters in all texts of the block, so that names and case texts cannot
// change a terminal. Commands are checked when they are formatted.
func (b *Block) clean() {
	b.Heading, b.Caption = escapeLine(b.Heading), escapeLine(b.Caption)
	b.Lines, b.Notes = cleanLines(b.Lines), cleanLines(b.Notes)
	b.Preformatted = slices.Clone(b.Preformatted)
	for i := range b.Preformatted {
		b.Preformatted[i] = escapeLine(b.Preformatted[i])
	}
	b.Table.clean()
	b.Graphics.clean()
}

func (g *Graphics) clean() {
	g.Note, g.Headline = escapeLine(g.Note), cleanParts(g.Headline)
	g.Figures, g.Legend = slices.Clone(g.Figures), slices.Clone(g.Legend)
	for i := range g.Figures {
		f := &g.Figures[i]
		f.Label, f.Value, f.Unit, f.Note = escapeLine(f.Label), escapeLine(f.Value), escapeLine(f.Unit),
			escapeLine(f.Note)
	}
	for i := range g.Legend {
		g.Legend[i].Text = escapeLine(g.Legend[i].Text)
	}
}

func cleanParts(parts []Part) []Part {
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].Text = escapeLine(parts[i].Text)
	}
	return parts
}

func cleanLines(lines []Line) []Line {
	lines = slices.Clone(lines)
	for i := range lines {
		l := &lines[i]
		l.Mark, l.Text, l.Value = escapeLine(l.Mark), escapeLine(l.Text), escapeLine(l.Value)
		l.Parts = cleanParts(l.Parts)
	}
	return lines
}

// sameContent reports whether two blocks with a scope show the same, so that one block can represent
// both variants.
func (b Block) sameContent(o Block) bool {
	return b.Suite == o.Suite && (b.Variant == "") == (o.Variant == "") && reflect.DeepEqual(b.Lines, o.Lines) &&
		reflect.DeepEqual(b.Notes, o.Notes) && slices.Equal(b.Preformatted, o.Preformatted) &&
		reflect.DeepEqual(b.Table.texts(), o.Table.texts())
}

// ForReaders returns the blocks as readers see them. Equal blocks of several variants become one
// under all their names, long tables are cut unless detail is set, and columns without texts are
// left out.
func ForReaders(blocks []Block, detail bool) (list []Block) {
	for i, b := range blocks {
		if b.Suite == "" {
			list = append(list, b)
			continue
		}
		if slices.ContainsFunc(blocks[:i], b.sameContent) {
			continue
		}
		var variants []string
		for _, o := range blocks[i:] {
			if b.sameContent(o) && o.Variant != "" {
				variants = append(variants, text.EscapeLabel(o.Variant))
			}
		}
		list = append(list, b.forReaders(variants, detail))
	}
	return list
}

func (b Block) forReaders(variants []string, detail bool) Block {
	b.Level, b.Heading = 2, b.Suite
	if len(variants) > 0 {
		b.Heading += ": " + joinAnd(variants)
	}
	if all := b.Table.Rows(); b.VisibleRows > 0 && all > b.VisibleRows && !detail {
		b.Table = b.Table.FirstRows(b.VisibleRows)
		b.Lines = append(slices.Clone(b.Lines),
			Line{Text: fmt.Sprintf("First %d of %s; -v shows all.", b.VisibleRows, metric.Plural(int64(all), b.Noun))})
	}
	b.Table = b.Table.withoutEmptyColumns()
	return b
}

// Tone is the emphasis of a text. Terminals show it as a color, Markdown shows only bad (as bold).
type Tone int

const (
	Plain Tone = iota
	Strong
	Good
	Bad
	Warn
	Faint
)

var bareWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,=-]+$`)

// ShellQuote puts a word in single quotes if a POSIX shell would not read it unchanged.
func ShellQuote(word string) string {
	if bareWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// CommandLines formats a shell command that follows the text lead on a line. It continues
// a long command on the next line with a backslash. It returns nil if the command cannot be copied from a
// terminal: if there is no word, or one is empty, wider than the line, or contains control characters.
func CommandLines(lead string, words []string, width int) (lines []string) {
	if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return escapeLine(w) != w || w == "" }) {
		return nil
	}
	indent := strings.Repeat(" ", displayWidth(lead))
	const on = ` \`
	line := lead
	for i, w := range words {
		w = ShellQuote(w)
		switch {
		case i == 0:
		case displayWidth(line+" "+w)+len(on) <= width, i == len(words)-1 && displayWidth(line+" "+w) <= width:
			w = " " + w
		default:
			lines, line = append(lines, line+on), indent
		}
		line += w
		if displayWidth(line)+len(on) > width && i < len(words)-1 || displayWidth(line) > width {
			return nil
		}
	}
	return append(lines, line)
}

func displayWidth(s string) int             { return text.DisplayWidth(s) }
func escapeLine(s string) string            { return text.EscapeLine(s) }
func truncate(s string, n int) string       { return text.Truncate(s, n) }
func truncateMiddle(s string, n int) string { return text.TruncateMiddle(s, n) }
func wrapText(s string, n int) []string     { return text.Wrap(s, n) }
func padRight(s string, n int) string       { return text.PadRight(s, n) }
func padToRight(s string, n int) string     { return text.PadLeft(s, n) }
func joinAnd(names []string) string         { return text.JoinAnd(names) }

const ellipsisMark = text.Ellipsis
