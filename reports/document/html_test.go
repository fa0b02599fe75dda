package document_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports/document"
)

var _ = Describe("HTML", func() {
	written := func(blocks ...document.Block) string { return string(document.HTML(blocks)) }

	It("escapes all texts, permits breaks after separators of names, and keeps flags in one piece", func() {
		got := written(document.Block{Heading: "<b>a</b>",
			Lines: []document.Line{{Mark: "!", Text: "set --model in long_label_name\x1b[31m"}},
			Graphics: document.Graphics{Note: "<i>",
				Figures: []document.KeyFigure{{Label: "<l>", Value: "<v>", Unit: "<u>", Note: "<n>"}}}})
		Expect(got).NotTo(Or(ContainSubstring("<b>a</b>"), ContainSubstring("<i>"), ContainSubstring("<v>"),
			ContainSubstring("\x1b")))
		Expect(got).To(And(ContainSubstring(
			`<li class="w">set <span class="nw">--model</span> in long_<wbr>label_<wbr>name`),
			ContainSubstring("<h2>&lt;b&gt;a&lt;/b&gt;</h2>")))
	})

	It("links only to addresses within the page or its server, and joins adjacent parts with the same address", func() {
		got := written(document.Block{Lines: []document.Line{{Parts: []document.Part{
			{Text: "12", Link: "#cases?a=<"}, {Text: " cases", Link: "#cases?a=<"}, {Text: " fixed"},
			{Text: "x", Link: "https://example.com"}, {Text: "y", Link: "//example.com"},
			{Text: "run", Link: "/run/1"}}}}})
		Expect(got).To(And(ContainSubstring(`<a href="#cases?a=&lt;">12 cases</a> fixed`),
			ContainSubstring(`<a href="/run/1">run</a>`),
			Not(ContainSubstring("example.com"))))
	})

	It("draws the marks of a column on one axis, whose labels do not touch in a narrow column", func() {
		axis := document.ShareAxis(0.62, 0.97)
		table := document.Table{Keys: 1, Class: "lines", Columns: []document.Column{
			{Head: "variant", Cells: []document.Cell{{Text: "a", Tag: "reference", Note: "rules"},
				{Text: "b", Link: "#cases"}}},
			{Axis: axis, Group: "Accuracy", Cells: []document.Cell{
				{Marks: document.IntervalMarks(new(0.8), new(0.7), new(0.9), document.Good, true)},
				{Marks: document.IntervalMarks(new(0.7), nil, nil, document.Plain, false)}}},
			{Head: "n", Right: true, Group: "Accuracy",
				Cells: []document.Cell{{Text: "12", Tail: "[1, 2]", Tint: 3}, {Text: "3", Tint: -6}}},
		}}
		got := written(document.Block{Table: table})
		// the axis goes from 60 to 100 %, so 70 % is at a quarter of the width, and 80 % in the middle
		Expect(got).To(And(
			ContainSubstring(`<line class="ci up" x1="25%" x2="75%" y1="12" y2="12"/><circle class="dot up" cx="50%" cy="12" r="4"/>`),
			ContainSubstring(`<circle class="o" cx="25%"`),
			ContainSubstring(`<th class="grp" scope="colgroup" colspan="2">Accuracy</th>`),
			ContainSubstring(`<td class="n c h3" data-head="n">12 <span class="i">[1, 2]</span></td>`),
			ContainSubstring(`class="n c k6"`), ContainSubstring(
				`<span class="tag">reference</span><span class="s">rules</span>`),
			ContainSubstring(`text-anchor="start">60</text>`), ContainSubstring(`text-anchor="end">100</text>`)))
		Expect(strings.Count(got, "<th scope=\"row\"")).To(Equal(2))
	})

	It("draws a zero, ratios, times and bars of a histogram", func() {
		cell := document.Cell{Marks: []document.Mark{{Shape: document.Bar, From: 1000, To: 2000, Height: 0.5,
			Tone: document.Bad}}}
		got := written(document.Block{Table: document.Table{Columns: []document.Column{
			{Axis: document.PointsAxis(-0.02, 0.06), Cells: []document.Cell{{}}},
			{Axis: document.RatioAxis(0.8, 1.3), Cells: []document.Cell{{}}},
			{Axis: document.TimeAxis(500, 20_000), Cells: []document.Cell{cell}}}}})
		Expect(strings.Count(got, `class="z"`)).To(Equal(2))
		Expect(got).To(And(ContainSubstring(">+4</text>"), ContainSubstring(">1</text>"), ContainSubstring(">2</text>"),
			MatchRegexp(`<rect class="bar dn" x="[\d.]+%" y="12" width="[\d.]+%" height="12"/>`)))
	})

	It("shows what other formats show, too: headings, values, commands, folded blocks and preformatted lines", func() {
		got := written(document.Block{Level: 3, Heading: "Gates",
			Lines: []document.Line{{Mark: "✗", Text: "a >= 1", Value: "0.5",
				Command: []string{"evalctl", "show", "it's"}}}, Preformatted: []string{"▁▂ <"},
			Next: []document.Suggestion{{Lead: "all  ", Words: []string{"evalctl", "report"}}},
			More: &document.Folded{Name: "More", Blocks: []document.Block{{Heading: "inner"}}}})
		Expect(got).To(And(ContainSubstring("<h3>Gates</h3>"),
			ContainSubstring(`<span class="sign">✗</span> a &gt;= 1 <span class="i">0.5</span>`),
			ContainSubstring("<code>evalctl show &#39;it&#39;\\&#39;&#39;s&#39;</code>"),
			ContainSubstring("<pre>▁▂ &lt;</pre>"),
			ContainSubstring("all <code>evalctl report</code>"),
			ContainSubstring("<details><summary>More</summary>"), ContainSubstring("<h2>inner</h2>")))
	})

	It("omits blocks, tables and columns without content", func() {
		Expect(written(document.Block{})).To(BeEmpty())
		got := written(document.Block{Heading: "h", Table: document.Table{Columns: []document.Column{
			{Head: "a", Cells: []document.Cell{{Text: "1"}}}, {Head: "empty", Rank: 1, Cells: []document.Cell{{}}},
			{Key: "json", Cells: []document.Cell{{Value: 1}}}}}})
		Expect(got).NotTo(Or(ContainSubstring("empty"), ContainSubstring("json")))
	})
})
