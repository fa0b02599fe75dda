// Package help draws the Markdown pages of evalctl help PAGE for a terminal.
package help

import (
	"regexp"
	"strings"
)

// The widths of lines: what is wider than a book's is hard to read.
const (
	leastWidth   = 40
	mostWidth    = 100
	defaultWidth = 80
)

// Screen is what a page is drawn for.
type Screen struct {
	Width int // columns; 0: 80, more than 100: 100
	Color bool
}

const (
	indent = "  "

	boldOn, boldOff = "\x1b[1m", "\x1b[22m"
	dimOn, dimOff   = "\x1b[36m", "\x1b[39m"
)

var (
	fenceLine = regexp.MustCompile("^```(\\w*) ?(\\S*)$")
	itemLine  = regexp.MustCompile(`^(- |\d+\. )(.*)$`)
	link      = regexp.MustCompile(`\[([^\]]+)\]\(([^)]+)\)`)
	pageLink  = regexp.MustCompile(`\[([^\]]+)\]\(([a-z-]+)\.md\)`) // to another page
	spanned   = regexp.MustCompile("`[^`]+`|\\*\\*[^*]+\\*\\*")
)

// Render draws a page: headings, paragraphs, lists, tables, and blocks of code, which keep
// their lines. A link to another page becomes the command that shows it. HTML is not part
// of a page.
func (s Screen) Render(text string) string {
	if s.Width == 0 {
		s.Width = defaultWidth
	}
	p := imageGenerator{Screen: s}
	p.Width = min(max(s.Width, leastWidth), mostWidth)
	for line := range strings.Lines(text) {
		p.take(strings.TrimRight(line, "\n"))
	}
	p.flush()
	if p.rows != nil {
		p.table(p.rows)
	}
	return p.out.String()
}

// imageGenerator draws line by line; a paragraph or an item is drawn when it is over.
type imageGenerator struct {
	Screen
	out    strings.Builder
	words  []string   // of the paragraph or item that is open
	mark   string     // of the item
	rows   [][]string // of the table that is open
	inCode bool
}

func (p *imageGenerator) take(line string) {
	fence := fenceLine.FindStringSubmatch(line)
	item := itemLine.FindStringSubmatch(line)
	if p.rows != nil && !strings.HasPrefix(line, "|") {
		p.table(p.rows)
		p.rows = nil
	}
	switch {
	case fence != nil:
		p.flush()
		if p.inCode = !p.inCode; p.inCode && fence[2] != "" {
			p.put(indent + p.bold(fence[2]))
		}
	case p.inCode:
		p.put(strings.TrimRight(indent+indent+p.code(line), " "))
	case strings.TrimSpace(line) == "":
		p.flush()
		p.put("")
	case strings.HasPrefix(line, "|"):
		p.flush()
		p.rows = append(p.rows, cells(line))
	case strings.HasPrefix(line, "#"):
		p.flush()
		p.put(p.bold(strings.TrimLeft(line, "# ")))
	case item != nil:
		p.flush()
		p.mark, p.words = item[1], []string{item[2]}
	default:
		p.words = append(p.words, strings.TrimSpace(line))
	}
}

// flush draws what is open. Emphasis is painted once the lines are broken: its signs
// take no column.
func (p *imageGenerator) flush() {
	if p.words == nil {
		return
	}
	text := pageLink.ReplaceAllString(strings.Join(p.words, " "), "$1 (`evalctl help $2`)")
	text = link.ReplaceAllString(text, "$1 ($2)")
	first, rest := p.mark, strings.Repeat(" ", len(p.mark))
	for i, line := range wrap(unspaced(text), p.Width-len(p.mark)) {
		lead := rest
		if i == 0 {
			lead = first
		}
		p.put(lead + p.inline(line))
	}
	p.words, p.mark = nil, ""
}

// inline paints what is marked within a line.
func (p *imageGenerator) inline(line string) string {
	line = spanned.ReplaceAllStringFunc(line, func(part string) string {
		if strings.HasPrefix(part, "**") {
			return p.bold(strings.Trim(part, "*"))
		}
		return p.code(strings.ReplaceAll(part, "`", ""))
	})
	return strings.ReplaceAll(line, noBreak, " ")
}

func (p *imageGenerator) bold(text string) string { return p.paint(boldOn, text, boldOff) }
func (p *imageGenerator) code(text string) string { return p.paint(dimOn, text, dimOff) }

func (p *imageGenerator) paint(on, text, off string) string {
	if !p.Color || text == "" {
		return text
	}
	return on + text + off
}

func (p *imageGenerator) put(line string) { p.out.WriteString(line + "\n") }
