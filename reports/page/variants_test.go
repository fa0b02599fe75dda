package page_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/page"
)

func of(value, lo, hi float64, n int64) eval.Estimate {
	return eval.Estimate{Value: &value, Lo: &lo, Hi: &hi, N: n}
}

// threeVariants returns a suite with three variants: the second is better than the first, and the
// third makes the same decisions as the first.
func threeVariants() eval.SuiteSummary {
	condition := func(name string, accuracy eval.Estimate) eval.ConditionSummary {
		return eval.ConditionSummary{Variant: name, Fault: eval.NoFault, Trials: 200, Metrics: map[string]eval.Estimate{
			"route.accuracy": accuracy, "calls.mean": of(2, 2, 2, 200), "latency.p95": of(1240, 1200, 1300, 200),
			"route.macro_f1": accuracy,
		}}
	}
	scored := of(0.9, 0.85, 0.94, 197)
	scored.Missing = 3
	contrast := func(v, lo, hi float64) eval.Contrast { return eval.Contrast{Value: &v, Lo: &lo, Hi: &hi} }
	s := eval.SuiteSummary{Name: "router", Cases: 200, BaselineVariant: "rules", Conditions: []eval.ConditionSummary{
		condition("rules", of(0.7, 0.63, 0.76, 200)), condition("llm", scored),
		condition("copy", of(0.7, 0.63, 0.76, 200)),
	}, Differences: []eval.Difference{
		{Variant: "llm", ComparedWith: "rules", Fault: eval.NoFault, State: eval.Better, Cases: 197, Fixed: 45,
			Broken: 5, Accuracy: contrast(0.2, 0.14, 0.26)},
		{Variant: "copy", ComparedWith: "rules", Fault: eval.NoFault, State: eval.Identical, Cases: 200,
			Accuracy: contrast(0, 0, 0)},
	}}
	return s
}

var _ = Describe("The figure of variants", func() {
	rowsOf := func(text string) []string { return strings.Split(text, `<div class="row">`)[1:] }

	It("shows each accuracy as a dot with its interval, in front of the shaded interval of the first variant", func() {
		rows := rowsOf(string(page.Variants(threeVariants())))
		// the axis goes from 60 to 100 %, so 63 % is at 7.5, 76 % at 40, 70 % at 25, and 90 % at
		// 75 % of the width
		Expect(rows[0]).To(And(ContainSubstring(`class="band" x="7.5%" y="0" width="32.5%"`),
			ContainSubstring(`cx="25%"`), ContainSubstring(`70.0`), ContainSubstring("[63.0, 76.0]"),
			ContainSubstring(">first<")))
		Expect(rows[1]).To(And(ContainSubstring(`<circle class="better" cx="75%"`),
			ContainSubstring(`class="interval better" x1="62.5%" x2="85%"`)))
	})

	It("shows the difference from the first variant in percentage points, with links to fixed and broken cases",
		func() {
			rows := rowsOf(string(page.Variants(threeVariants())))
			Expect(rows[1]).To(And(ContainSubstring(`<b class="better">&#43;20.0</b>`),
				ContainSubstring("[&#43;14.0, &#43;26.0]"),
				ContainSubstring(`href="#cases?suite=router&amp;variant=llm&amp;change=fixed"><span aria-hidden="true">+45</span>`),
				ContainSubstring(`href="#cases?suite=router&amp;variant=llm&amp;change=broken"><span aria-hidden="true">−5</span>`)))
			Expect(rows[2]).To(And(ContainSubstring("= identical decisions"),
				ContainSubstring(`<circle class="hollow"`)))
		})

	It("shows the number of scored trials if some are unscored, with a link to them", func() {
		Expect(rowsOf(string(page.Accuracy(threeVariants())))[1]).
			To(And(ContainSubstring("of 197"), ContainSubstring(`variant=llm&amp;result=unscored">3 unscored`)))
	})

	It("shows the number of trials if the run is partial", func() {
		s := threeVariants()
		s.Cases = 827
		for _, row := range rowsOf(string(page.Accuracy(s))) {
			Expect(row).To(MatchRegexp(`>of (200|197)<`))
		}
	})

	It("shows a single variant as a dot without a shaded interval", func() {
		s := threeVariants()
		s.Conditions, s.Differences = s.Conditions[:1], nil
		text := string(page.Variants(s))
		Expect(text).To(And(ContainSubstring(`<circle class="" cx=`), ContainSubstring("A dot with its 95 % interval."),
			Not(ContainSubstring("band"))))
	})

	It("shows counts instead of percentages for small samples", func() {
		s := threeVariants()
		s.Conditions[0].Metrics["fallback.rate"], s.Conditions[0].Metrics["answered_by.correct"] = of(0.5, 0.3, 0.7,
			12), of(0.25, 0.1, 0.5, 8)
		Expect(string(page.Variants(s))).
			To(And(ContainSubstring(
				"<th scope=\"row\">fell back</th><td>6\u00a0of\u00a012 <span class=\"mute nowrap\">[30.0, 70.0]</span>"),
				ContainSubstring(
					"<th scope=\"row\">answered by the expected part</th><td>2\u00a0of\u00a08 <span class=\"mute nowrap\">[10.0, 50.0]</span>")))
	})

	It("distinguishes metrics per turn and per case if they differ", func() {
		s := threeVariants()
		duration := func(n int64) {
			for i, c := range s.Conditions {
				c.Metrics["episode.p95"] = of(float64(9000+100*i), 8000, 9900, n)
			}
		}
		duration(200)
		Expect(string(page.Variants(s))).
			NotTo(Or(ContainSubstring("of a turn"), ContainSubstring("of a case"), ContainSubstring("9.10 s")))
		duration(80)
		Expect(string(page.Variants(s))).
			To(And(ContainSubstring("p95 per turn <"),
				ContainSubstring(`<th scope="row">whole trial p95 per case</th><td>9.00`),
				ContainSubstring("calls per case <span")))
	})

	It("has a table of the metrics that differ between variants, followed by those with equal values", func() {
		text := string(page.Variants(threeVariants()))
		Expect(text).To(ContainSubstring(
			`<tr><th scope="row">macro-F1</th><td>0.700 <span class="mute nowrap">[0.630, 0.760]</span></td><td>0.900`))
		_, same, _ := strings.Cut(text, "The same in all variants: ")
		Expect(same).To(And(HavePrefix(
			`latency p95 <span class="nowrap">1.24 s</span>, calls <span class="nowrap">2.00</span>.`)))
		Expect(text).NotTo(Or(ContainSubstring("false accept"), ContainSubstring("apologies")))
	})

	It("has only the table if no decision was scored, and is empty without metrics", func() {
		s := threeVariants()
		s.Differences = nil
		for _, c := range s.Conditions {
			delete(c.Metrics, "route.accuracy")
		}
		Expect(string(page.Variants(s))).To(And(Not(ContainSubstring("<svg")), ContainSubstring("macro-F1")))
		Expect(page.Accuracy(s)).To(BeEmpty())
	})
})
