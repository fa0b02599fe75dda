// Package help renders Markdown help pages on a terminal, for the command evalctl help PAGE.
package help

import (
	"regexp"
	"strings"
)

// minWidth, maxWidth and defaultWidth are the widths of a rendered page, in columns. The maximum
// keeps lines readable on wide terminals.
const (
	minWidth     = 40
	maxWidth     = 100
	defaultWidth = 80
)

// Renderer describes the terminal that a page is rendered for.
type Renderer struct {
	Width int  // in columns, limited to 40 to 100; 0: 80
	Color bool // the terminal supports colors
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
	pageLink  = regexp.MustCompile(`\[([^\]]+)\]\(([a-z-]+)\.md\)`) // link to another help page
	spanned   = regexp.MustCompile("`[^`]+`|\\*\\*[^*]+\\*\\*")
)

// Render returns the Markdown page as text for the terminal. It supports headings, paragraphs,
// lists, tables and code blocks, but not HTML. It does not wrap lines of code. A link to another
// page becomes the command that prints that page.
func (s Renderer) Render(text string) string {
	if s.Width == 0 {
		s.Width = defaultWidth
	}
	p := renderer{Renderer: s}
	p.Width = min(max(s.Width, minWidth), maxWidth)
	for line := range strings.Lines(text) {
		p.addLine(strings.TrimRight(line, "\n"))
	}
	p.flush()
	if p.rows != nil {
		p.table(p.rows)
	}
	return p.out.String()
}

// renderer renders a page line by line. It collects the lines of a paragraph or list item and
// writes them when the paragraph or item ends.
type renderer struct {
	Renderer
	out    strings.Builder
	words  []string   // text of the current paragraph or list item
	mark   string     // bullet or number of the current list item; "": a paragraph
	rows   [][]string // rows of the current table
	inCode bool
}

func (p *renderer) addLine(line string) {
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

// flush writes the current paragraph or list item: it wraps the text, and then inserts colors.
func (p *renderer) flush() {
	if p.words == nil {
		return
	}
	text := pageLink.ReplaceAllString(strings.Join(p.words, " "), "$1 (`evalctl help $2`)")
	text = link.ReplaceAllString(text, "$1 ($2)")
	first, rest := p.mark, strings.Repeat(" ", len(p.mark))
	for i, line := range wrap(withoutBreaks(text), p.Width-len(p.mark)) {
		lead := rest
		if i == 0 {
			lead = first
		}
		p.put(lead + p.inline(line))
	}
	p.words, p.mark = nil, ""
}

// inline replaces the markup for strong text and code within a line by escape sequences.
func (p *renderer) inline(line string) string {
	line = spanned.ReplaceAllStringFunc(line, func(part string) string {
		if strings.HasPrefix(part, "**") {
			return p.bold(strings.Trim(part, "*"))
		}
		return p.code(strings.ReplaceAll(part, "`", ""))
	})
	return strings.ReplaceAll(line, noBreak, " ")
}

func (p *renderer) bold(text string) string { return p.colored(boldOn, text, boldOff) }
func (p *renderer) code(text string) string { return p.colored(dimOn, text, dimOff) }

func (p *renderer) colored(on, text, off string) string {
	if !p.Color || text == "" {
		return text
	}
	return on + text + off
}

func (p *renderer) put(line string) { p.out.WriteString(line + "\n") }
