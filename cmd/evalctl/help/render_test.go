package help_test

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/help"
	"evalctl/docs"
)

func TestHelp(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Help")
}

func linesOf(text string) []string { return strings.Split(strings.TrimRight(text, "\n"), "\n") }

var _ = Describe("A rendered help page", func() {
	It("has headings, wrapped paragraphs, and list items with a hanging indent", func() {
		got := help.Renderer{Width: 40}.Render(
			"# A title\n\nsome words that go on\nand on, past the width of the screen\n\n- one item that is longer than the screen is\n2. two\n")
		Expect(linesOf(got)).To(Equal([]string{
			"A title", "",
			"some words that go on and on, past the", "width of the screen", "",
			"- one item that is longer than the", "  screen is",
			"2. two",
		}))
	})

	It("28.2: draws tables in columns, and wraps the widest on a narrow screen", func() {
		const text = "| flag | meaning |\n|---|---|\n| `-j` | trials at the same time |\n| `A\\|B` | see [gates](gates.md) |\n\nend\n"
		Expect(linesOf(help.Renderer{Width: 40}.Render(text))).To(Equal([]string{
			"flag  meaning",
			"-j    trials at the same time",
			"A|B   see gates",
			"", "end",
		}))
		wide := strings.Replace(text, "trials", "trials that run in one process", 1)
		Expect(linesOf(help.Renderer{Width: 40}.Render(wide))).To(Equal([]string{
			"flag  meaning",
			"-j    trials that run in one process at",
			"      the same time",
			"A|B   see gates",
			"", "end",
		}))
	})

	It("28.2: shows links to other pages as the commands that print them", func() {
		Expect(help.Renderer{}.Render("see [the syntax](gates.md)\n")).
			To(Equal("see the syntax (evalctl help gates)\n"))
	})

	It("keeps lines of code unchanged, below the name of their file", func() {
		got := help.Renderer{Width: 40}.Render("```yaml suite.yaml\nname: a\n\n  - `x` **y** " +
			strings.Repeat("z", 60) + "\n```\n")
		Expect(linesOf(got)).To(
			Equal([]string{"  suite.yaml", "    name: a", "", "      - `x` **y** " + strings.Repeat("z", 60)}))
	})

	It("contains no markup, and colors only if the terminal supports them", func() {
		const text = "say `--model x` or **nothing**, see [the card](../card.md)\n"
		Expect(help.Renderer{}.Render(text)).To(Equal("say --model x or nothing, see the card (../card.md)\n"))
		Expect(help.Renderer{Color: true}.Render(text)).
			To(Equal("say \x1b[36m--model x\x1b[39m or \x1b[1mnothing\x1b[22m, see the card (../card.md)\n"))
	})

	It("wraps Chinese text by display width, and never before punctuation", func() {
		got := linesOf(help.Renderer{Width: 40}.Render(strings.Repeat("十个字算二十列宽的话", 2) + "，再来几个字（括号）和 words\n"))
		Expect(got[0]).To(Equal("十个字算二十列宽的话十个字算二十列宽的"))
		Expect(got[1]).To(Equal("话，再来几个字（括号）和 words"))
	})

	It("does not wrap a command within a paragraph, even on a narrow screen", func() {
		Expect(help.Renderer{Width: 40}.Render(
			"first words, then `evalctl run --with many --flags that are long` here\n")).
			To(ContainSubstring("\nevalctl run --with many --flags that are long\n"))
	})

	DescribeTable("has lines of at most the screen's width, limited to 40 to 100 columns", func(width, want int) {
		got := linesOf(help.Renderer{Width: width}.Render(strings.Repeat("a ", 200)))
		Expect(len(got[0])).To(Equal(want))
	},
		Entry("no width: 80 columns", 0, 79), Entry("a width of 3: 40 columns", 3, 39),
		Entry("a width of 300: 100 columns", 300, 99))
})

var _ = Describe("The help pages of evalctl", func() {
	It("are short, have a title, and fit 80 columns except for command output", func() {
		for _, t := range docs.Guides() {
			Expect(strings.Count(t.Text, "\n")).To(BeNumerically("<=", 160), t.Name)
		}
		for _, t := range docs.Pages() {
			Expect(t.Text).To(HavePrefix("# "), t.Name)
			Expect(t.Title).NotTo(BeEmpty())
			for _, line := range linesOf(help.Renderer{Width: 80}.Render(t.Text)) {
				if !strings.HasPrefix(line, "    ") {
					Expect(displaywidth.Options{}.String(line)).To(BeNumerically("<=", 80), "%s: %s", t.Name, line)
				}
			}
		}
	})

	It("are found by name", func() {
		t, ok := docs.Find("faults")
		Expect(ok).To(BeTrue())
		Expect(t.Title).To(Equal("Inject faults"))
		_, ok = docs.Find("fault")
		Expect(ok).To(BeFalse())
	})
})

func FuzzRender(f *testing.F) {
	for _, t := range docs.Pages() {
		f.Add(t.Text, 60)
	}
	f.Add("```\n", 0)
	f.Add("- `a\n**b", 1)
	f.Fuzz(func(t *testing.T, text string, width int) {
		for _, line := range linesOf(help.Renderer{Width: width}.Render(text)) {
			if strings.Contains(line, "\u00a0") && !strings.Contains(text, "\u00a0") {
				t.Errorf("a blank of ours is left: %q", line)
			}
		}
	})
}
