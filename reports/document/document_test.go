package document_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/document"
)

var update = flag.Bool("update", false, "write the golden files")

func TestDocument(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "document")
}

// hostile is a text with control characters, markup and Chinese characters.
const hostile = "模型 <b>|*x*_`#$\\ \x1b[2J\u202e @user www.x.y [a](b)"

var accuracy = eval.Estimate{Value: new(0.936), Lo: new(0.892), Hi: new(0.963), N: 188}

// sample returns a document with every kind of block.
func sample() document.Document {
	scoped := scopedTables()
	return document.Document{
		Source:  "evalctl report runs/1",
		Partial: true,
		Data:    document.NewScopedTables("class", scoped, true),
		Rows:    func() *document.Table { return document.ScopedRows(scoped, true) },
		Blocks: append([]document.Block{
			sentences(),
			{Level: 2, Heading: "Preformatted", Preformatted: []string{" 5 % ▁▂▃▄▅▆▇█", "     │─●×"}},
			variants(),
			wideTable(),
			{
				Lines: []document.Line{{Text: "A table that wraps its last column:"}},
				Table: document.Table{Keys: 1, Narrow: document.WrapLast, Columns: []document.Column{
					{Head: "case", Cells: []document.Cell{{Text: "tr-001"}, {Text: hostile}}},
					{Head: "text", Cells: []document.Cell{
						{Text: strings.Repeat("很长的文本 and words ", 6)},
						{Text: "short"},
					}},
				}},
			},
			{}, // shows nothing
			{More: &document.Folded{Name: "All tables of " + hostile, Blocks: []document.Block{
				{Level: 3, Heading: "Inner", Lines: []document.Line{{Text: "folded line"}}},
				{More: &document.Folded{Name: "Nested", Blocks: []document.Block{wideTable()}}},
			}}},
		}, document.ForReaders(scoped, false)...),
	}
}

// sentences returns a block of lines, and of what only HTML shows above a table.
func sentences() document.Block {
	return document.Block{
		Level:       1,
		Heading:     "Run " + hostile,
		ValueColumn: 44,
		Lines: []document.Line{
			{Tone: document.Warn, Mark: "!", Parts: []document.Part{
				{Text: "v_1", Tone: document.Strong},
				{Text: " is cut, see "},
				{Text: "its cases", Link: "#cases?variant=v_1"},
			}},
			{Tone: document.Good, Mark: "✓", Text: "accuracy >= 0.9", Value: "93.6 %"},
			{Tone: document.Bad, Mark: "✗", Text: "p95 <= 2.5 s",
				Value: "not measured, because no trial of the run ended"},
			{Indent: 2, Mark: "·", Text: "A long sentence continues below its first word, " +
				"if the terminal is too narrow for all of its words: 这是一个很长的句子。"},
			{Text: "tr-001", Command: []string{"evalctl", "show", "runs/it's", "tr-001", "--variant", "v_1",
				"--fault=router:timeout", "--epoch", "3"}},
		},
		Next: append(document.Suggestions("all tables  ", []string{"evalctl", "report", "runs/1", "-v"}),
			document.Suggestions("not shown   ", []string{"evalctl", "\x1b[2J"})...),
		Graphics: document.Graphics{
			ID:       "run",
			Note:     "1 run",
			Headline: []document.Part{{Text: "v_1 leads", Tone: document.Good}},
			Figures:  []document.KeyFigure{{Label: "cases", Value: "188", Unit: "of 200", Note: "12 missing"}},
			Legend:   []document.LegendItem{{Tint: 3, Text: "wrong"}},
		},
	}
}

// variants returns a table that shortens its names, with tails, ranks and a plot.
func variants() document.Block {
	return document.Block{
		Table: document.Table{Keys: 1, Narrow: document.ShortenNames, Columns: []document.Column{
			{Key: "variant", Head: "variant", Cells: []document.Cell{
				{Text: "a-long-variant-name-v_1", Value: "v_1"},
				{Text: "模型", Value: "模型"},
			}},
			{Head: "accuracy", TailHead: "[95 %]", Right: true, Cells: []document.Cell{
				{Text: "93.6 %", Tone: document.Strong, Tail: "[89.2, 96.3]"},
				{Text: "–"},
			}},
			{Head: "vs v_1", TailHead: "[95 %]", Cells: []document.Cell{
				{Text: "first"},
				{Text: "−2.0", Tone: document.Bad, Tail: "[−4.1, +0.1]"},
			}},
			{Head: "changed", Right: true, Rank: 9, Cells: []document.Cell{{}, {Text: "+1/−5"}}},
			{Head: "p95", Right: true, Rank: 10, Cells: []document.Cell{{Text: "11.7 s"}, {Text: "900 µs"}}},
			{Head: "calls", Right: true, Rank: 1, Cells: []document.Cell{{Text: "3.41"}, {Text: "2.00"}}},
			{Head: "empty", Rank: 5, Cells: []document.Cell{{}, {}}},
			{Axis: document.ShareAxis(0, 1), PlotWidth: 24, Rank: 3, Cells: []document.Cell{
				{Marks: document.IntervalMarks(new(0.936), new(0.892), new(0.963), document.Good, true)}, {}}},
			{Key: "only_data", Cells: []document.Cell{{Value: 1}, {Value: 2}}},
		}},
		Caption: "Variants of " + hostile,
		Notes:   []document.Line{{Tone: document.Faint, Text: "baseline model: 模型"}},
	}
}

// wideTable returns a table that becomes several ones with short keys if it is too wide.
func wideTable() document.Block {
	g := document.Table{Keys: 2, JoinedFrom: 3, ShortKeys: []string{"cls-1", "cls-2"}, Columns: []document.Column{
		{Head: "suite", Cells: []document.Cell{{Text: "toolrouter"}, {}}},
		{Head: "class", Cells: []document.Cell{{Text: "class-1"}, {Text: "class-2"}}},
	}}
	for _, head := range []string{"precision", "recall, n = support", "→ chat", "→ image_gen", "→ web_search", "→ time"} {
		g.Columns = append(g.Columns, document.Column{Head: head, Right: true,
			Cells: []document.Cell{{Text: "92.5 % n=80"}, {Text: "·"}}})
	}
	return document.Block{Level: 3, Heading: "A table of many columns", Table: g}
}

// scopedTables returns the tables of two variants that are equal, and of a third one.
func scopedTables() (blocks []document.Block) {
	for _, variant := range []string{"v_1", "v_2", "=模型"} {
		b := document.Block{Suite: "suite", Variant: variant, VisibleRows: 2, Noun: "class",
			Table: document.Table{Keys: 1, Columns: []document.Column{
				{Key: "class", Head: "class"},
				{Key: "recall", Head: "recall", TailHead: "[95 %]", Right: true, Estimate: true},
				{Key: "empty", Head: "empty"},
				{Key: "n", Head: "of", Right: true},
			}}}
		for _, class := range []string{"chat", "=1+1", hostile} {
			row := []document.Cell{
				{Text: class, Value: class},
				{Text: "–"},
				{Text: "–"},
				{Text: "188", Value: int64(188)},
			}
			if variant != "=模型" {
				row[1] = document.Cell{Text: "93.6 %", Tail: "[89.2, 96.3]", Value: accuracy}
			}
			b.Table.AddRow(row)
		}
		blocks = append(blocks, b)
	}
	return blocks
}

type renderer = func(document.Document, document.Options) ([]byte, error)

func rendered(render renderer, d document.Document, o document.Options) string {
	GinkgoHelper()
	out, err := render(d, o)
	Expect(err).NotTo(HaveOccurred())
	return string(out)
}

var _ = DescribeTable("the renderers",
	func(name string, render renderer, o document.Options) {
		got := rendered(render, sample(), o)
		path := filepath.Join("testdata", name)
		if *update {
			Expect(os.MkdirAll("testdata", 0o755)).To(Succeed())
			Expect(os.WriteFile(path, []byte(got), 0o644)).To(Succeed())
			return
		}
		want, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal(string(want)), "run the tests with -update if %s is to change", path)
	},
	Entry("show a document as text", "100.txt", document.Text, document.Options{Width: 100}),
	Entry("show a document as text on a narrow terminal", "60.txt", document.Text, document.Options{Width: 60}),
	Entry("show a document with ASCII symbols on the narrowest terminal", "ascii.txt", document.Text,
		document.Options{Width: 40, ASCII: true}),
	Entry("show a document as Markdown", "page.md", document.Markdown, document.Options{}),
	Entry("show a document as LaTeX", "page.tex", document.LaTeX, document.Options{}),
	Entry("show the rows of a document as CSV", "rows.csv", document.CSV, document.Options{}),
	Entry("show the data of a document as JSON", "data.json", document.JSON, document.Options{}),
	Entry("show a document as HTML", "page.html", htmlLines, document.Options{}),
)

// htmlLines renders a document as HTML with one element on each line.
func htmlLines(d document.Document, _ document.Options) ([]byte, error) {
	return []byte(strings.ReplaceAll(string(document.HTML(d.Blocks)), "><", ">\n<")), nil
}

var _ = Describe("A document", func() {
	It("has colors only in addition to its text", func() {
		GinkgoT().Setenv("NO_COLOR", "")
		colored := rendered(document.Text, sample(), document.Options{Width: 100, Color: true})
		codes := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[32m", "", "\x1b[33m", "", "\x1b[1;31m",
			"", "\x1b[2m", "")
		Expect(codes.Replace(colored)).To(Equal(rendered(document.Text, sample(), document.Options{Width: 100})))
		Expect(colored).To(And(ContainSubstring("\x1b[33m!\x1b[0m \x1b[1mv_1\x1b[0m is cut"),
			ContainSubstring("\x1b[1m93.6 %\x1b[0m \x1b[2m[89.2, 96.3]\x1b[0m")))
	})

	It("refuses a value that CSV cannot show", func() {
		table := document.ValueTable("took")
		table.AddValues([]int{1})
		_, err := document.CSV(document.Document{Rows: func() *document.Table { return table }}, document.Options{})
		Expect(err).To(MatchError(ContainSubstring("column took: no text for a value of type []int")))
	})

	It("escapes control characters in every part", func() {
		const hostile = "\x1b[2J\u202e"
		blocks := []document.Block{{
			Heading: hostile,
			Lines: []document.Line{
				{Mark: hostile, Text: hostile, Value: hostile},
				{Parts: []document.Part{{Text: hostile}}},
			},
			Preformatted: []string{hostile},
			Caption:      hostile,
			Table: document.Table{Columns: []document.Column{
				{Head: hostile, Cells: []document.Cell{{Text: hostile, Tail: hostile}}},
			}},
			Notes: []document.Line{{Text: hostile}},
			Next:  document.Suggestions("", []string{hostile}),
			More:  &document.Folded{Name: hostile, Blocks: []document.Block{{Lines: []document.Line{{Text: hostile}}}}},
		}}
		d := document.Document{Source: hostile, Blocks: blocks}
		for _, render := range []renderer{document.Text, document.Markdown, document.LaTeX} {
			Expect(rendered(render, d, document.Options{})).NotTo(Or(ContainSubstring("\x1b"),
				ContainSubstring("\u202e")))
		}
	})
})
