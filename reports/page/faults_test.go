package page_test

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/page"
)

// faultSuite returns a suite with four faults: two of one component with the same effect, one
// without an effect, and one with unscored trials.
func faultSuite() eval.SuiteSummary {
	s := threeVariants()
	s.Conditions, s.Differences = s.Conditions[:1], nil
	degraded := eval.FaultOutcome{Variant: "rules", Trials: 200, Scored: 160, NowWrong: 40, NowErrorReply: 20,
		NowUnscored: 0, LabelChanged: 10, MoreFallbacks: 100, Unchanged: 30, Broken: 50, Fixed: 10}
	none := eval.FaultOutcome{Variant: "rules", Trials: 200, Scored: 200, Unchanged: 200}
	unscored := eval.FaultOutcome{Variant: "rules", Trials: 200, Scored: 10, NowUnscored: 190, Unchanged: 10}
	add := func(fault string, accuracy eval.Estimate, p95 float64, outcome eval.FaultOutcome) {
		errorReplies := float64(outcome.NowErrorReply+6) / 200 // six more than without the fault
		s.Conditions = append(s.Conditions,
			eval.ConditionSummary{Variant: "rules", Fault: fault, Trials: 200, Metrics: map[string]eval.Estimate{
				"route.accuracy": accuracy, "latency.p95": of(p95, p95, p95, 200),
				"fallback.rate":      of(0.5, 0.4, 0.6, 200),
				"fallback.recovered": of(1, 0.9, 1, 100),
				"error_reply.rate":   of(errorReplies, 0, 1, 200),
			}})
		outcome.Fault = fault
		s.FaultOutcomes = append(s.FaultOutcomes, outcome)
	}
	add("router:timeout", of(0.45, 0.4, 0.5, 200), 2480, degraded)
	add("router:server_error", of(0.45, 0.4, 0.5, 200), 1300, degraded)
	add("chat:timeout", of(0.7, 0.63, 0.76, 200), 1240, none)
	lost := of(0.5, 0.2, 0.8, 10)
	lost.Missing = 190
	add("search:timeout", lost, 1240, unscored)
	return s
}

var _ = Describe("The figure of faults", func() {
	widths := func(text string) (list []string) {
		for _, m := range regexp.MustCompile(`<rect class="(\w+)" x="[\d.]+%" y="0" width="([\d.]+%)" height="16"`).
			FindAllStringSubmatch(text, -1) {
			list = append(list, m[1]+" "+m[2])
		}
		return list
	}
	rowsOf := func(s eval.SuiteSummary) map[string]string {
		rows := map[string]string{}
		for _, row := range strings.Split(string(page.Faults(s)), "<tr")[1:] {
			if m := regexp.MustCompile(`<th scope="row"><a href="[^"]*">([^<]*)`).FindStringSubmatch(row); m != nil {
				rows[m[1]] = row
			}
		}
		return rows
	}

	It("has a bar with the outcomes of the cases under each fault, and the same as text", func() {
		row := rowsOf(faultSuite())["router:timeout"]
		Expect(widths(row)).To(Equal([]string{"same 15%", "stepped 50%", "changed 5%", "nowwrong 20%",
			"apology 10%", "frame 100%"}))
		Expect(row).To(ContainSubstring(
			"30 unchanged, 100 more fallbacks, same result, 10 different label, not worse, 40 broken, 20 error reply"))
	})

	It("shows the loss of accuracy over the trials that are scored both with and without the fault, counts of outcomes, and the latency ratio",
		func() {
			row := rowsOf(faultSuite())["router:timeout"]
			Expect(row).To(And(ContainSubstring("<b>−25.0</b>"),
				ContainSubstring(`class="o2"><a href="#cases?suite=router&amp;variant=rules&amp;fault=router%3Atimeout&amp;result=now_wrong">40</a>`),
				ContainSubstring(`class="o1"><a href="#cases?suite=router&amp;variant=rules&amp;fault=router%3Atimeout&amp;result=now_error_reply">20</a>`), ContainSubstring(`<td data-head="error replies, total"><a href="#cases?suite=router&amp;variant=rules&amp;fault=router%3Atimeout&amp;result=error_reply">26</a>`), ContainSubstring(`100 <span class="mute">of 100</span>`), ContainSubstring("<b>2.0</b>")))
			Expect(rowsOf(faultSuite())["router:server_error"]).To(ContainSubstring(`data-head="p95 ratio">1.0<`))
		})

	It("shows \"=\" if the fault changed no verdict, and no value if most trials are unscored", func() {
		Expect(rowsOf(faultSuite())["chat:timeout"]).To(ContainSubstring(`data-head="change">=<`))
		Expect(rowsOf(faultSuite())["search:timeout"]).
			To(And(ContainSubstring(`data-head="change">–<`), ContainSubstring(">5\u00a0of\u00a010<"),
				ContainSubstring("result=now_unscored\">190</a>")))
	})

	It("also shows error replies that occur without the fault, and does not color them as its effect",
		func() {
			s := faultSuite()
			s.Conditions[0].Metrics["error_reply.rate"] = of(0.03, 0, 1, 200)
			Expect(string(page.Faults(s))).
				To(ContainSubstring(`<td data-head="error replies, total"><a href="#cases?suite=router&amp;variant=rules&amp;result=error_reply">6</a>`))
			Expect(rowsOf(s)["chat:timeout"]).
				To(And(ContainSubstring(`fault=chat%3Atimeout&amp;result=error_reply">6</a>`),
					Not(MatchRegexp(`class="o\d"`))))
		})

	It("counts trials instead of cases if there are several epochs", func() {
		s := faultSuite()
		s.Epochs = 3
		Expect(string(page.Faults(s))).
			To(And(ContainSubstring("Each trial is compared"), ContainSubstring("outcome of the trials")))
	})

	It("shows a small latency ratio with significant digits, not as 0", func() {
		s := faultSuite()
		s.Conditions[1].Metrics["latency.p95"] = of(12, 12, 12, 200)
		Expect(rowsOf(s)["router:timeout"]).To(ContainSubstring(`data-head="p95 ratio">0.0097<`))
	})

	It("shows on the overview the most harmful faults first, and those with the same effect in one row", func() {
		text := string(page.WorstFaults(faultSuite(), 2))
		var names []string
		for _, m := range regexp.MustCompile(`<span class="name"><a href="[^"]*">([^<]*)`).
			FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
		Expect(names).To(Equal([]string{"search:timeout", "router:timeout &#43;1"}))
		Expect(text).To(And(ContainSubstring("1 more with less effect."),
			ContainSubstring(`result=degraded"><b class="wrong">60</b> degraded`)))
	})

	It("shows the number of trials that an accuracy is based on if the run is partial", func() {
		Expect(rowsOf(faultSuite())["router:timeout"]).NotTo(ContainSubstring("of 200"))
		s := faultSuite()
		s.Cases = 827
		Expect(rowsOf(s)["router:timeout"]).To(ContainSubstring(`>of 200<`))
	})

	It("omits columns without values, and has a legend with only the outcomes that occur", func() {
		heads := func(s eval.SuiteSummary) string {
			rows := strings.Split(string(page.Faults(s)), "<tr")[1:]
			for _, row := range rows { // the first cell in a row without a fault spans two columns
				Expect(strings.Count(row, "<td")+strings.Count(row, "<th ")+strings.Count(row, "colspan")).
					To(Equal(strings.Count(rows[0], "<th ")), row)
			}
			return words(template.HTML("<table><tr" + rows[0]))
		}
		all := faultSuite()
		Expect(heads(all)).To(And(
			ContainSubstring("broken error reply unscored error replies, total fell back recovered p95"),
			Not(ContainSubstring("correct fallback"))))
		for i := range all.Conditions {
			delete(all.Conditions[i].Metrics, "fallback.rate")
			delete(all.Conditions[i].Metrics, "fallback.recovered")
			delete(all.Conditions[i].Metrics, "error_reply.rate")
		}
		for i := range all.FaultOutcomes {
			all.FaultOutcomes[i].NowErrorReply, all.FaultOutcomes[i].LabelChanged = 0, 0
		}
		Expect(heads(all)).To(And(ContainSubstring("broken unscored p95"), Not(ContainSubstring("apolog"))))
		Expect(words(page.Faults(all))).
			NotTo(Or(ContainSubstring("apologised"), ContainSubstring("decided otherwise")))
	})

	It("is empty if no fault was injected", func() {
		Expect(page.Faults(threeVariants())).To(BeEmpty())
		Expect(page.WorstFaults(threeVariants(), 6)).To(BeEmpty())
	})
})

var _ = Describe("The figure of gates", func() {
	It("lists failed gates first, then undecided ones, and shortens long rules", func() {
		text := string(page.Gates([]eval.GateVerdict{
			{Rule: "a >= 1", Passed: true, Verdict: eval.GatePassed},
			{Rule: "b >= 1", Verdict: eval.GateUndecided, CasesNeeded: 1200},
			{Rule: strings.Repeat("c", 1<<20), Verdict: eval.GateFailed, Reason: "<b>not measured</b>"},
		}))
		Expect(len(text)).To(BeNumerically("<", 4_000))
		var order []string
		for _, m := range regexp.MustCompile(`<li class="(\w+)"`).FindAllStringSubmatch(text, -1) {
			order = append(order, m[1])
		}
		Expect(fmt.Sprint(order)).To(Equal("[failed undecided passed]"))
		Expect(text).To(And(ContainSubstring("1 failed, 1 undecided, 1 passed"),
			ContainSubstring("1,200 cases are needed to decide it."), ContainSubstring("&lt;b&gt;not measured")))
		Expect(page.Gates(nil)).To(BeEmpty())
	})
})
