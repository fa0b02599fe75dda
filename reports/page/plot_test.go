package page_test

import (
	"html/template"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports/page"
)

func figureLabels(a page.Axis) (list []string) {
	for _, t := range a.Ticks {
		if t.Label != "" {
			list = append(list, t.Label)
		}
	}
	return list
}

var _ = DescribeTable("an axis of shares contains all values, with at most six intervals and five labels",
	func(lo, hi float64, want ...string) {
		a := page.ShareAxis(lo, hi)
		Expect(figureLabels(a)).To(Equal(want))
		Expect(a.Position(lo)).To(BeNumerically(">=", 0))
		Expect(a.Position(hi)).To(BeNumerically("<=", 100))
		Expect(len(a.Ticks)).To(BeNumerically("<=", 7))
	},
	Entry(nil, 0.688, 0.970, "60 %", "70 %", "80 %", "90 %", "100 %"),
	Entry(nil, 0.932, 0.970, "93 %", "94 %", "95 %", "96 %", "97 %"),
	Entry(nil, 0.0, 1.0, "0 %", "40 %", "80 %"),
	Entry("a range of one value", 0.5, 0.5, "50 %", "51 %"),
	Entry("a range that is only 100 %", 1.0, 1.0, "99 %", "100 %"),
)

var _ = Describe("The axis of a plot", func() {
	It("always contains zero if it shows differences", func() {
		a := page.PercentagePointAxis(0.183, 0.268)
		Expect(figureLabels(a)).To(Equal([]string{"0", "+10.0", "+20.0", "+30.0"}))
		Expect(a.Position(0)).To(BeZero())
	})
	It("is logarithmic if it shows times, with at most eight round labels", func() {
		a := page.TimeAxis(300, 42_000)
		Expect(figureLabels(a)).To(Equal([]string{"0.5 s", "1 s", "2 s", "5 s", "10 s", "20 s"}))
		Expect(a.Position(3_000) - a.Position(300)).To(BeNumerically("~", a.Position(30_000)-a.Position(3_000), 1e-9))
		Expect(len(figureLabels(page.TimeAxis(0.01, 1e7)))).To(BeNumerically("<=", 8))
	})
})

var _ = DescribeTable("labels of an axis are hidden in narrow plots: at most three remain at the minimum width, and none overlap",
	func(a page.Axis, want ...string) {
		got := string(page.Rows{Panels: []page.Panel{{Axis: a}}}.HTML())
		texts := make([]string, 0, len(want))
		for _, found := range regexp.MustCompile(`<text(?: class="(\w+)")?[^>]*>([^<]*)`).
			FindAllStringSubmatch(got, -1) {
			texts = append(texts, strings.TrimPrefix(found[1]+":", ":")+found[2])
		}
		Expect(texts).To(Equal(want))
	},
	Entry(nil, page.ShareAxis(0.688, 0.970), "60 %", "w240:70 %", "w160:80 %", "w240:90 %", "100 %"),
	Entry(nil, page.PercentagePointAxis(-0.25, 0.04), "−25.0", "w240:−15.0", "w160:−5.0", "&#43;5.0"),
	Entry(nil, page.TimeAxis(300, 42_000), "0.5 s", "w320:1 s", "w160:2 s", "w240:5 s", "w320:10 s", "20 s"),
)

var _ = Describe("A figure that consists of rows", func() {
	It("has a CSS class for each of its panels, so that they can be stacked", func() {
		share, points := page.ShareAxis(0, 1), page.PercentagePointAxis(-1, 1)
		got := page.Rows{Panels: []page.Panel{{Axis: share}, {Axis: points}},
			Rows: []page.Row{{Name: "v1", Link: "#x",
				Cells: []page.PlotCell{{Marks: []page.Mark{{Shape: page.Dot}}}, {}}}}}.HTML()
		Expect(count(got, "div", "again")).To(Equal(1))
		Expect(count(got, "a", "")).To(Equal(1))
		Expect(count(got, "div", "blank")).To(Equal(1), "where nothing is drawn")
	})
	rows := func(name string) string {
		return string(page.Rows{Panels: []page.Panel{{Head: "share", Axis: page.ShareAxis(0, 1)}},
			Rows: []page.Row{{Name: name, Link: "#cases?variant=a%20b", Cells: []page.PlotCell{{
				Marks: []page.Mark{{Shape: page.Dot, From: 95.5, Y: 15, Class: "better"}},
				Value: template.HTML("<b>95.5 %</b>")}}}}}.HTML())
	}
	It("has positions in percent, and values as text", func() {
		Expect(rows("a b")).To(And(ContainSubstring(`cx="95.5%"`), ContainSubstring("<b>95.5 %</b>"),
			ContainSubstring(`href="#cases?variant=a%20b">a b</a>`)))
	})
	It("escapes names, and replaces empty and long ones", func() {
		Expect(rows("<script>\u202e\x1b")).To(ContainSubstring("&lt;script&gt;[U&#43;202E]␛"))
		Expect(rows("")).To(ContainSubstring("(none)"))
		Expect(len(rows(strings.Repeat("长", 1<<20)))).To(BeNumerically("<", 4_000))
	})
})
