package page_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/metric"
	"evalctl/reports/page"
)

var _ = Describe("the script of a report page", func() {
	It("is small, and contains every file once", func() {
		Expect(len(page.Script())).To(And(BeNumerically(">", 10_000), BeNumerically("<=", 73_000)))
		names, err := fs.Glob(os.DirFS("script"), "*.js")
		Expect(err).NotTo(HaveOccurred())
		for _, n := range names {
			text, err := os.ReadFile(filepath.Join("script", n))
			Expect(err).NotTo(HaveOccurred())
			first := regexp.MustCompile(`(?m)^const .*`).FindString(string(text))
			Expect(regexp.MustCompile("(?m)^"+regexp.QuoteMeta(first)+"$").FindAllString(page.Script(), -1)).
				To(HaveLen(1), n)
		}
	})

	It("15.12: formats durations in the same way as the package eval/metric", func() {
		node, err := exec.LookPath("node")
		if err != nil {
			Skip("node is not installed")
		}
		source, err := os.ReadFile("script/text.js")
		Expect(err).NotTo(HaveOccurred())
		times := []float64{0, 0.00042, 0.0999, 0.09996, 0.29, 1.125, 1.115, 99.94, 99.96, 960, 999.7, 1125, 8430,
			41_600, 99_960, 999_600, 1_204_000}
		want := make([]string, len(times))
		for i, ms := range times {
			want[i] = metric.FormatTime(ms)
		}
		list, err := json.Marshal(times)
		Expect(err).NotTo(HaveOccurred())
		got, err := exec.CommandContext(context.Background(), node, "-e",
			string(source)+"\nconsole.log("+string(list)+".map(time).join('\\n'))").Output()
		Expect(err).NotTo(HaveOccurred())
		Expect(strings.Split(strings.TrimSpace(string(got)), "\n")).To(Equal(want))
	})

	DescribeTable("contains no code that", func(pattern string) {
		Expect(regexp.MustCompile(pattern).FindString(page.Script())).To(BeEmpty())
	},
		Entry("parses markup", `(?i)innerHTML|outerHTML|insertAdjacent|document\.write|DOMParser|createContextualFragment|srcdoc`),
		Entry("evaluates text as code", `\beval\b|\bFunction\(|setTimeout\(['"]|import\(`),
		Entry("sets an inline style, which the content security policy forbids", `\.style\b|cssText`),
		Entry("contains no text that ends its own script element", `(?i)</script|<!--`),
		Entry("sets an attribute whose name is not a literal", `setAttribute\((?:[^'n]|n[^a])`),
	)
})

var _ = Describe("the style sheet of the script", func() {
	var style string
	BeforeEach(func() {
		text, err := os.ReadFile("style/8cases.css")
		Expect(err).NotTo(HaveOccurred())
		style = string(text)
	})

	It("applies only to the views that the script creates", func() {
		for _, rule := range regexp.MustCompile(`(?m)^\s*([^@{}\n]+) \{`).FindAllStringSubmatch(style, -1) {
			for selector := range strings.SplitSeq(regexp.MustCompile(`\([^)]*\)`).ReplaceAllString(rule[1], "()"), ", ") {
				Expect(selector).To(HavePrefix("#case"), rule[0])
			}
		}
	})

	It("uses only colors that the page defines, and no external resources", func() {
		Expect(style).NotTo(MatchRegexp(`#[0-9a-fA-F]{3,8}\b\s*[;}]|rgb|hsl|url\(|@import|</`))
		Expect(style).To(ContainSubstring("var(--orange)"))
	})
})
