package reports_test

import (
	"bytes"
	"strings"

	"github.com/clipperhouse/displaywidth"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports"
	"evalctl/reports/document"
)

var _ = Describe("the report of a fault matrix", func() {
	// matrix returns a fault matrix in which the fallback under router:auth does not work, and one
	// fault is not triggered.
	matrix := func() eval.Summary {
		GinkgoHelper()
		faults := []string{eval.NoFault, "router:timeout", "router:reset", "router:auth", "poll:reset"}
		s := eval.SuiteSummary{Name: "路由", Target: "toolrouter", FaultMatrix: true, Epochs: 1,
			Cases: 2, Clock: "simulated"}
		for _, f := range faults {
			s.Conditions = append(s.Conditions,
				eval.ConditionSummary{Variant: "llm-first", Fault: f, OurDecision: f == "router:auth"})
		}
		t := metric.NewCollector([]eval.SuiteSummary{s})
		for _, f := range faults {
			for _, id := range []string{"1", "2"} {
				r := eval.Result{Suite: s.Name, Case: id, Variant: "llm-first", Fault: f, Epoch: 1,
					Expected: eval.OneOf{"chat"}, Predicted: "chat", AnsweredBy: "chat"}
				if strings.HasPrefix(f, "router:") && (id == "1" || f != "router:auth") {
					verdict := eval.Pass
					if f == "router:auth" {
						verdict, r.AnsweredBy = eval.Fail, "web_search"
					}
					r.TriggeredFaults, r.Scores = []string{f}, []eval.Score{{Name: eval.FaultCorrectScore,
						Verdict: verdict}}
				}
				Expect(t.Add(r)).To(Succeed())
			}
		}
		return t.Summarize()
	}
	rendered := func(format string, width int, detail bool) string {
		GinkgoHelper()
		var out bytes.Buffer
		Expect(reports.Write(&out, reports.Format(format),
			reports.Report{Summary: matrix(), Options: document.Options{Width: width, Color: true}, ShowAll: detail})).
			To(Succeed())
		return out.String()
	}
	BeforeEach(func() { GinkgoT().Setenv("NO_COLOR", "1") })

	It("shows first the fault with unexpected outcomes, and marks faults that were not triggered", func() {
		lines := strings.Split(rendered("table", 100, false), "\n")
		var rows []string
		for _, l := range lines {
			if strings.HasPrefix(l, "router") || strings.HasPrefix(l, "poll") {
				rows = append(rows, strings.Join(strings.Fields(l), " "))
			}
		}
		Expect(rows).To(HaveLen(3))
		Expect(rows[0]).To(HavePrefix("router:auth 1 of 2 (few) 0 of 1 our decision 1 1"))
		Expect(rows[1]).To(HavePrefix("poll:reset 0 not triggered"))
		Expect(rows[2]).To(HavePrefix("router: timeout, reset 2 of 2 (few) 2 of 2 specification 2"))
		Expect(lines).To(ContainElement(
			"✗ 2 of 4 conditions as expected, 1 unexpected, 1 not triggered; 1 misrouted trial"))
		Expect(lines).To(ContainElement(
			"  expected by specification: 2, by our decision: 1; 3 conditions with fewer than 3 affected trials"))
	})

	It("fits the width, has no colors if NO_COLOR is set, and shows all rows in the detailed report", func() {
		narrow := rendered("table", 60, false)
		Expect(narrow).NotTo(ContainSubstring("\x1b"))
		for l := range strings.SplitSeq(narrow, "\n") {
			Expect(displaywidth.String(l)).To(BeNumerically("<=", 60), l)
		}
		Expect(rendered("table", 0, true)).To(And(ContainSubstring("router:timeout"), ContainSubstring("router:reset")))
		Expect(rendered("markdown", 0, false)).
			To(And(ContainSubstring("| poll:reset |"), ContainSubstring("1 not triggered")))
		Expect(rendered("csv", 0, false)).To(ContainSubstring("路由,llm-first,router:auth,fault.correct,0,"))
		Expect(rendered("html", 0, false)).To(ContainSubstring("<html"))
	})
})
