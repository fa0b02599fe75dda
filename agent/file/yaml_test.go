package file_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/file"
)

// bomb returns a text of nested aliases. Each contains the previous one ten times.
func bomb(begin, end string) string {
	var b strings.Builder
	b.WriteString("k:" + begin + "&a0 [x, x]")
	for i := range 12 {
		fmt.Fprintf(&b, "%s&a%d [%s*a%d]", end, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	return b.String()
}

var _ = DescribeTable("CheckYAML quickly rejects a text that is much more expensive to parse than its size suggests",
	func(text, want string) {
		began := time.Now()
		Expect(file.CheckYAMLComplexity([]byte(text))).To(MatchError(want))
		Expect(time.Since(began)).To(BeNumerically("<", 5*time.Second))
	},
	Entry("with nested brackets", "a: 1\nb: "+strings.Repeat("[", 100_000), "2: is nested more than 100 deep"),
	Entry("with nested braces", strings.Repeat("{a: ", 100_000), "1: is nested more than 100 deep"),
	Entry("with nested brackets and brackets in strings", strings.Repeat(`["]", `, 20_000),
		"1: is nested more than 100 deep"),
	Entry("with nested brackets after brackets in a comment",
		"# "+strings.Repeat("]", 1000)+"\n"+strings.Repeat("[", 1000),
		"2: is nested more than 100 deep"),
	Entry("with nested lists, which begin with dashes", strings.Repeat("- ", 100_000)+"x",
		"1: is nested more than 100 deep"),
	Entry("with nested explicit keys, which begin with question marks", strings.Repeat("? ", 100_000)+"x",
		"1: is nested more than 100 deep"),
	Entry("with nested anchors", "a: "+strings.Repeat("&a ", 1000)+"x", "1: is nested more than 100 deep"),
	Entry("with nested tags", "a: "+strings.Repeat("!t ", 1000)+"x", "1: is nested more than 100 deep"),
	Entry("with a long list in brackets", "a: ["+strings.Repeat("x,", 20_000)+"]",
		"1: a list in brackets has more than 10000 items"),
	Entry("with a long map in braces", "a: {"+strings.Repeat("a: b,", 20_000)+"}",
		"1: a list in brackets has more than 10000 items"),
	Entry("with many anchors", numbered("k%d: &a some text that\n", 30_000), "101: has more than 100 anchors"),
	Entry("with many short lists in brackets", strings.Repeat("- ["+strings.Repeat("x, ", 65)+"x]\n", 5000),
		"747: has more than 100000 words and signs"),
	Entry("with a map of many keys", "a: b\nb:\n"+numbered("  k%d: some text\n", 60_000),
		"2003: a map has more than 2000 keys"),
	Entry("with a map of many keys and nested maps", numbered("k%d:\n - a: b\n   c: d\n", 5000),
		"6001: a map has more than 2000 keys"),
	Entry("with many documents", strings.Repeat("---\na\n", 20_000), "201: has more than 100 documents"),
	Entry("with many comments", strings.Repeat("# a\n", 200_000), "100001: has more than 100000 words and signs"),
	Entry("with nested aliases in block style", bomb("\n - ", "\n - "),
		"3: an alias is inside the value of another alias"),
	Entry("with nested aliases in brackets", bomb(" [", ", ")+"]", "1: an alias is inside the value of another alias"),
	Entry("with a recursive alias", "a: &a [*a]", "1: an alias is inside the value of another alias"),
	Entry("with many aliases of a large text",
		"a: &a "+strings.Repeat("x", 100_000)+"\nb: ["+strings.Repeat("*a, ", 200)+"]",
		"2: the aliases stand for too much"),
)

// numbered returns n lines, formatted with their number.
func numbered(line string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line, i)
	}
	return b.String()
}

// keys returns a document of maps with this number of keys each.
func keys(maps, each int, line string) string {
	var b strings.Builder
	for i := range maps {
		fmt.Fprintf(&b, "m%d:\n%s", i, numbered(line, each))
	}
	return b.String()
}

var _ = DescribeTable("a text that CheckYAML accepts is parsed within 5 s", func(text string) {
	began := time.Now()
	Expect(file.CheckYAMLComplexity([]byte(text))).To(Succeed())
	var v any
	Expect(yaml.Unmarshal([]byte(text), &v)).To(Succeed())
	Expect(time.Since(began)).To(BeNumerically("<", 5*time.Second))
},
	Entry("with 1,000 variants", "variants:\n"+
		numbered("  - name: v%d\n    system: toolrouter\n    settings: {router: llm, threshold: 0.5, a: [x, y, z]}\n"+
			"    model: deepseek:chat\n    base_url: http://127.0.0.1:8000/v1\n    key_env: KEY\n    prompts: {a: b.txt}\n",
			1000)),
	Entry("with maps of many keys", keys(17, 1900, "  k%d: some text\n")),
	Entry("with maps of many explicit keys", keys(10, 1900, "  ? k%d\n  : x\n")),
	Entry("with maps of many tagged keys", keys(10, 1900, "  !!str k%d: x\n")),
	Entry("with maps in braces", strings.Repeat("- {"+numbered("k%d: x, ", 8000)+"}\n", 3)),
	Entry("with a long list", strings.Repeat("- x\n", 50_000)),
)

var _ = DescribeTable("CheckYAML accepts a text that is harmless", func(text string) {
	Expect(file.CheckYAMLComplexity([]byte(text))).To(Succeed())
},
	Entry("because it is empty", ""),
	Entry("although it has many lines with short lists", strings.Repeat("- {a: b, c: [d, e]}\n", 3000)),
	Entry("although it has a line with many words", "a: ["+strings.Repeat("&x b, ", 100)+"]"),
	Entry("although it has many brackets in a string", "a: '"+strings.Repeat("[", 1000)+"'"),
	Entry("although it has many aliases of plain values",
		"base: &b {router: llm, threshold: 0.5}\nvariants:\n"+strings.Repeat("  - {<<: *b, name: v}\n", 500)),
	Entry("although it is invalid YAML, which the parser reports", "a: [}"),
)

// FuzzCheckYAML checks that every accepted text is parsed quickly.
func FuzzCheckYAML(f *testing.F) {
	for _, text := range []string{"a: &a [*a]", "- - ? [{&a !t x: *a}]", "a: |\n  x\nb: >\n y", "%YAML 1.2\n---\n...",
		"<<: *x", bomb(" [", ", ")} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		err := file.CheckYAMLComplexity(text)
		var wrong *file.YAMLError
		if err != nil && (!errors.As(err, &wrong) || wrong.Line < 1) {
			t.Fatalf("%q: %v", text, err)
		}
		if err == nil && len(text) < 1000 {
			var v any
			_ = yaml.Unmarshal(text, &v) // an error is acceptable
		}
	})
}
