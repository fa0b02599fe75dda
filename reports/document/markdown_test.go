package document_test

import (
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports/document"
)

var _ = Describe("A Markdown report that is too long", func() {
	It("is truncated after a complete line, with a note", func() {
		row := "| 提示词 | 1 |\n"
		text := document.TruncateMarkdown(strings.Repeat(row, document.MaxStepSummaryBytes/len(row)+100),
			document.MaxStepSummaryBytes)
		Expect(len(text)).To(BeNumerically("<=", document.MaxStepSummaryBytes))
		Expect(text).To(ContainSubstring("| 提示词 | 1 |\n\n**… truncated:** the report has "))
	})

	It("is truncated between characters if a line is very long", func() {
		for i := range 3 {
			text := document.TruncateMarkdown(strings.Repeat("x", i)+strings.Repeat("词", document.MaxStepSummaryBytes),
				document.MaxStepSummaryBytes)
			Expect(utf8.ValidString(text)).To(BeTrue())
			Expect(len(text)).To(BeNumerically("~", document.MaxStepSummaryBytes, 32))
			Expect(len(text)).To(BeNumerically("<=", document.MaxStepSummaryBytes))
		}
	})

	It("is truncated between two blocks, so that the tables before are complete", func() {
		table := "| a |\n| --- |\n" + strings.Repeat("| 1 |\n", 20)
		text := strings.Repeat("words\n\n"+table+"\n", 20)
		for room := 1000; room < 2000; room += 7 {
			short := document.TruncateMarkdown(text, room)
			Expect(len(short)).To(BeNumerically("<=", room))
			head, _, _ := strings.Cut(short, "\n\n**… truncated:**")
			Expect(text).To(HavePrefix(head + "\n\n"))
			Expect(strings.Count(head, "| 1 |") % 20).To(BeZero())
		}
	})

	It("is never truncated within preformatted lines, and its nested folded sections are closed", func() {
		text := "<details>\n\nwords\n\n<details>\n\nmore words\n\n```text\n" + strings.Repeat("▁▂▃\n\n", 200) +
			"```\n\n</details>\n\n</details>\n"
		short := document.TruncateMarkdown(text, 1000)
		Expect(short).To(HavePrefix(
			"<details>\n\nwords\n\n<details>\n\nmore words\n\n\n</details>\n\n</details>\n\n**… truncated:**"))
	})

	It("is empty if there is no room for the truncation note", func() {
		for room := range 200 {
			Expect(len(document.TruncateMarkdown(strings.Repeat("x\n\n", 100), room))).To(BeNumerically("<=", room))
		}
		Expect(document.TruncateMarkdown("xx", 1)).To(BeEmpty())
	})

	It("is not truncated if it is short enough", func() {
		text := strings.Repeat("x", document.MaxStepSummaryBytes)
		Expect(document.TruncateMarkdown(text, document.MaxStepSummaryBytes)).To(Equal(text))
	})

	It("is closed before the truncation note if a Markdown report is truncated within the folded classes", func() {
		text := "<details>\n" + strings.Repeat("| x |\n", document.MaxStepSummaryBytes/6)
		short := document.TruncateMarkdown(text, document.MaxStepSummaryBytes)
		Expect(len(short)).To(BeNumerically("<=", document.MaxStepSummaryBytes))
		Expect(short).To(ContainSubstring("| x |\n\n</details>\n\n**… truncated:**"))
	})
})
