package export_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/export"
)

// node is any XML element, for parsing the report.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []node     `xml:",any"`
}

func (n node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// declared lists the attributes and children that an element may have, from the schema of Jenkins'
// xunit plugin (junit-10.xsd). It covers only the elements that evalctl writes.
type declared struct{ required, optional, children []string }

var schema = map[string]declared{
	"testsuites": {optional: []string{"name", "time", "tests", "failures", "errors"}, children: []string{"testsuite"}},
	"testsuite": {required: []string{"name", "tests", "failures", "errors"}, optional: []string{"time", "skipped"},
		children: []string{"properties", "testcase"}},
	"properties": {children: []string{"property"}},
	"property":   {required: []string{"name", "value"}},
	"testcase": {required: []string{"name"}, optional: []string{"time", "classname"},
		children: []string{"skipped", "error", "failure", "system-out"}},
	"failure":    {optional: []string{"type", "message"}},
	"error":      {optional: []string{"type", "message"}},
	"skipped":    {optional: []string{"type", "message"}},
	"system-out": {},
}

var surefireTime = regexp.MustCompile(`^[0-9]*(\.[0-9]*)?$`)

// misfit describes how an element violates the schema; "" if it does not.
func misfit(n node) string {
	name := n.XMLName.Local
	d, known := schema[name]
	if !known {
		return "no such element: " + name
	}
	for _, r := range d.required {
		if !slices.ContainsFunc(n.Attrs, func(a xml.Attr) bool { return a.Name.Local == r }) {
			return name + " lacks " + r
		}
	}
	for _, a := range n.Attrs {
		if !slices.Contains(slices.Concat(d.required, d.optional), a.Name.Local) {
			return name + " has " + a.Name.Local
		}
		if a.Name.Local == "time" && !surefireTime.MatchString(a.Value) {
			return "time is " + a.Value
		}
	}
	for _, c := range n.Children {
		if !slices.Contains(d.children, c.XMLName.Local) {
			return c.XMLName.Local + " in " + name
		}
		if wrong := misfit(c); wrong != "" {
			return wrong
		}
	}
	return ""
}

// miscount describes a suite whose counts are wrong, or a test case that GitLab would drop as a
// duplicate.
func miscount(root node) string {
	seen := map[string]bool{}
	for _, s := range root.Children {
		counts := map[string]int{}
		for _, c := range s.Children {
			if c.XMLName.Local != "testcase" {
				continue
			}
			counts["tests"]++
			for _, problem := range c.Children {
				counts[problem.XMLName.Local]++
			}
			key := c.attr("classname") + "\x00" + c.attr("name")
			if seen[key] {
				return fmt.Sprintf("%q is there twice", key)
			}
			seen[key] = true
		}
		for attr, element := range map[string]string{"tests": "tests", "failures": "failure", "errors": "error",
			"skipped": "skipped"} {
			if s.attr(attr) != strconv.Itoa(counts[element]) {
				return fmt.Sprintf("%s: %s=%s of %d", s.attr("name"), attr, s.attr(attr), counts[element])
			}
		}
	}
	return ""
}

// invalid parses a text as JUnit XML and describes why it is not valid; "" if it is.
func invalid(text string) (root node, wrong string) {
	if !utf8.ValidString(text) {
		return root, "no UTF-8"
	}
	if at := strings.IndexFunc(text, forbidden); at >= 0 {
		return root, fmt.Sprintf("no character of XML 1.0, or one that steers: %q", text[at:min(len(text), at+8)])
	}
	if strings.Contains(text, "]]>") {
		return root, "]]>"
	}
	dec := xml.NewDecoder(strings.NewReader(text))
	if err := dec.Decode(&root); err != nil {
		return root, err.Error()
	}
	if rest := text[dec.InputOffset():]; strings.TrimSpace(rest) != "" {
		return root, "something follows: " + rest
	}
	if wrong = misfit(root); wrong == "" {
		wrong = miscount(root)
	}
	return root, wrong
}

func forbidden(r rune) bool {
	return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\ufffe' || r == '\uffff' || r >= '\u202a' &&
		r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

func parsed(text string) node {
	GinkgoHelper()
	root, wrong := invalid(text)
	Expect(wrong).To(BeEmpty())
	return root
}

func caseNamed(root node, suite, name string) node {
	GinkgoHelper()
	for _, s := range root.Children {
		for _, c := range s.Children {
			if s.attr("name") == suite && c.attr("name") == name {
				return c
			}
		}
	}
	Fail("no case " + name + " in " + suite)
	return node{}
}

var _ = Describe("A JUnit report", func() {
	It("has a suite with metrics for each condition, and distinguishes wrong, unanswered and unscored cases", func() {
		unlabeled := trial("d", "llm", eval.NoFault, 1, "chat")
		unlabeled.Expected, unlabeled.Correct, unlabeled.Scores = nil, nil, nil
		root := parsed(written(export.WriteJUnit, over(
			trial("a", "llm", eval.NoFault, 1, "yes"), trial("b", "llm", eval.NoFault, 1, "no"),
			trial("c", "llm", eval.NoFault, 1, ""), unlabeled,
			trial("a", "llm", "router:timeout", 1, "no"))))
		Expect(root.Children).To(HaveLen(2))
		Expect(root.Children[0].attr("name")).To(Equal("mine/llm/none"))
		Expect(root.Children[1].attr("name")).To(Equal("mine/llm/router:timeout"))
		Expect(root.Children[0].attr("time")).To(Equal("6.000000"))
		Expect(root.Children[0].Children[0].Children).To(ContainElement(HaveField("Attrs", ContainElements(
			HaveField("Value", "route.accuracy"), HaveField("Value", "0.5")))))

		Expect(caseNamed(root, "mine/llm/none", "a").attr("classname")).To(Equal("mine.llm"))
		Expect(caseNamed(root, "mine/llm/router:timeout", "a").attr("classname")).To(Equal("mine.llm + router:timeout"))
		Expect(caseNamed(root, "mine/llm/none", "a").Children).
			To(HaveExactElements(HaveField("XMLName.Local", "system-out")))
		wrong := caseNamed(root, "mine/llm/none", "b").Children[0]
		Expect(wrong.XMLName.Local).To(Equal("failure"))
		Expect(wrong.attr("message")).To(Equal("expected yes, got no"))
		Expect(wrong.Text).To(And(HavePrefix("expected yes, got no\n"),
			ContainSubstring("\nasked: question b\nexpected: yes\ngot: no\n")), "GitLab shows the text alone")
		lost := caseNamed(root, "mine/llm/none", "c").Children[0]
		Expect(lost.XMLName.Local).To(Equal("error"))
		Expect(lost.attr("type")).To(Equal("provider"))
		Expect(lost.Text).To(HavePrefix("provider error: status 503: busy\n"))
		unscored := caseNamed(root, "mine/llm/none", "d").Children[0]
		Expect(unscored.XMLName.Local).To(Equal("skipped"))
		Expect(unscored.attr("message")).To(Equal("unscored: the case has no expected outcome"))
	})

	It("contains a case with several epochs once, with its worst outcome and its mean time", func() {
		rows := []eval.Result{trial("a", "llm", eval.NoFault, 1, "yes"), trial("a", "llm", eval.NoFault, 2, "no"),
			trial("a", "llm", eval.NoFault, 3, "chat"), trial("a", "llm", eval.NoFault, 4, "")}
		rows[3].Duration = 5_500_000_000
		text := written(export.WriteJUnit, over(rows...))
		one := caseNamed(parsed(text), "mine/llm/none", "a")
		Expect(one.attr("time")).To(Equal("2.500000"))
		Expect(one.Children[0].attr("message")).To(Equal("expected yes, got no (2 of 4 epochs)"))
		Expect(written(export.WriteJUnit, over(reversed(rows)...))).To(Equal(text), "in any order")
	})

	It("has the gates as a suite of their own, in which failed gates are failures and undecided gates are skipped",
		func() {
			r := over(trial("a", "llm", eval.NoFault, 1, "yes"))
			r.Summary.Gates = gates()
			root := parsed(written(export.WriteJUnit, r))
			Expect(root.Children[0].attr("name")).To(Equal("gates"))
			Expect(caseNamed(root, "gates", "route.accuracy >= 90%").Children).To(BeEmpty())
			Expect(caseNamed(root, "gates", "drop(route.accuracy) <= 1pp").Children[0].XMLName.Local).
				To(Equal("skipped"))
			failed := caseNamed(root, "gates", "new_failures <= 0").Children[0]
			Expect(failed.XMLName.Local).To(Equal("failure"))
			Expect(failed.Text).To(Equal("3 cases: a, b, c"))
		})

	It("contains an error if the run was interrupted, no suite ran, or a condition has no trial", func() {
		r := over(trial("a", "llm", eval.NoFault, 1, "yes"))
		r.Summary.Partial, r.Summary.Suites[0].Cases, r.Summary.Suites[0].Conditions[0].Trials = true, 2_000, 1
		r.Summary.Suites[0].Conditions = append(r.Summary.Suites[0].Conditions, eval.ConditionSummary{Variant: "never"})
		root := parsed(written(export.WriteJUnit, r))
		Expect(caseNamed(root, "run", "the run ended").Children[0].attr("message")).To(Equal(
			"PARTIAL: the run did not end; this report covers only the trials that ran: 1 of 4,000 trials, not a random sample"))
		Expect(caseNamed(root, "mine/never/none", "at least one trial ran").Children[0].XMLName.Local).
			To(Equal("error"))
		root = parsed(written(export.WriteJUnit, export.Report{}))
		Expect(caseNamed(root, "run", "a suite ran").Children[0].XMLName.Local).To(Equal("error"))
	})

	It("has different names for cases, conditions and gates that differ only in control characters or after 200 characters", func() {
		long := strings.Repeat("x", 300)
		r := over(trial("a\x00", "v\x1b", eval.NoFault, 1, "yes"), trial("a\x00 ", "v\x1b", eval.NoFault, 1, "yes"),
			trial(long+"1", "v\x1b", eval.NoFault, 1, "no"), trial(long+"2", "v\x1b", eval.NoFault, 1, "no"),
			trial("a\x00", "v\u241b", eval.NoFault, 1, "yes"))
		r.Summary.Gates = []eval.GateVerdict{{Rule: "a\x01"}, {Rule: "a\u2401"}}
		Expect(parsed(written(export.WriteJUnit, r)).Children).To(HaveLen(3))
	})

	It("omits the texts of passed cases if it gets too large, then the passed cases, then parts of the others, and states what it omits", func() {
		var rows []eval.Result
		for i := range 400 {
			got := "yes"
			if i%2 == 0 {
				got = "no"
			}
			r := trial(fmt.Sprintf("case-%03d", i), "llm", eval.NoFault, 1, got)
			r.Text = strings.Repeat("很长", 100)
			rows = append(rows, r)
		}
		r := over(rows...)
		last := 1 << 30
		var output []string
		for _, most := range []int{1 << 20, 215_000, 175_000, 100_000, 30_000, 4_000} {
			var out bytes.Buffer
			Expect(export.Bounded(&out, r, most)).To(Succeed())
			Expect(out.Len()).To(And(BeNumerically("<=", most), BeNumerically("<", last)))
			last = out.Len()
			root := parsed(out.String())
			output = append(output, root.Children[0].Children[0].Children[0].attr("value"))
			if most <= 175_000 {
				Expect(out.String()).To(ContainSubstring(`name="(200 cases that passed)"`))
			}
			Expect(out.String()).To(ContainSubstring("<failure "))
		}
		Expect(slices.Compact(output)[1:]).
			To(Equal([]string{"texts of cases that passed", "cases that passed",
				"cases that passed, and texts of the others",
				"cases that passed, and of the others texts and most cases",
				"metrics, cases that passed, and of the others texts and most cases"}))
		Expect(export.Bounded(io.Discard, r, 100)).To(MatchError("junit: the report of 1 suite exceeds 100 bytes"))
	})

	It("returns the error if the writer fails or the run cannot be read", func() {
		r := over(trial("a", "llm", eval.NoFault, 1, "yes"))
		for _, format := range []func(io.Writer, export.Report) error{export.WriteJUnit, export.WriteGitHub,
			export.WriteGitLab, export.WriteBadge} {
			Expect(format(brokenWriter{}, r)).To(MatchError(io.ErrShortWrite))
		}
		Expect(os.Remove(r.Run.Path)).To(Succeed())
		Expect(export.WriteJUnit(io.Discard, r)).To(MatchError(os.ErrNotExist))
	})
})

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

var _ = Describe("28.9: A JUnit report with a baseline run", func() {
	It("has failures only for new failures, and skips cases that were already wrong unless their text or labels have changed", func() {
		hashed := func(r eval.Result, hash eval.CaseHash) eval.Result {
			r.CaseHash = "aaaaaaaa.bbbbbbbb." + hash
			return r
		}
		r := over(hashed(trial("old", "llm", eval.NoFault, 1, "no"), "00000001"),
			hashed(trial("new", "llm", eval.NoFault, 1, "no"), "00000002"),
			hashed(trial("edited", "llm", eval.NoFault, 1, "no"), "00000003"),
			hashed(trial("added", "llm", eval.NoFault, 1, "no"), "00000004"),
			hashed(trial("lost", "llm", eval.NoFault, 1, ""), "00000005"))
		r.KnownFailuresRun = stored(hashed(trial("old", "llm", eval.NoFault, 1, "other"), "00000001"),
			hashed(trial("new", "llm", eval.NoFault, 1, "yes"), "00000002"),
			hashed(trial("edited", "llm", eval.NoFault, 1, "no"), "ffffffff"),
			hashed(trial("lost", "llm", eval.NoFault, 1, "no"), "00000005"))
		root := parsed(written(export.WriteJUnit, r))
		old := caseNamed(root, "mine/llm/none", "old").Children[0]
		Expect(old.XMLName.Local).To(Equal("skipped"))
		Expect(old.attr("message")).To(Equal("already wrong in the baseline run: expected yes, got no"))
		for id, element := range map[string]string{"new": "failure", "edited": "failure", "added": "failure",
			"lost": "error"} {
			Expect(caseNamed(root, "mine/llm/none", id).Children[0].XMLName.Local).To(Equal(element), id)
		}
	})
})
