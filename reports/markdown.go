package reports

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"evalctl/eval/number"
)

// MaxStepSummaryBytes is the maximum size of a GitHub step summary, in bytes.
const MaxStepSummaryBytes = 1 << 20

// TruncateMarkdown shortens a Markdown report to at most maxBytes bytes, for example for a GitHub
// step summary. It cuts between two blocks or, if that removes more than half of the text, after a
// line. It adds a note that the report is truncated. It returns "" if the note does not fit.
func TruncateMarkdown(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	note := fmt.Sprintf("\n\n**%s truncated:** the report has %s bytes, and a step summary allows %s.\n",
		ellipsisMark, number.Integer(int64(len(text))), number.Integer(MaxStepSummaryBytes))
	maxBytes -= len(note) + maxFoldDepth*len(closeFolded)
	if maxBytes < 0 {
		return ""
	}
	end := blockEnd(text, maxBytes)
	open := strings.Count(text[:end], foldStart) - strings.Count(text[:end], foldEnd)
	return text[:end] + strings.Repeat(closeFolded, open) + note
}

// closeFolded ends a folded section; maxFoldDepth is the maximum nesting depth of such sections.
const (
	closeFolded  = "\n\n" + foldEnd
	maxFoldDepth = 2
)

// blockEnd returns the last offset, at most n, at which the Markdown text can be cut without
// breaking a block.
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

// fence is the start of a Markdown line that opens or closes a code block. Plots are in code
// blocks.
const fence = "\n```"

// lineEnd returns the last end of a line at or before offset n. Within a very long line, it returns
// the end of a character.
func lineEnd(text string, n int) int {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	if nl := strings.LastIndexByte(text[:n], '\n'); nl > max(n-longLine, 0) {
		return nl
	}
	return n
}

// longLine is the length, in bytes, up to which a line that does not fit is omitted completely. A
// longer line is shortened.
const longLine = 16 << 10

func markdownOf(doc []block) []byte {
	var out bytes.Buffer
	for _, b := range doc {
		if b.empty() {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		b.clean()
		b.markdown(&out)
	}
	return out.Bytes()
}

func (b block) markdown(out *bytes.Buffer) {
	if b.heading != "" {
		fmt.Fprintf(out, "%s %s\n\n", strings.Repeat("#", b.level), escape(b.heading))
	}
	markdownLines(out, b.lines)
	if len(b.plot) > 0 {
		fmt.Fprintf(out, "\n```text\n%s\n```\n", strings.Join(b.plot, "\n"))
	}
	if b.spaced() {
		out.WriteByte('\n')
	}
	b.grid.markdown(out)
	if len(b.notes) > 0 {
		out.WriteByte('\n')
	}
	markdownLines(out, b.notes)
	for i, s := range b.next {
		if i == 0 {
			out.WriteByte('\n')
		}
		for _, found := range command("", s.words, unlimited) {
			fmt.Fprintf(out, "- %s\n", codeSpan(found))
		}
	}
	if b.more != nil {
		if !(block{heading: b.heading, lines: b.lines, grid: b.grid}).empty() {
			out.WriteByte('\n')
		}
		fmt.Fprintf(out, "%s\n<summary>%s</summary>\n\n", foldStart, escape(escapeLine(b.more.name)))
		out.Write(markdownOf(b.more.blocks))
		fmt.Fprintf(out, "\n%s\n", foldEnd)
	}
}

func markdownLines(out *bytes.Buffer, lines []line) {
	for _, l := range lines {
		text := escape(strings.TrimSpace(l.mark + " " + l.content()))
		if l.tone == bad && l.parts == nil {
			text = "**" + text + "**"
		}
		if l.value != "" {
			text += " — " + escape(l.value)
		}
		text = listMark.ReplaceAllString(text, `$1\$2`)
		for _, found := range command("", l.command, unlimited) {
			text += " " + codeSpan(found)
		}
		fmt.Fprintf(out, "- %s\n", text)
	}
}

// codeSpan formats a text as inline code. The delimiters have more backticks than any run of
// backticks in the text.
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

// HTML tags that open and close a folded section.
const (
	foldStart = "<details>"
	foldEnd   = "</details>"
)

// listMark matches the start of a text that Markdown would read as a list item.
var listMark = regexp.MustCompile(`^(\d*)([-+.)])`)

func (g grid) markdown(out *bytes.Buffer) {
	if g.rows() == 0 {
		return
	}
	g = g.printable()
	for _, c := range g.columns {
		fmt.Fprintf(out, "| %s ", escape(c.title()))
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
	for n := range g.rows() {
		for _, c := range g.row(n) {
			fmt.Fprintf(out, "| %s ", escape(c.line()))
		}
		out.WriteString("|\n")
	}
}

// escape prevents Markdown from reading a one-line text as markup, HTML, a cell separator, a link
// or a mention.
func escape(text string) string {
	text = strings.NewReplacer(
		`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`,
		"#", `\#`, "$", `\$`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "://", ":"+zeroWidthSpace+"//",
	).Replace(text)
	text = bareHost.ReplaceAllString(text, "${1}"+zeroWidthSpace+".")
	return mention.ReplaceAllString(text, "${1}@"+zeroWidthSpace+"${2}")
}

// zeroWidthSpace is an HTML entity that is invisible. It prevents GitHub from creating mentions and
// links.
const zeroWidthSpace = "&#8203;"

// mention matches the @ of a GitHub mention or an e-mail address. It does not match "recall@5".
var mention = regexp.MustCompile(`(^|[^A-Za-z0-9])@|@([A-Za-z])`)

// bareHost matches the start of a host name that GitHub would turn into a link.
var bareHost = regexp.MustCompile(`(?i)(www)\.`)
