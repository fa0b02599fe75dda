package reports

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// MaxStepSummary is how many bytes GitHub takes of a step summary.
const MaxStepSummary = 1 << 20

// CapMarkdown shortens a Markdown report to what GitHub takes of a step
// summary, after a whole line where it can, and says so at the end.
func CapMarkdown(text string) string {
	if len(text) <= MaxStepSummary {
		return text
	}
	note := fmt.Sprintf("\n\n**%s cut here:** the report has %s bytes, a step summary takes %s.\n",
		ellipsis, grouped(int64(len(text))), grouped(MaxStepSummary))
	end := lineEnd(text, MaxStepSummary-len(note))
	if strings.Count(text[:end], folded) > strings.Count(text[:end], foldedEnd) {
		note = "\n\n" + foldedEnd + note
		end = lineEnd(text, MaxStepSummary-len(note))
	}
	return text[:end] + note
}

// lineEnd is the last place up to n where a text can be cut.
func lineEnd(text string, n int) int {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	if nl := strings.LastIndexByte(text[:n], '\n'); nl > n-longLine {
		return nl
	}
	return n
}

// longLine is the longest line that a cap gives up whole.
const longLine = 16 << 10

func markdown(r Report) []byte {
	var out bytes.Buffer
	for i, b := range document(r) {
		if b.empty() {
			continue
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		b.markdown(&out)
	}
	return out.Bytes()
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
		fmt.Fprintf(out, "- %s\n", listMark.ReplaceAllString(text, `$1\$2`))
	}
	if len(b.lines) > 0 && len(b.grid.rows) > 0 {
		out.WriteByte('\n')
	}
	b.grid.markdown(out)
	if len(b.rest.rows) > 0 {
		fmt.Fprintf(out, "\n%s\n<summary>%s</summary>\n\n", folded, escape(b.restName))
		b.rest.markdown(out)
		fmt.Fprintf(out, "\n%s\n", foldedEnd)
	}
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
// or the end of a table's cell.
func escape(text string) string {
	return strings.NewReplacer(
		`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`,
		"#", `\#`, "$", `\$`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	).Replace(text)
}
