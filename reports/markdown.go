package reports

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// MaxStepSummary is how many bytes GitHub takes of a step summary.
const MaxStepSummary = 1 << 20

// CapMarkdown shortens a Markdown report to so many bytes, as there is room for in
// a step summary: between two blocks, so that tables stay whole, or after a whole
// line of one that is longer than half of it. It says so at the end. There is
// nothing where there is no room for that.
func CapMarkdown(text string, room int) string {
	if len(text) <= room {
		return text
	}
	note := fmt.Sprintf("\n\n**%s truncated:** the report has %s bytes, and a step summary allows %s.\n",
		ellipsis, grouped(int64(len(text))), grouped(MaxStepSummary))
	room -= len(note) + deepest*len(closed)
	if room < 0 {
		return ""
	}
	end := blockEnd(text, room)
	open := strings.Count(text[:end], folded) - strings.Count(text[:end], foldedEnd)
	return text[:end] + strings.Repeat(closed, open) + note
}

// closed ends what is folded away, and deepest is how often that is within one another.
const (
	closed  = "\n\n" + foldedEnd
	deepest = 2
)

// blockEnd is the last place up to n where a text can be cut.
func blockEnd(text string, n int) int {
	end := strings.LastIndex(text[:n], "\n\n")
	if end < n/2 {
		end = lineEnd(text, n)
	}
	if strings.Count(text[:end], fence)%2 == 1 {
		end = strings.LastIndex(text[:end], fence)
	}
	return end
}

// fence is around what is drawn in characters.
const fence = "\n```"

// lineEnd is the last end of a line up to n, or of a character in a long line.
func lineEnd(text string, n int) int {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	if nl := strings.LastIndexByte(text[:n], '\n'); nl > max(n-longLine, 0) {
		return nl
	}
	return n
}

// longLine is the longest line that a cap gives up whole.
const longLine = 16 << 10

// markdown is for a page: gates first, then what the first screen of a terminal
// has, and all tables folded away behind that, where a page that is cut lacks them.
func markdown(r Report) []byte {
	var out bytes.Buffer
	put := func(b block) {
		b.clean()
		if b.empty() {
			return
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		b.markdown(&out)
	}
	put(head(r))
	if len(r.Summary.Gates) > 0 {
		put(gates(r.Summary.Gates))
	}
	for _, s := range r.Summary.Suites {
		for _, b := range page(r, s) {
			put(b)
		}
	}
	for _, s := range r.Summary.Suites {
		fmt.Fprintf(&out, "\n%s\n<summary>All tables of %s</summary>\n", folded, escape(named(s.Name)))
		for i, b := range suite(r, s) {
			if i == 0 {
				b.heading = "" // stands above
			}
			put(b)
		}
		fmt.Fprintf(&out, "\n%s\n", foldedEnd)
	}
	put(foot(r))
	return out.Bytes()
}

// paged are blocks on a page of their own.
func paged(doc []block) []byte {
	var out bytes.Buffer
	for i, b := range doc {
		if b.clean(); i > 0 {
			out.WriteByte('\n')
		}
		b.markdown(&out)
	}
	return out.Bytes()
}

// page is what a page shows of a suite without being asked.
func page(r Report, s eval.SuiteSummary) []block {
	first := block{level: 2, heading: s.Name, lines: []line{{text: subtitle(s, finding.Sizes(s, r.Summary.Partial))}}}
	if s.FaultMatrix {
		return append([]block{first}, matrixBlocks(s, true)...)
	}
	for _, f := range finding.Findings(s) {
		l := line{text: f.String()}
		if f.IsWarning() {
			l.tone, l.mark = warn, "!"
		}
		first.lines = append(first.lines, l)
	}
	blocks := []block{first}
	if cells := finding.FaultFree(s); len(cells) > 0 {
		blocks = append(blocks, block{grid: variants(s, cells, pageWidth).fit(unlimited).grid()})
	}
	if rows := finding.Hits(s); len(rows) > 0 {
		blocks = append(blocks, block{grid: faultTable(s, rows, false, unlimited).fit(unlimited).grid()})
	}
	return blocks
}

// pageWidth leaves names whole, and no room for a plot.
const pageWidth = plotFrom - 1

// grid is the same for a page.
func (all lanes) grid() grid {
	g := grid{keys: 1}
	for i, l := range all {
		g.columns = append(g.columns, column{head: l.title(), right: l.right})
		for n, f := range l.fields {
			if i == 0 {
				g.rows = append(g.rows, nil)
			}
			g.rows[n] = append(g.rows[n], cell{text: strings.TrimSpace(f.text + " " + f.tail)})
		}
	}
	return g
}

func (b block) markdown(out *bytes.Buffer) {
	if b.heading != "" {
		fmt.Fprintf(out, "%s %s\n\n", strings.Repeat("#", b.level), escape(b.heading))
	}
	for _, l := range b.lines {
		text := escape(strings.TrimSpace(l.mark + " " + l.text))
		if l.tone == bad {
			text = "**" + text + "**"
		}
		text = listMark.ReplaceAllString(text, `$1\$2`)
		if l.code != "" {
			text += " " + codeSpan(l.code)
		}
		fmt.Fprintf(out, "- %s\n", text)
	}
	if len(b.plot) > 0 {
		fmt.Fprintf(out, "\n```text\n%s\n```\n", strings.Join(b.plot, "\n"))
	}
	if b.spaced() {
		out.WriteByte('\n')
	}
	b.grid.markdown(out)
	if len(b.hidden.rows) > 0 {
		fmt.Fprintf(out, "\n%s\n<summary>%s</summary>\n\n", folded, escape(b.restName))
		b.hidden.markdown(out)
		fmt.Fprintf(out, "\n%s\n", foldedEnd)
	}
}

// codeSpan is fenced by more backticks than follow each other in it.
func codeSpan(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		text = " " + text + " "
	}
	return fence + text + fence
}

// What GitHub shows only to whom asks for it.
const (
	folded    = "<details>"
	foldedEnd = "</details>"
)

// listMark is what would begin a list within a list.
var listMark = regexp.MustCompile(`^(\d*)([-+.)])`)

func (g grid) markdown(out *bytes.Buffer) {
	if len(g.rows) == 0 {
		return
	}
	for _, c := range g.columns {
		fmt.Fprintf(out, "| %s ", escape(c.head))
	}
	out.WriteString("|\n")
	for _, c := range g.columns {
		rule := "| --- "
		if c.right {
			rule = "| ---: "
		}
		out.WriteString(rule)
	}
	out.WriteString("|\n")
	for _, row := range g.rows {
		for _, c := range row {
			fmt.Fprintf(out, "| %s ", escape(c.text))
		}
		out.WriteString("|\n")
	}
}

// escape keeps a text, already one line, from being taken for Markdown, HTML
// or the end of a table's cell, and from becoming a link or a call for somebody.
func escape(text string) string {
	text = strings.NewReplacer(
		`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`,
		"#", `\#`, "$", `\$`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "://", ":"+widthless+"//",
	).Replace(text)
	text = bareHost.ReplaceAllString(text, "${1}"+widthless+".")
	return called.ReplaceAllString(text, "${1}@"+widthless+"${2}")
}

// widthless has no width: after it GitHub finds neither a name nor an address.
const widthless = "&#8203;"

// called is a name that GitHub tells, or an address; recall@5 is neither.
var called = regexp.MustCompile(`(^|[^A-Za-z0-9])@|@([A-Za-z])`)

// bareHost is what GitHub makes a link of without a scheme.
var bareHost = regexp.MustCompile(`(?i)(www)\.`)
