package metric_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// sided is a trial with a judgement of one side of its answer.
func sided(id, name string, v eval.Verdict) eval.Result {
	r := row(id)
	r.Scores = []eval.Score{{Name: name, Verdict: v, Aspect: true}}
	return r
}

// sorry is a trial that ends in an apology.
func sorry(id, code string) eval.Result {
	r := row(id)
	r.Failure = code
	return r
}

var _ = Describe("an aspect", func() {
	It("is the share of its trials that pass, under its scorer's name", func() {
		m := of(sided("a", "slots.subject", eval.Pass), sided("b", "slots.subject", eval.Fail), sided("c", "slots.subject", eval.Pass),
			sided("d", "events.in_order", eval.Pass), row("e")).Metrics
		expectShare(m["slots.subject"], 2, 3, 0)
		expectShare(m["events.in_order"], 1, 1, 0)
	})

	It("misses what could not be judged, and has bounds", func() {
		m := of(sided("a", "slots.subject", eval.Pass), sided("b", "slots.subject", eval.Unjudged)).Metrics
		expectShare(m["slots.subject"], 1, 1, 1)
		Expect(*m["slots.subject"].Worst).To(Equal(0.5))
		Expect(*m["slots.subject"].Best).To(Equal(1.0))
	})

	It("has no value where nothing could be judged, but is there", func() {
		e := of(sided("a", "slots.subject", eval.Unjudged)).Metrics["slots.subject"]
		Expect(e.Value).To(BeNil())
		Expect(e.Missing).To(Equal(int64(1)))
	})

	It("is there only where a scorer judges it; the route and the fallback have figures of their own", func() {
		r := judged("a", "chat", "chat")
		r.Scores = append(r.Scores, eval.Score{Name: "fallback", Verdict: eval.Pass})
		Expect(of(r).Metrics).NotTo(Or(HaveKey("route"), HaveKey("fallback"), HaveKey("slots.subject")))
	})

	It("takes the epochs of a case for one observation in its interval", func() {
		t := metric.NewTable([]eval.SuiteSummary{{Name: "s", Epochs: 3, Variants: []eval.CellSummary{{Name: "v", Fault: eval.NoFault}}}})
		for range 3 {
			for _, r := range []eval.Result{sided("a", "x", eval.Pass), sided("b", "x", eval.Fail), sorry("c", "BUSY"), row("d")} {
				Expect(t.Add(r)).To(Succeed())
			}
		}
		m := t.Close().Suites[0].Variants[0].Metrics
		for name, cases := range map[string]float64{"x": 2, "apology.rate": 4} {
			Expect(m[name].N).To(Equal(int64(3*cases)), name)
			lo, hi := wilson(1, cases)
			Expect(*m[name].Lo).To(BeNumerically("~", lo, 1e-9), name)
			Expect(*m[name].Hi).To(BeNumerically("~", hi, 1e-9), name)
		}
	})
})

var _ = DescribeTable("the interval of a share", func(passed, trials, epochs int, cases float64) {
	t := metric.NewTable([]eval.SuiteSummary{{Name: "s", Epochs: epochs, Variants: []eval.CellSummary{{Name: "v", Fault: eval.NoFault}}}})
	for i := range trials {
		Expect(t.Add(sided("a", "x", eval.PassIf(i < passed)))).To(Succeed())
	}
	e := t.Close().Suites[0].Variants[0].Metrics["x"]
	lo, hi := wilson(cases*float64(passed)/float64(trials), cases)
	Expect(*e.Lo).To(BeNumerically("~", lo, 1e-9))
	Expect(*e.Hi).To(BeNumerically("~", hi, 1e-9))
	Expect(*e.Value).To(And(BeNumerically(">=", *e.Lo), BeNumerically("<=", *e.Hi)))
},
	Entry("of whole cases", 6, 9, 3, 3.0),
	Entry("of epochs that disagree", 7, 9, 3, 3.0),
	Entry("of a run that did not end", 29, 30, 20, 1.5),
	Entry("of less than a case", 9, 10, 20, 1.0),
	Entry("of one trial", 1, 1, 5, 1.0),
)

var _ = Describe("apologies", func() {
	It("S6: are counted by their code; a trial without an answer is missing", func() {
		m := of(row("a"), row("b"), sorry("c", "MASK_REQUIRED"), sorry("d", "MASK_REQUIRED"), sorry("e", "BUSY"),
			lost("f", eval.ProviderError, "chat")).Metrics
		expectShare(m["apology.rate"], 3, 5, 1)
		Expect(m["apology.MASK_REQUIRED"]).To(Equal(eval.Estimate{Value: new(2.0), N: 5}))
		Expect(m["apology.BUSY"]).To(Equal(eval.Estimate{Value: new(1.0), N: 5}))
	})

	It("are none where nobody apologises", func() {
		expectShare(of(row("a")).Metrics["apology.rate"], 0, 1, 0)
	})
})
