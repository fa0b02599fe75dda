package document_test

import (
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/document"
)

func TestDocument(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "document")
}

var accuracy = eval.Estimate{Value: new(0.936), Lo: new(0.892), Hi: new(0.963), N: 188}

// sample is a document with every kind of block.
func sample() document.Document {
	return document.Document{Source: "evalctl report runs/1", Blocks: []document.Block{
		{
			Level:   1,
			Heading: "Run",
			Lines: []document.Line{
				{Tone: document.Warn, Mark: "!", Parts: []document.Part{{Text: "v_1", Tone: document.Strong},
					{Text: " is cut"}}},
				{Mark: "✓", Text: "accuracy >= 0.9", Value: "93.6 %"},
			},
			ValueColumn: 24,
		},
		{
			Table: document.Table{Keys: 1, Narrow: document.ShortenNames, Columns: []document.Column{
				{
					Key:   "variant",
					Head:  "variant",
					Cells: []document.Cell{{Text: "v_1", Value: "v_1"}, {Text: "模型", Value: "模型"}},
				},
				{
					Key:      "accuracy",
					Head:     "accuracy",
					TailHead: "[95 %]",
					Right:    true,
					Estimate: true,
					Cells:    []document.Cell{{Text: "93.6 %", Tail: "[89.2, 96.3]", Value: accuracy}, {Text: "–"}},
				},
				{Head: "calls", Right: true, Rank: 1, Cells: []document.Cell{{Text: "3.41"}, {Text: "2.00"}}},
			}},
			Caption: "Variants.",
			Notes:   []document.Line{{Tone: document.Faint, Text: "baseline model: 模型"}},
			Next:    document.Suggestions("all tables  ", []string{"evalctl", "report", "runs/1", "-v"}),
		},
		{More: &document.Folded{Name: "More", Blocks: []document.Block{{Lines: []document.Line{{Text: "hidden"}}}}}},
	}}
}

type renderer = func(document.Document, document.Options) ([]byte, error)

func rendered(render renderer, d document.Document) string {
	GinkgoHelper()
	out, err := render(d, document.Options{})
	Expect(err).NotTo(HaveOccurred())
	return string(out)
}

func text(width int) string {
	GinkgoHelper()
	out, err := document.Text(sample(), document.Options{Width: width})
	Expect(err).NotTo(HaveOccurred())
	return string(out)
}

var _ = Describe("A document", func() {
	It("is aligned text on a terminal, without what is folded", func() {
		Expect(text(60)).To(Equal(`Run
! v_1 is cut
✓ accuracy >= 0.9       93.6 %

variant  accuracy [95 %]      calls
v_1      93.6 % [89.2, 96.3]   3.41
模型          –                2.00
baseline model: 模型
all tables  evalctl report runs/1 -v
`))
	})

	It("moves values below, and removes the columns of lowest rank, if the terminal is narrow", func() {
		Expect(text(40)).To(ContainSubstring("v_1      93.6 % [89.2, 96.3]   3.41"))
		d := sample()
		d.Blocks[0].ValueColumn = 38
		d.Blocks[1].Table.Columns[0].Cells[0].Text = "a variant with a long name"
		out, err := document.Text(d, document.Options{Width: 40})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(out)).To(And(ContainSubstring("✓ accuracy >= 0.9\n    93.6 %\n"), Not(ContainSubstring("calls"))))
	})

	It("is Markdown with escaped texts, and folded sections", func() {
		Expect(rendered(document.Markdown, sample())).To(Equal(`# Run

- ! v\_1 is cut
- ✓ accuracy &gt;= 0.9 — 93.6 %

| variant | accuracy \[95 %\] | calls |
| --- | ---: | ---: |
| v\_1 | 93.6 % \[89.2, 96.3\] | 3.41 |
| 模型 | – | 2.00 |

- baseline model: 模型

- ` + "`evalctl report runs/1 -v`" + `

<details>
<summary>More</summary>

- hidden

</details>
`))
	})

	It("is LaTeX with captions", func() {
		out := rendered(document.LaTeX, sample())
		Expect(out).To(HavePrefix("% evalctl report runs/1\n"))
		Expect(out).To(And(ContainSubstring(`\caption{Variants. baseline model: 模型.}`),
			ContainSubstring(`v\_1 & $93.6\,\%\,[89.2, 96.3]$ & $3.41$ \\`), Not(ContainSubstring("hidden"))))
	})

	It("has the values of its table as CSV, with columns for intervals, and marks a partial run", func() {
		table := sample().Blocks[1].Table
		table.MarkPartial("PARTIAL")
		out := rendered(document.CSV, document.Document{Rows: func() *document.Table { return &table }})
		Expect(strings.ReplaceAll(out, "\r\n", "\n")).To(Equal(`variant,accuracy,accuracy_lo,accuracy_hi,accuracy_n
PARTIAL,,,,
v_1,0.936,0.892,0.963,188
模型,,,,
PARTIAL,,,,
`))
	})

	It("refuses a value that CSV cannot show", func() {
		table := document.ValueTable("took")
		table.AddValues([]int{1})
		_, err := document.CSV(document.Document{Rows: func() *document.Table { return table }}, document.Options{})
		Expect(err).To(MatchError(ContainSubstring("column took: no text for a value of type []int")))
	})

	It("escapes control characters in every part", func() {
		hostile := "\x1b[2J\u202e"
		blocks := []document.Block{{
			Heading: hostile,
			Lines: []document.Line{{Mark: hostile, Text: hostile, Value: hostile},
				{Parts: []document.Part{{Text: hostile}}}},
			Plot:    []string{hostile},
			Caption: hostile,
			Table: document.Table{Columns: []document.Column{
				{Head: hostile, Cells: []document.Cell{{Text: hostile, Tail: hostile}}},
			}},
			Notes: []document.Line{{Text: hostile}},
			Next:  document.Suggestions("", []string{hostile}),
			More:  &document.Folded{Name: hostile, Blocks: []document.Block{{Lines: []document.Line{{Text: hostile}}}}},
		}}
		d := document.Document{Source: hostile, Blocks: blocks}
		for _, render := range []renderer{document.Text, document.Markdown, document.LaTeX} {
			Expect(rendered(render, d)).NotTo(Or(ContainSubstring("\x1b"), ContainSubstring("\u202e")))
		}
	})
})
