package page_test

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/history"
	"evalctl/reports/page"
)

// trendOf returns the trend of two variants: one with four runs, whose third run has other cases,
// and one with only the last run.
func trendOf(suite, variant string) history.Trend {
	point := func(run int, v float64) history.TrendPoint {
		lo, hi := v-0.05, v+0.05
		return history.TrendPoint{Run: fmt.Sprintf("%s%d", variant, run),
			Started:  time.Date(2026, 11, 1+run, 0, 0, 0, 0, time.UTC),
			Estimate: eval.Estimate{Value: &v, Lo: &lo, Hi: &hi, N: 40}}
	}
	points := []history.TrendPoint{point(0, 0.75), point(1, 0.85), point(2, 0.65), point(3, 0.7)}
	points[2].CasesChanged = true
	return history.Trend{Metric: "route.accuracy", Series: []history.TrendSeries{
		{Suite: suite, Variant: variant, Fault: eval.NoFault, Points: points,
			Change: &history.TrendChange{ComparedWith: variant + "2", Paired: true, Significant: true,
				State:    eval.Better,
				Contrast: eval.Contrast{Value: new(0.05)}}},
		{Suite: suite, Variant: "late", Fault: "router:timeout", Points: points[3:]},
	}}
}

func trendPage(t history.Trend) string {
	GinkgoHelper()
	var b strings.Builder
	Expect(page.WriteTrend(&b, t, "runs")).To(Succeed())
	return b.String()
}

var _ = Describe("the page with the trend of a metric", func() {
	It("draws each run at its position, with a line from the previous run if the two runs are comparable", func() {
		text := trendPage(trendOf("mine", "llm"))
		plots := regexp.MustCompile(`(?s)<svg class="plot history".*?</svg>`).FindAllString(text, -1)
		Expect(plots).To(HaveLen(2))
		// the axis goes from 60 to 90 % in steps of 10, at 186 to 16 pixels; the four runs are at
		// 12.5, 37.5, 62.5 and 87.5 %
		Expect(strings.Count(plots[0], "<circle")).To(Equal(4))
		Expect(plots[0]).To(And(ContainSubstring(`<circle class="joined" cx="12.50%" cy="101.00"`),
			ContainSubstring(`<circle class="parted" cx="62.50%" cy="157.67"`)))
		Expect(strings.Count(plots[0], `<line class="joined"`)).To(Equal(2))
		Expect(plots[0]).To(ContainSubstring(`<line class="joined" x1="12.50%" y1="101.00" x2="37.50%" y2="44.33"/>`))
		Expect(plots[0]).To(ContainSubstring(`<line class="interval" x1="12.50%" x2="12.50%" y1="129.33" y2="72.67"/>`))
		Expect(plots[1]).To(And(ContainSubstring(`cx="87.50%"`), Not(ContainSubstring("cx=\"12.50%\""))))
	})

	It("lists the values in a table, newest first, and states what is significant", func() {
		text := trendPage(trendOf("mine", "llm"))
		Expect(text).To(ContainSubstring(
			"Newest: 70.0 % [65.0, 75.0] · &#43;5.0 points compared with llm2, significant"))
		Expect(text).To(ContainSubstring("<h3>late under router:timeout</h3>"))
		rows := regexp.MustCompile(`<th scope="row">(\w+)</th>.*?<td>([^<]*)</td></tr>`).FindAllStringSubmatch(text, -1)
		Expect(rows[0][1:]).To(Equal([]string{"llm3", ""}))
		Expect(rows[1][1:]).To(Equal([]string{"llm2", "cases"}))
	})

	It("sends no requests, and hostile names add no elements to it", func() {
		text, hostile := trendPage(trendOf("mine", "llm")),
			trendPage(trendOf(`</svg><script>1</script>`, "\"><img src=x>\u202e"))
		Expect(text).To(ContainSubstring("script-src &#39;none&#39;"))
		Expect(kinds(elements(hostile))).To(Equal(kinds(elements(text))))
		Expect(hostile).NotTo(ContainSubstring("\u202e"))
	})

	It("is drawn even if no run has a value or all values are equal", func() {
		t := trendOf("mine", "llm")
		for i := range t.Series[0].Points {
			t.Series[0].Points[i].Estimate = eval.Estimate{}
		}
		t.Series = t.Series[:1]
		Expect(trendPage(t)).To(And(ContainSubstring("Newest: –"), Not(ContainSubstring("NaN"))))
		for i := range t.Series[0].Points {
			t.Series[0].Points[i].Estimate = eval.Estimate{Value: new(1.0), N: 3}
		}
		Expect(trendPage(t)).To(And(ContainSubstring("Newest: 100 %"), Not(ContainSubstring("NaN")),
			Not(ContainSubstring("110"))))
	})
})
