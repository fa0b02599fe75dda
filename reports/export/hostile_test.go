package export_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
	"evalctl/eval"
	"evalctl/reports/export"
)

// hostileReport returns a report in which every name and every message is the given text.
func hostileReport(text string) export.Report {
	GinkgoHelper()
	wrong, lost := trial("c"+text, "v"+text, "f"+text, 1, "x"+text), trial("d"+text, "v"+text, "f"+text, 1, "")
	wrong.Text, wrong.Expected, wrong.DecidedBy = text, eval.OneOf{text + "1"}, text
	wrong.Fallbacks = []eval.Fallback{{From: text, To: text, Reason: text}}
	wrong.Scores[0].Expected, wrong.Scores[0].Verdict, wrong.Correct = wrong.Expected, eval.Fail, new(false)
	lost.Error = &eval.Error{Kind: eval.ErrorKind(llm.KindTimeout), Message: text}
	right := trial("r"+text, "v"+text, "f"+text, 1, "yes")
	before := wrong
	before.Predicted, before.Correct = wrong.Expected[0], new(true)
	before.Scores = []eval.Score{{Name: eval.RouteScore, Verdict: eval.Pass, Turn: 1, Actual: before.Predicted,
		Expected: wrong.Expected}}
	r := over(wrong, lost, right)
	r.BaselineRun = stored(before)
	r.Summary.Suites[0].Name = text
	r.Summary.Suites[0].Conditions = append(r.Summary.Suites[0].Conditions,
		eval.ConditionSummary{Variant: text, Metrics: map[string]eval.Estimate{
			"route.f1." + text: {Value: new(0.5), N: 1}, text: {Value: new(1.5), N: 1},
			"missing.rate": {Value: new(0.5), N: 2}, "route.accuracy": {Value: new(0.5), N: 2}}})
	r.Summary.Gates = []eval.GateVerdict{{Rule: text, Verdict: eval.GateFailed, Reason: text},
		{Rule: text, Verdict: eval.GateUndecided, Reason: text}}
	return r
}

func controlProblem(text string) string {
	if !utf8.ValidString(text) {
		return "no UTF-8"
	}
	if at := strings.IndexFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r)
	}); at >= 0 {
		return fmt.Sprintf("steers: %q", text[at:min(len(text), at+8)])
	}
	return ""
}

// harmful renders a report in every CI format and describes what is invalid or unsafe in the
// output; "" if nothing is.
func harmful(r export.Report) string {
	texts := map[string]string{}
	for name, format := range map[string]func(io.Writer, export.Report) error{"junit": export.WriteJUnit,
		"github": export.WriteGitHub,
		"gitlab": export.WriteGitLab, "badge": export.WriteBadge} {
		var out strings.Builder
		if err := format(&out, r); err != nil {
			return name + ": " + err.Error()
		}
		if wrong := controlProblem(out.String()); wrong != "" {
			return name + ": " + wrong
		}
		texts[name] = out.String()
	}
	if _, wrong := invalid(texts["junit"]); wrong != "" {
		return "junit: " + wrong
	}
	if wrong := invalidMetrics(texts["gitlab"]); wrong != "" {
		return "gitlab: " + wrong
	}
	for line := range strings.Lines(texts["github"]) {
		if !workflowCommand.MatchString(strings.TrimSuffix(line, "\n")) {
			return "github: " + line
		}
	}
	return ""
}

var hostile = []string{
	"<script>alert(1)</script>", "]]>", "<![CDATA[x]]>", "&amp;&#0;&#x1b;&unknown;", `"quoted" 'single'`, "<!-- --",
	"<?xml?>", "<!ENTITY x SYSTEM \"file:///etc/passwd\">",
	"a|b", "=cmd()", "\x1b[31mred\x1b[0m", "\x1b]8;;http://x\x07link", "\u202eevil\u202c\u2066", "a\x00b", "\u009b31m",
	"\ufffe\uffff\ufeff", "\xff\xfe\xed\xa0\x80",
	"two\nlines\r\nand\u2028more", "::error::x", "\n::set-env name=X::y", "##[error]x", "%0A::stop-commands::x",
	"a:b,c%2C", `back\slash`, `\`, `"`, "# EOF", "#", "{x=\"y\"}", "} 1",
	"", " ", "\t", "👩‍👩‍👧", "e\u0301",
}

var _ = Describe("A name or message in a CI report", func() {
	for _, text := range hostile {
		It(fmt.Sprintf("is escaped in every format if it is %.24q", text), func() {
			Expect(harmful(hostileReport(text))).To(BeEmpty())
		})
	}

	It("does not break any format if it is very long", func() {
		long := strings.Repeat("<长]]>\x1b", 1<<20/9)
		r := export.Report{Run: stored(trial(long, "v", eval.NoFault, 1, long))}
		r.Summary = eval.Summary{Gates: []eval.GateVerdict{{Rule: long, Reason: long}},
			Suites: []eval.SuiteSummary{{Name: long, Conditions: []eval.ConditionSummary{
				{Variant: long, Metrics: map[string]eval.Estimate{long: {Value: new(1.0)},
					"missing.rate": {Value: new(1.0)}}}}}}}
		Expect(harmful(r)).To(BeEmpty())
		for _, format := range []func(io.Writer, export.Report) error{export.WriteJUnit, export.WriteGitHub,
			export.WriteGitLab, export.WriteBadge} {
			Expect(len(written(format, r))).To(BeNumerically("<", 50_000))
		}
	})

	It("has its control characters replaced with visible symbols", func() {
		Expect(written(export.WriteJUnit, hostileReport("\x1b[31m"))).To(ContainSubstring("asked: ␛[31m\n"))
	})
})

func FuzzEscapes(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		xml := `<?xml version="1.0" encoding="UTF-8"?><testsuites name="` + export.EscapeXML(export.Name(text)) +
			`"><testsuite name="" tests="0" failures="0" errors="0" skipped="0"><properties/></testsuite></testsuites>`
		root, wrong := invalid(xml)
		if wrong != "" {
			t.Errorf("XML: %s", wrong)
		}
		if got := root.attr("name"); got != export.Name(text) {
			t.Errorf("%q is read as %q", export.Name(text), got)
		}
		if m := workflowCommand.FindStringSubmatch("::error title=" + export.Property(text) + "::" +
			export.Message(text)); strings.ContainsAny(export.Message(text), "\r\n") ||
			m == nil || unescaped.Replace(m[2]) != text || unescaped.Replace(m[3]) != text {
			t.Errorf("a command: %q", m)
		}
		if wrong := invalidMetrics("# TYPE m gauge\nm{x=\"" + export.Label(text) + "\"} 1\n# EOF\n"); wrong != "" {
			t.Errorf("a label: %s", wrong)
		}
	})
}
