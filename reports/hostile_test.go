package reports_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/reports"
)

// named returns a report in which all names, labels and messages are these texts.
func named(name, label, message string) reports.Report {
	condition := faultFree(name, 371, []string{label, "other", label + "2"})
	condition.ConfusedPairs[0].Cases = []string{name, label}
	condition.Metrics["slots."+label], condition.Metrics["node."+name+".p50"] = share(8, 9, 0), between(1, 1, 1)
	return reports.Report{
		Summary: eval.Summary{
			Suites: []eval.SuiteSummary{{Name: name, Target: name, Dataset: label, Split: label, Clock: message,
				Models:     []eval.ModelInfo{{Component: name, Kind: label, Note: message}},
				Conditions: []eval.ConditionSummary{condition, withFault(name, label, 330, 12)}}},
			Gates: []eval.GateVerdict{{Rule: label, Reason: message}},
		},
		Title: name, Dir: name, Notes: []string{message, label},
	}
}

// timelineOf returns a trial in which all names, labels and messages are these texts.
func timelineOf(name, label, message string) eval.Result {
	return eval.Result{Suite: name, Case: label, Variant: name, Fault: label,
		Error: &eval.Error{Kind: eval.ProviderError, Message: message},
		Outcome: eval.Outcome{Turns: []eval.TurnResult{{
			Input: agent.Turn{Text: message, Session: name, Images: []string{label},
				State: map[string]json.RawMessage{label: json.RawMessage(message)}},
			Reply: agent.Reply{Content: message, Predicted: label, DecidedBy: name, Rule: label,
				Slots: map[string]string{name: label}, Retrieved: []agent.Hit{{ID: label}}},
			Events: []trace.Event{span(name,
				trace.Span{Provider: name, Model: label, Attempt: 1, Error: label, Message: message})},
		}}}}
}

var (
	escaped   = regexp.MustCompile("\\\\[\\\\|`*_\\[\\]~#$+.)-]|&(lt|gt|amp|#8203);")
	meaning   = regexp.MustCompile("[\\\\|`*_\\[\\]~<>&]")
	tableRule = regexp.MustCompile(`^(\| ---:? )+\|$`)
)

// markup returns the unescaped markup in a line of Markdown, except that of the report itself.
func markup(line string) string {
	line = escaped.ReplaceAllString(line, "")
	if text, bold := strings.CutPrefix(line, "- **"); bold {
		line = strings.TrimSuffix(text, "**")
	}
	return meaning.FindString(strings.TrimLeft(line, "#"))
}

// unsafeText describes what is unsafe in a rendered report, such as control characters; "" if
// nothing is.
func unsafeText(format reports.Format, text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if format == reports.CSV || format == reports.CSVWide {
			line = strings.TrimSuffix(line, "\r")
		}
		if at := strings.IndexFunc(line,
			func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }); at >= 0 {
			return fmt.Sprintf("line %d steers: %q", i+1, line)
		}
	}
	switch format {
	case reports.Markdown:
		return harmlessMarkdown(lines)
	case reports.CSV, reports.CSVWide:
		return harmlessCSV(text)
	case reports.LaTeX:
		return latexError(text)
	case reports.JSON:
		if !json.Valid([]byte(text)) {
			return "no JSON"
		}
	}
	return ""
}

func harmlessMarkdown(lines []string) string {
	columns := 0
	for i, line := range lines {
		unescaped := escaped.ReplaceAllString(line, "")
		switch {
		case strings.HasPrefix(line, "|"):
			n := strings.Count(unescaped, "|")
			if columns > 0 && n != columns {
				return fmt.Sprintf("line %d has %d columns, not %d: %q", i+1, n-1, columns-1, line)
			}
			columns = n
			unescaped = strings.ReplaceAll(unescaped, "|", "")
		default:
			columns = 0
		}
		if !tableRule.MatchString(line) && markup(unescaped) != "" && !strings.HasPrefix(line, "<details>") &&
			!strings.HasPrefix(line, "<summary>") && line != "</details>" {
			return fmt.Sprintf("line %d has markup: %q", i+1, line)
		}
	}
	return ""
}

func harmlessCSV(text string) string {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return err.Error()
	}
	for _, row := range rows {
		for _, field := range row[:min(4, len(row))] {
			if strings.IndexAny(strings.TrimSpace(field), "=+-@") == 0 {
				return fmt.Sprintf("a formula: %q", field)
			}
		}
	}
	return ""
}

var _ = Describe("a name in a report", func() {
	long := strings.Repeat("很长的标签", 50)
	for _, label := range []string{
		"a|b", "||", `\|`, `\`, "`code`", "```", "<script>alert(1)</script>", "</details>", "<!--", "&lt;", "*bold*",
		"__x__", "~~x~~", "[x](http://y)", "![x](y)",
		"=1+1", "+1", "-1", "@SUM(A1)", "＝1", "\t=1+1", "\r=1", ` "quoted", comma`, `"`, "a,b", "\u202eevil\u202c",
		"\u2066x", "\u061c", "a\x00b\x07c\x7f", "\u009b31m",
		"\x1b[31mred\x1b[0m", "\x1b]8;;http://x\x07link", "two\nlines", "two\r\nlines", "\n", "", " ", "# head",
		"- item", "1. item", "> quote", "---", "===", "$x$",
		"\xff\xfe", "👩‍👩‍👧", "🇨🇳", "e\u0301", "\u0301", "a \ufe0fb", "\u200b", long,
	} {
		It(fmt.Sprintf("is escaped in every format if it is %.24q", label), func() {
			for _, format := range reports.Formats() {
				for _, width := range []int{40, 80, 0} {
					if format == reports.HTML && width > 0 {
						continue // the HTML format has no width
					}
					r := named(label, label, label)
					r.Width, r.ShowAll = width, true
					Expect(unsafeText(format, written(format, r))).To(BeEmpty(), "%s", format)
					if format == reports.Table && width > 0 {
						expectWithin(width, written(format, r))
					}
				}
			}
			r := named(label, label, label)
			trial := trialResult(label, label, 1, label, label+"2", label)
			trial.Suite = label
			r.Run, r.Width = reportOn(trial).Run, 60
			for _, format := range reports.TableFormats() {
				for _, r.View = range reports.Views() {
					Expect(unsafeText(format, written(format, r))).To(BeEmpty(), "%s by %s", format, r.View)
				}
			}
			text := renderText(timelineOf(label, label, label), 60)
			Expect(unsafeText(reports.Table, text)).To(BeEmpty())
			expectWithin(60, text)
		})
	}

	It("is shown with symbols in place of invisible characters", func() {
		text := written(reports.Table, detailed(named("v", "a\x1b[31m\u202eb\x07", "")))
		Expect(text).To(ContainSubstring("\na␛[31m\ufffdb␇ "))
	})

	It("does not change the gap before it if it starts with a combining mark", func() {
		Expect(written(reports.Table, detailed(named("v", "\u0301a \ufe0fb", "")))).
			To(ContainSubstring("\n◌\u0301a ◌\ufe0fb "))
	})

	It("is shortened if it has hundreds of characters", func() {
		for _, format := range []reports.Format{reports.Table, reports.Markdown} {
			Expect(written(format, named("v", long, ""))).To(ContainSubstring(strings.Repeat("很长的标签", 7) + "很长的标… "))
		}
	})

	It("is unchanged in JSON", func() {
		label := long + "\x1b[31m|\u202e\U000e0041\n=1"
		var back eval.Summary
		Expect(json.Unmarshal([]byte(written(reports.JSON, named("v", label, ""))), &back)).To(Succeed())
		Expect(back.Suites[0].Conditions[0].Confusion.Labels[0]).To(Equal(label))
	})

	It("creates no mentions and no links in Markdown on GitHub", func() {
		for _, text := range []string{"@octocat", "a@evil.example", "https://evil.example/x", "ftp://evil.example",
			"www.evil.example", "_WWW.evil.example"} {
			shown := written(reports.Markdown, named(text, text, text))
			Expect(shown).NotTo(MatchRegexp(`(?i)@\w|\w://|www\.`), text)
			Expect(html.UnescapeString(strings.NewReplacer("&#8203;", "", `\_`, "_").Replace(shown))).
				To(ContainSubstring(text))
		}
	})

	It("is not read as a formula after a semicolon in CSV", func() {
		for _, text := range []string{"x;=cmd()", "x; +1", "x;\t@SUM(1)", `x;"=cmd()`, "x;;-1", "x;＝1"} {
			for _, format := range []reports.Format{reports.CSV, reports.CSVWide} {
				shown := written(format, named(text, text, text))
				Expect(shown).To(ContainSubstring("x;"))
				Expect(shown).NotTo(MatchRegexp(`;[\s"]*[=+@＝-]`), text)
			}
		}
	})

	It("is quoted in CSV, and is not read as a formula after blanks", func() {
		text := written(reports.CSV, named("\t=1+1", `a "b", c`, ""))
		Expect(text).To(And(ContainSubstring("\r\n' =1+1,' =1+1,none,"), ContainSubstring(`,"a ""b"", c",`)))
	})
})

func FuzzWrite(f *testing.F) {
	f.Add("v", "a|b", "\x1b[31m", 40)
	f.Add("=1", "👩‍👩‍👧", "<b>\n- [x](y)", 61)
	f.Add("\u202e", "\xff", "1. x", 200)
	f.Fuzz(func(t *testing.T, name, label, message string, width int) {
		for _, detail := range []bool{false, true} {
			for _, format := range reports.Formats() {
				r := named(name, label, message)
				r.Width, r.ShowAll = width, detail
				var out strings.Builder
				if err := reports.Write(&out, format, r); err != nil {
					t.Fatal(err)
				}
				if wrong := unsafeText(format, out.String()); wrong != "" {
					t.Errorf("%s: %s", format, wrong)
				}
				if format == reports.Table && width > 0 {
					for _, line := range strings.Split(out.String(), "\n") {
						if n := columnsOf(line); n > max(width, 40) {
							t.Errorf("%d columns, not %d: %q", n, width, line)
						}
					}
				}
			}
		}
	})
}
