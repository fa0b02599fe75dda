package document

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// LaTeX renders the tables of a report as LaTeX, to be included in a paper. They require the
// package booktabs and, for Chinese texts, XeLaTeX or LuaLaTeX. The heading and the lines of a
// block, or its caption, become the caption of its table, with the notes about it. Lines without a table
// become comments. Plots, values of lines, suggestions and folded sections are left out.
func LaTeX(d Document, _ Options) ([]byte, error) {
	var out bytes.Buffer
	comment(&out, d.Source)
	comment(&out, `\usepackage{booktabs}`)
	heading, tables := "", 0
	for _, b := range d.Blocks {
		b.clean()
		if b.Heading != "" {
			heading = b.Heading
		}
		if b.Table.Rows() == 0 {
			for _, l := range b.Lines {
				comment(&out, strings.TrimSpace(l.Mark+" "+l.content()+" "+
					strings.Join(CommandLines("", l.Command, Unlimited), " ")))
			}
			continue
		}
		tables++
		caption := texEscape(b.Caption)
		if caption == "" {
			caption = texEscape(heading) + "."
			for _, l := range b.Lines {
				caption += " " + texEscape(l.content())
			}
		}
		for _, l := range b.Notes {
			caption += " " + texEscape(l.content()) + "."
		}
		if d.Partial {
			caption = "PARTIAL RUN. " + caption
		}
		b.Table.latex(&out, caption, fmt.Sprintf("tab:evalctl-%d", tables))
	}
	return out.Bytes(), nil
}

func comment(out *bytes.Buffer, text string) { fmt.Fprintf(out, "%% %s\n", escapeLine(text)) }

func (g Table) latex(out *bytes.Buffer, caption, label string) {
	g = g.printable()
	align := ""
	heads := make([]string, len(g.Columns))
	for i, c := range g.Columns {
		if heads[i] = texEscape(c.title()); c.Right {
			align += "r"
			continue
		}
		align += "l"
	}
	fmt.Fprintf(out, "\n\\begin{table}\n\\centering\n\\caption{%s}\n\\label{%s}\n\\begin{tabular}{%s}\n\\toprule\n",
		caption, label, align)
	fmt.Fprintf(out, "%s \\\\\n\\midrule\n", strings.Join(heads, " & "))
	for n := range g.Rows() {
		cells := make([]string, len(g.Columns))
		for i, c := range g.row(n) {
			cells[i] = texCell(c.line())
		}
		fmt.Fprintf(out, "%s \\\\\n", strings.Join(cells, " & "))
	}
	out.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
}

var numeral = regexp.MustCompile(`^([+−]?\d[\d.,]*)( (?:%|s|ms|µs))?(?: \[([+−]?[\d.,]+), ([+−]?[\d.,]+)\])?$`)

// texCell formats a table cell for LaTeX: numbers in math mode, other texts escaped.
func texCell(text string) string {
	mark := ""
	if number, ok := strings.CutPrefix(text, "~ "); ok {
		mark, text = `$\sim$ `, number
	}
	m := numeral.FindStringSubmatch(text)
	if m == nil {
		return mark + texEscape(text)
	}
	set := mark + "$" + texNumber(m[1])
	switch unit := strings.TrimPrefix(m[2], " "); unit {
	case "":
	case "%":
		set += `\,\%`
	case "µs":
		set += `\,\mu\mathrm{s}`
	default:
		set += `\,\mathrm{` + unit + `}`
	}
	if m[3] != "" {
		set += `\,[` + texNumber(m[3]) + ", " + texNumber(m[4]) + "]"
	}
	return set + "$"
}

// texNumber formats a number for math mode, without the space that LaTeX puts after a comma.
func texNumber(text string) string { return strings.NewReplacer("−", "-", ",", "{,}").Replace(text) }

// texEscape escapes a one-line text for LaTeX. It writes symbols such as ≥ as commands, which work
// in every encoding.
func texEscape(text string) string {
	return strings.NewReplacer(
		`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "_", `\_`, "%", `\%`,
		"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`,
		"|", `\textbar{}`,
		"[", "{[}", "]", "{]}", "*", "{*}", `"`, "{''}", "--", "-{}-", "`", "{`}", "'", "{'}",
		"−", "$-$", "–", "--", "×", `$\times$`, "≥", `$\geq$`, "≤", `$\leq$`, "→", `$\rightarrow$`, "·", `$\cdot$`,
		"●", `$\bullet$`, "✓", "yes", "✗", "no", "µ", `$\mu$`, ellipsisMark, `\dots{}`,
	).Replace(text)
}
