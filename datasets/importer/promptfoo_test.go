package importer_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets/importer"
)

var _ = Describe("The tests in a promptfoo file", func() {
	const one = "- vars: {text: hi}\n  assert: [{type: equals, value: a}]\n"
	const case1 = `{"id":"ID","text":"hi","label":"a"}` + "\n"

	DescribeTable("are imported from YAML", func(text string) {
		for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n"), strings.TrimSpace(text)} {
			out := run("promptfoo", source("a.yaml", text), importer.Options{})
			Expect(out.err).NotTo(HaveOccurred())
			Expect(out.rejected).To(BeEmpty())
			Expect(withoutIDs(out)).To(Equal(case1))
		}
	},
		Entry("in a list", one),
		Entry("after a comment and a document marker", "# tests\n---\n\n"+one),
		Entry("in an indented list", "tests:\n  "+strings.ReplaceAll(strings.TrimSpace(one), "\n", "\n  ")),
		Entry("under the key tests with a comment", "tests: # all\n\n"+one),
		Entry("under a quoted key", "\"tests\":\n"+one),
		Entry("between other lists and braces",
			"prompts:\n- a\n- b\nenv: {\n  A: b\n}\ntests:\n"+one+"# the end\noutputPath:\n- x.json\n"),
		Entry("with the dash on its own line", "-\n  vars: {text: hi}\n  assert: [{type: equals, value: a}]\n"),
		Entry("with a wider indentation after the dash",
			"-   vars:\n      text: hi\n    assert:\n    - type: equals\n      value: a\n"),
	)

	DescribeTable("30.6: are imported from a file that a config names", func(name, config string) {
		path := source(name, config)
		Expect(os.WriteFile(filepath.Join(filepath.Dir(path), "more.csv"), []byte("text,__expected\nhi,a\n"), 0o600)).
			To(Succeed())
		out := run("promptfoo", path, importer.Options{})
		Expect(out.err).NotTo(HaveOccurred())
		Expect(out.rejected).To(BeEmpty())
		Expect(withoutIDs(out)).To(Equal(case1))
	},
		Entry("YAML", "a.yaml", "prompts: [a]\ntests: file://more.csv # cases\nenv: {A: b}\n"),
		Entry("YAML, quoted", "a.yaml", "tests: 'file://./more.csv'\n"),
		Entry("YAML, without file://", "a.yaml", "tests: more.csv\n"),
		Entry("YAML, in a list", "a.yaml", "tests:\n  - file://more.csv\n"),
		Entry("YAML, in a list on one line with a comment", "a.yaml", "tests:\n- \"file://more.csv\" # cases\n"),
		Entry("JSON", "a.json", `{"tests": "file://more.csv", "env": {}}`),
		Entry("JSON, in a list", "a.json", `{"tests": ["file://more.csv"]}`),
	)

	It("30.6: are not imported from a file that names further files", func() {
		path := source("a.yaml", "tests: file://a.yaml\n")
		Expect(run("promptfoo", path, importer.Options{}).err).
			To(MatchError(ContainSubstring("only a config can name")))
	})

	DescribeTable("are reported as missing, and the import fails, if there is no list of tests",
		func(text, want string) {
			out := run("promptfoo", source("a.yaml", text), importer.Options{})
			Expect(out.err).To(MatchError(HaveSuffix(want)))
		},
		Entry(nil, "prompts:\n- a\n", "a.yaml: has no list of tests"),
		Entry(nil, "tests: {a: b}\n",
			"a.yaml:1: tests must be a list with a dash before each test, or file://FILE"),
		Entry("30.6: a file that is not there", "tests: file://more.csv\n", "more.csv: no such file or directory"),
		Entry("30.6: an address", "tests: https://docs.google.com/cases.csv\n",
			`a.yaml: tests: "https://docs.google.com/cases.csv" is not a file: download it first`),
		Entry("30.6: a pattern", "tests: file://*.csv\n", `a.yaml: tests: "file://*.csv" is a pattern, not one file`),
		Entry(nil, "tests:\n", "a.yaml: contains no case (rejected: 0)"),
		Entry(nil, "tests:\nnone of it\n", "a.yaml:2: is neither in a list of tests nor in a config with one"),
		Entry(nil, one+"tests:\n", "a.yaml:3: is a key behind a list"),
		Entry(nil, "just words", "a.yaml:1: is neither in a list of tests nor in a config with one"),
	)

	DescribeTable("get their label from an assertion", func(expected, label, reason string) {
		out := run("promptfoo", source("a.csv", "text,__expected\nhi,\""+expected+"\"\n"), importer.Options{})
		if reason != "" {
			Expect(out.rejected).To(ConsistOf(HaveSuffix("a.csv:2: " + reason)))
			return
		}
		Expect(withoutIDs(out)).To(Equal(`{"id":"ID","text":"hi","label":` + label + "}\n"))
	},
		Entry(nil, "returns", `"returns"`, ""),
		Entry(nil, "equals:returns", `"returns"`, ""),
		Entry(nil, "contains: returns", `"returns"`, ""),
		Entry(nil, "icontains-any:a, b,a", `["a","b"]`, ""),
		Entry("several words of an equals assertion", "equals:my coins back", `"my coins back"`, ""),
		Entry("several words of a contains assertion: rejected", "contains:my coins back", "",
			`assert[0]: contains: "my coins back" is not a single word: an answer may mention it without being it`),
		Entry("several words in a list of a contains assertion: rejected", "icontains-any:refund,coins　back", "",
			`assert[0]: icontains-any: "coins\u3000back" is not a single word: an answer may mention it without being it`),
		Entry(nil, "unheard-of: x", `"unheard-of: x"`, ""),
		Entry(nil, "equals:", "", "label is empty"),
		Entry(nil, "not-equals:a", "", "asserts no label (equals, contains, contains-any), only: not-equals"),
		Entry(nil, "similar(0.8):a", "", "asserts no label (equals, contains, contains-any), only: similar"),
		Entry(nil, "contains-all:a,b", "", "asserts no label (equals, contains, contains-any), only: contains-all"),
		Entry(nil, "file://x.py", "", "asserts no label (equals, contains, contains-any), only: file"),
		Entry(nil, "equals:{{kind}}", "", `assert[0]: equals: "{{kind}}" is filled in later`),
		Entry(nil, "", "", "asserts no label (equals, contains, contains-any), only: nothing"),
	)

	DescribeTable("get their label from an equals assertion even if there is a contains assertion",
		func(asserts string) {
			out := run("promptfoo", source("a.yaml", "- vars: {text: hi}\n  assert: ["+asserts+"]\n"),
				importer.Options{})
			Expect(out.rejected).To(BeEmpty())
			Expect(withoutIDs(out)).To(Equal(case1))
			Expect(out.notes).To(Equal([]string{"assertions skipped in addition to those with a label: 1"}))
		},
		Entry("equals before contains", "{type: equals, value: a}, {type: contains, value: my coins back}"),
		Entry("equals after contains", "{type: contains, value: my coins back}, {type: equals, value: a}"),
		Entry("equals and contains with different labels", "{type: contains, value: b}, {type: equals, value: a}"),
	)
})
