package index_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/recall/index"
)

func passages(text string) []index.Passage { return index.SplitDocument("zh-01", text, characters) }

// named returns the passages as lines, each with ID and text.
func named(all []index.Passage) (lines []string) {
	for _, p := range all {
		lines = append(lines, p.ID+" "+p.Text)
	}
	return lines
}

var _ = Describe("L5: The passages of a document", func() {
	It("are its sections, numbered by their headings from 1, and the text before the first heading with the number 0",
		func() {
			Expect(named(passages("# 题\n\n作者\n\n## 摘要\r\n\r\n一。\n\n### 细节\n\n二。\n\n##没有\n## 结论\n三。"))).
				To(Equal([]string{
					"zh-01#0 # 题\n\n作者", "zh-01#1 ## 摘要\n\n一。\n\n### 细节\n\n二。\n\n##没有", "zh-01#2 ## 结论\n三。"}))
		})

	It("retain their numbers if a section is empty or there is no text before the first heading", func() {
		Expect(named(passages("## 摘要\n\n## 方法\n\n一。\n\n## 附录\n"))).To(Equal([]string{"zh-01#2 ## 方法\n\n一。"}))
	})

	It("are none for an empty text, and one for a text without headings", func() {
		Expect(passages("")).To(BeEmpty())
		Expect(passages(" \n\t\n")).To(BeEmpty())
		Expect(named(passages("plain text"))).To(Equal([]string{"zh-01#0 plain text"}))
	})

	It("have at most 400 tokens; the first part of a split section contains the heading", func() {
		section := func(n int) string { return "## 节\n\n" + strings.Repeat("字", n) }
		Expect(passages(section(394))).To(HaveLen(1))
		got := passages(section(395))
		Expect(got).To(HaveLen(2))
		Expect(got[0].Text).To(HavePrefix("## 节\n\n字"))
		Expect([]string{got[0].ID, got[1].ID}).To(Equal([]string{"zh-01#1", "zh-01#1.2"}))
	})

	It("are split at paragraphs if a section is too long", func() {
		a, b, c := strings.Repeat("甲", 300), strings.Repeat("乙", 80), strings.Repeat("丙", 20)
		Expect(named(passages("## 节\n\n" + a + "\n\n" + b + "\n \n" + c))).To(Equal([]string{
			"zh-01#1 ## 节\n\n" + a + "\n\n" + b, "zh-01#1.2 " + c}))
	})

	DescribeTable("are split at sentences if a paragraph is too long", func(sentence string) {
		long := strings.TrimSpace(strings.Repeat(sentence, 1+900/characters(sentence)))
		got := passages("## 节\n\n" + long)
		Expect(len(got)).To(BeNumerically(">", 2))
		whole := ""
		for _, p := range got {
			Expect(strings.TrimSpace(p.Text)).To(HaveSuffix(strings.TrimSpace(sentence)), "a sentence is whole")
			whole += p.Text
		}
		Expect(strings.Join(strings.Fields(whole), "")).To(Equal(strings.Join(strings.Fields("## 节"+long), "")))
	},
		Entry("Chinese sentences", "我们比较了五种网络，最好的达到 91.3%。"),
		Entry("sentences that end with a quote", "他说：“可以。”"),
		Entry("English sentences", "The error falls by 12.5 points, e.g. on MIMIC! "),
		Entry("lines without punctuation", "a line without an end\n"),
	)

	It("are split between characters if a sentence is too long", func() {
		got := passages("## 节\n\n" + strings.Repeat("字", 2000))
		whole := ""
		for i, p := range got {
			Expect(characters(p.Text)).To(BeNumerically("<=", index.MaxTokens))
			Expect(utf8.ValidString(p.Text)).To(BeTrue())
			if i > 0 {
				Expect(p.ID).To(Equal(fmt.Sprintf("zh-01#1.%d", i+1)))
			}
			whole += p.Text
		}
		Expect(strings.Count(whole, "字")).To(Equal(2000))
	})

	It("are computed in linear time for a very long word", func() {
		counted := 0
		all := index.SplitDocument("x", strings.Repeat("字", 170_000), func(text string) int {
			counted += len(text)
			return characters(text)
		})
		Expect(len(all)).To(BeNumerically(">", 400))
		Expect(counted).To(BeNumerically("<", 5*510_000))
	})

	It("are valid UTF-8 even if the document is not", func() {
		for _, p := range passages("## a\n\xff\xfe\x00\x01\x1b[0m") {
			Expect(utf8.ValidString(p.Text)).To(BeTrue())
		}
	})
})

// FuzzPassages checks that the passages contain all letters of a document, in order, and that none
// is too long.
func FuzzPassages(f *testing.F) {
	f.Add("# t\n\n## 摘要\n\n一。二！three. Four?\n\n## x\n", 3)
	f.Add("## \n## \n\n\xff。", 900)
	f.Fuzz(func(t *testing.T, text string, times int) {
		text = strings.Repeat(text, max(1, times%1000))
		seen, whole := map[string]bool{}, ""
		for _, p := range index.SplitDocument("d", text, characters) {
			if seen[p.ID] || characters(p.Text) > index.MaxTokens || strings.TrimSpace(p.Text) == "" ||
				!strings.HasPrefix(p.ID, "d#") {
				t.Fatalf("%q %q", p.ID, p.Text)
			}
			seen[p.ID] = true
			whole += p.Text
		}
		if got, want := bare(whole), bare(text); got != want && !strings.Contains(text, "#") {
			t.Fatalf("%q is not %q", got, want)
		}
	})
}

// bare returns a text without white space.
func bare(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), "")
}
