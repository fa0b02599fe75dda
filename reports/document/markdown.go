package document

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"evalctl/eval/metric"
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
	note := fmt.Sprintf("\n\n**%s truncated:** the report has %s bytes, and %s fit.\n",
		ellipsisMark, metric.FormatInteger(int64(len(text))), metric.FormatInteger(int64(maxBytes)))
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

// Markdown renders the blocks of a document as Markdown.
func Markdown(d Document, _ Options) ([]byte, error) { return markdownOf(d.Blocks), nil }

func markdownOf(blocks []Block) []byte {
	var out bytes.Buffer
	for _, b := range blocks {
		if b.Empty() {
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

func (b Block) markdown(out *bytes.Buffer) {
	if b.Heading != "" {
		fmt.Fprintf(out, "%s %s\n\n", strings.Repeat("#", b.Level), EscapeMarkdown(b.Heading))
	}
	markdownLines(out, b.Lines)
	if len(b.Preformatted) > 0 {
		if len(b.Lines) > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(out, "```text\n%s\n```\n", strings.Join(b.Preformatted, "\n"))
	}
	if b.spaced() {
		out.WriteByte('\n')
	}
	b.Table.markdown(out)
	if len(b.Notes) > 0 {
		out.WriteByte('\n')
	}
	markdownLines(out, b.Notes)
	for i, s := range b.Next {
		if i == 0 {
			out.WriteByte('\n')
		}
		for _, found := range CommandLines("", s.Words, Unlimited) {
			fmt.Fprintf(out, "- %s\n", MarkdownCode(found))
		}
	}
	if b.More != nil {
		if !(Block{Heading: b.Heading, Lines: b.Lines, Table: b.Table}).Empty() {
			out.WriteByte('\n')
		}
		fmt.Fprintf(out, "%s\n<summary>%s</summary>\n\n", foldStart, EscapeMarkdown(escapeLine(b.More.Name)))
		out.Write(markdownOf(b.More.Blocks))
		fmt.Fprintf(out, "\n%s\n", foldEnd)
	}
}

func markdownLines(out *bytes.Buffer, lines []Line) {
	for _, l := range lines {
		text := EscapeMarkdown(strings.TrimSpace(l.Mark + " " + l.content()))
		if l.Tone == Bad && l.Parts == nil {
			text = "**" + text + "**"
		}
		if l.Value != "" {
			text += " — " + EscapeMarkdown(l.Value)
		}
		text = listMark.ReplaceAllString(text, `$1\$2`)
		for _, found := range CommandLines("", l.Command, Unlimited) {
			text += " " + MarkdownCode(found)
		}
		fmt.Fprintf(out, "- %s\n", text)
	}
}

// MarkdownCode formats a text as inline code. The delimiters have more backticks than any run of
// backticks in the text.
func MarkdownCode(text string) string {
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

func (g Table) markdown(out *bytes.Buffer) {
	if g.Rows() == 0 {
		return
	}
	g = g.printable()
	for _, c := range g.Columns {
		fmt.Fprintf(out, "| %s ", EscapeMarkdown(c.title()))
	}
	out.WriteString("|\n")
	for _, c := range g.Columns {
		rule := "| --- "
		if c.Right {
			rule = "| ---: "
		}
		out.WriteString(rule)
	}
	out.WriteString("|\n")
	for n := range g.Rows() {
		for _, c := range g.row(n) {
			fmt.Fprintf(out, "| %s ", EscapeMarkdown(c.line()))
		}
		out.WriteString("|\n")
	}
}

// EscapeMarkdown prevents Markdown from reading a one-line text as markup, HTML, a cell separator, a link
// or a mention.
func EscapeMarkdown(text string) string {
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
