package reports_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports"
)

var commands = []string{"begin", "end", "centering", "caption", "label", "toprule", "midrule", "bottomrule",
	"textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textbar", "dots",
	"sim", "times", "geq", "leq", "rightarrow", "cdot", "bullet", "mathrm", "mu"}

// environment matches a line that starts or ends a LaTeX environment.
var environment = regexp.MustCompile(`^\\(begin|end)\{(table|tabular)\}(?:\{([lr]+)\})?$`)

// latexError describes what is malformed or unexpected in a LaTeX file; "" if it is valid.
func latexError(text string) string {
	var open []string
	columns := 0
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "% ") {
			continue
		}
		cells, wrong := scanLine(line)
		if wrong != "" {
			return fmt.Sprintf("line %d %s: %q", i+1, wrong, line)
		}
		switch m := environment.FindStringSubmatch(line); {
		case m != nil && m[1] == "begin":
			open, columns = append(open, m[2]), len(m[3])
		case m != nil:
			if len(open) == 0 || open[len(open)-1] != m[2] {
				return fmt.Sprintf("line %d ends %s, which is not open", i+1, m[2])
			}
			open = open[:len(open)-1]
		case strings.HasSuffix(line, ` \\`) && (cells != columns || !slices.Contains(open, "tabular")):
			return fmt.Sprintf("line %d has %d cells, not %d: %q", i+1, cells, columns, line)
		case cells > 1 && !strings.HasSuffix(line, ` \\`):
			return fmt.Sprintf("line %d has cells outside a row: %q", i+1, line)
		}
	}
	if len(open) > 0 {
		return "open at the end: " + strings.Join(open, " ")
	}
	return ""
}

// scanLine counts the cells of a table row. wrong is the first special character that is not
// escaped.
func scanLine(line string) (cells int, wrong string) {
	depth, math := 0, false
	cells = 1
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		i += size
		switch r {
		case '\\':
			name := line[i : i+len(line[i:])-len(strings.TrimLeft(line[i:], "abcdefghijklmnopqrstuvwxyz"))]
			switch {
			case name == "" && i < len(line) && strings.IndexByte(`\{}$&#_%,`, line[i]) >= 0:
				i++
			case !slices.Contains(commands, name):
				return 0, "has the command " + name
			}
			i += len(name)
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return 0, "closes what is not open"
			}
		case '$':
			math = !math
		case '&':
			if math || depth > 0 {
				return 0, "has a cell within another"
			}
			cells++
		case '#', '_', '^', '~', '%':
			return 0, "has a bare " + string(r)
		}
	}
	if depth != 0 || math {
		return 0, "leaves something open"
	}
	return cells, ""
}

var _ = Describe("a report in LaTeX", func() {
	It("has a table of the variants and one of the faults for each suite, with a caption and a label", func() {
		text := written(reports.LaTeX, tools())
		Expect(latexError(text)).To(BeEmpty())
		Expect(text).To(HavePrefix("% evalctl report runs/1121-1843\n% \\usepackage{booktabs}\n"))
		Expect(strings.Count(text, `\begin{table}`)).To(Equal(2))
		Expect(text).To(And(ContainSubstring(`\caption{toolrouter: variants. `),
			ContainSubstring(`\label{tab:evalctl-2}`)))
		Expect(text).To(ContainSubstring(
			"$95.5\\,\\%\\,[93.2, 97.0]$ & $+22.5\\,[+18.3, +26.8]$ & +114/$-$9 & $0.945$ & $1.83\\,\\mathrm{s}$"))
	})

	It("states in every caption that the run is partial", func() {
		s := tools().Summary
		s.Partial = true
		text := written(reports.LaTeX, reports.Report{Summary: s})
		Expect(strings.Count(text, "PARTIAL RUN. ")).To(Equal(strings.Count(text, `\caption{`)))
	})

	DescribeTable("escapes special texts", func(name, want string) {
		s := eval.Summary{Suites: []eval.SuiteSummary{{Name: "s", Cases: 1,
			Conditions: []eval.ConditionSummary{{Variant: name, Fault: eval.NoFault, Trials: 1,
				Metrics: map[string]eval.Estimate{"route.accuracy": {Value: new(0.5), N: 100}}}}}}}
		text := written(reports.LaTeX, reports.Report{Summary: s})
		Expect(latexError(text)).To(BeEmpty())
		Expect(text).To(ContainSubstring("\n" + want + ` & $50.0\,\%$`))
	},
		Entry("characters with a meaning in LaTeX", `a\b{c}$d&e#f^g_h~i%j`,
			`a\textbackslash{}b\{c\}\$d\&e\#f\textasciicircum{}g\_h\textasciitilde{}i\%j`),
		Entry("brackets, which LaTeX could read as an option of a row", "[x]", "{[}x{]}"),
		Entry("Chinese characters, which need no escape", "天气 查询", "天气 查询"),
		Entry("a minus sign, an arrow and an ellipsis", "a−1 → b…", `a$-$1 $\rightarrow$ b\dots{}`),
	)
})
