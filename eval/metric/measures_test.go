package metric_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

// measured returns a trial with the given score, such as for retrieval, facts or sessions.
func measured(id, name string, value float64, v eval.Verdict) eval.Result {
	r := row(id)
	r.Scores = []eval.Score{{Name: name, Value: value, Verdict: v, Expected: eval.OneOf{"x"}}}
	return r
}

// facts returns a trial with the facts that the answer states according to a comparison of words,
// and according to a grader; nil: the grader failed.
func facts(id string, words, graded []bool) eval.Result {
	r := row(id)
	r.Scores = []eval.Score{{Name: "facts.coverage", Verdict: eval.Pass,
		FactsInAnswers: []eval.TurnFacts{{Turn: 1, Stated: words}}}, {Name: "facts.graded"}}
	r.Grading = &eval.GradingCost{Turns: 1, Calls: 1, Tokens: eval.Tokens{In: 10, Out: 1}, Cost: new(0.5)}
	if graded == nil {
		r.Grading.Failed = 1
		return r
	}
	r.Scores[1].Verdict, r.Scores[1].FactsInAnswers = eval.Pass, []eval.TurnFacts{{Turn: 1, Stated: graded}}
	return r
}

var _ = Describe("a score from 0 to 1", Label("definition"), func() {
	DescribeTable("has the mean of its values; an unscored trial is missing",
		func(name string) {
			m := of(measured("a", name, 1, eval.Pass), measured("b", name, 0.5, eval.Fail),
				measured("c", name, 0, eval.Fail),
				measured("d", name, 0.75, eval.Fail), measured("e", name, 0, eval.Unscored), row("f")).Metrics
			Expect(m[name]).To(And(HaveField("Value", HaveValue(Equal(0.5625))), HaveField("N", int64(4)),
				HaveField("Missing", int64(1))))
			Expect(m[name].WorstCase).To(BeNil(), "it is not a share of trials")
		},
		Entry(nil, "retrieval.recall_at_1"), Entry(nil, "retrieval.recall_at_5"), Entry(nil, "retrieval.recall_at_10"),
		Entry(nil, "retrieval.mrr"),
		Entry(nil, "facts.verbatim"), Entry(nil, "facts.coverage"), Entry(nil, "facts.graded"),
		Entry(nil, "compression.facts_kept"),
	)

	It("has an interval within 0..1", func() {
		e := of(measured("a", "facts.coverage", 1, eval.Pass), measured("b", "facts.coverage", 1, eval.Pass),
			measured("c", "facts.coverage", 0.7, eval.Fail)).Metrics["facts.coverage"]
		Expect(*e.Hi).To(Equal(1.0))
		Expect(*e.Lo).To(BeNumerically("~", 0.9-4.302653*0.1, 1e-6), "Student's, of three")
	})

	It("is absent if no trial has one", func() {
		for name := range of(row("a")).Metrics {
			Expect(name).NotTo(Or(HavePrefix("retrieval."), HavePrefix("facts."), HavePrefix("compression."),
				HavePrefix("cache.")))
		}
	})
})

var _ = Describe("L4: the metrics of a grader of facts", Label("definition"), func() {
	It("contain its agreement with the word comparison, and Cohen's κ", func() {
		m := of(
			facts("a", []bool{true, true, false}, []bool{true, true, false}),
			facts("b", []bool{true, false, true, false}, []bool{true, false, false, false}),
			facts("c", []bool{true, true, false, false}, []bool{false, true, true, false}),
			facts("d", []bool{true, false}, nil), row("e")).Metrics
		agree := m["facts.grader_agreement"]
		Expect(*agree.Value).To(BeNumerically("~", 8.0/11, 1e-12))
		Expect([]int64{agree.N, agree.Cases, agree.Missing}).To(Equal([]int64{11, 3, 2}),
			"facts, cases, and the facts of the grader that failed")
		Expect(*agree.WorstCase).To(BeNumerically("~", 8.0/13, 1e-12))
		// The word comparison accepts 6 of 11 facts, the grader 5. By chance they agree in (6·5 +
		// 5·6)/121 of the facts.
		chance := 60.0 / 121
		kappa := m["facts.grader_kappa"]
		Expect(*kappa.Value).To(BeNumerically("~", (8.0/11-chance)/(1-chance), 1e-12))
		Expect([]int64{kappa.N, kappa.Cases, kappa.Missing}).To(Equal([]int64{11, 3, 2}))
		Expect(*kappa.Lo).To(BeNumerically("<", *kappa.Value))
		Expect(*kappa.Hi).To(BeNumerically(">", *kappa.Value))
	})

	It("contain the grader's usage separately, and count its failures", func() {
		m := of(facts("a", []bool{true}, []bool{true}), facts("b", []bool{true}, nil)).Metrics
		Expect(m["facts.grader.calls"]).To(Equal(eval.Estimate{Value: new(2.0), N: 2, Missing: 1}))
		Expect(m["facts.grader.tokens"]).To(Equal(eval.Estimate{Value: new(22.0), N: 2}))
		Expect(m["facts.grader.cost"]).To(Equal(eval.Estimate{Value: new(1.0), N: 2}))
		Expect(*m["calls.mean"].Value).To(BeZero())
	})

	It("have no κ if both always accept, and are absent if no grader was used", func() {
		m := of(facts("a", []bool{true}, []bool{true})).Metrics
		Expect(*m["facts.grader_agreement"].Value).To(Equal(1.0))
		Expect(m["facts.grader_kappa"]).To(Equal(eval.Estimate{N: 1}))
		alone := facts("a", []bool{true}, nil)
		alone.Scores, alone.Grading = alone.Scores[:1], nil
		Expect(of(alone).Metrics).NotTo(Or(HaveKey("facts.grader_agreement"), HaveKey("facts.grader.calls")))
	})
})

var _ = Describe("The metrics of caches, sessions and concurrency", Label("definition"), func() {
	cached := func(id string, hits, misses, errors int64) eval.Result {
		r := row(id)
		r.Cache = eval.CacheStats{Hits: hits, Misses: misses, Errors: errors}
		return r
	}

	It("L6: contain the hit rate of a cache, and the calls saved per trial", func() {
		m := of(cached("a", 3, 1, 0), cached("b", 0, 4, 2), row("c"), row("d")).Metrics
		Expect(m["cache.hit_rate"]).
			To(And(HaveField("Value", HaveValue(Equal(0.375))), HaveField("N", int64(8)), HaveField("Cases", int64(2))))
		Expect(m["cache.calls_saved"]).To(And(HaveField("Value", HaveValue(Equal(0.75))), HaveField("N", int64(4))))
		Expect(m["cache.errors"]).To(Equal(eval.Estimate{Value: new(2.0), N: 4}))
	})

	It("L6: contain a hit rate of 1 if every lookup hits, and are absent without lookups", func() {
		Expect(of(cached("a", 3, 0, 0)).Metrics["cache.hit_rate"]).To(HaveField("Value", HaveValue(Equal(1.0))))
		Expect(of(row("a")).Metrics).NotTo(HaveKey("cache.hit_rate"))
	})

	It("L6: count the errors of a failing cache", func() {
		m := of(cached("a", 0, 0, 2), row("b")).Metrics
		Expect(m).To(HaveKey("cache.hit_rate"))
		Expect(m["cache.errors"]).To(Equal(eval.Estimate{Value: new(2.0), N: 2}))
	})

	It("L6: contain the hit rate in every condition, also with hits only or misses only", func() {
		t := twoVariantTable()
		for _, r := range []eval.Result{cached("a", 2, 0, 0), cached("a", 0, 2, 0)} {
			r.Variant = map[bool]string{true: "v", false: "w"}[r.Cache.Hits > 0]
			Expect(t.Add(r)).To(Succeed())
		}
		conditions := t.Close().Suites[0].Conditions
		for i, want := range []float64{1, 0} {
			Expect(conditions[i].Metrics["cache.hit_rate"]).
				To(And(HaveField("Value", HaveValue(Equal(want))), HaveField("N", int64(2))))
		}
	})

	It("L7: contain the ratio of tokens after and before the compression of a session", func() {
		r := row("a")
		r.Compressions = []eval.Compression{{Turn: 1, TokensBefore: 2400, TokensAfter: 600},
			{Turn: 1, TokensBefore: 1000, TokensAfter: 750}}
		e := of(r, row("b")).Metrics["compression.ratio"]
		Expect(e).To(And(HaveField("Value", HaveValue(Equal(0.5))), HaveField("N", int64(2)),
			HaveField("Cases", int64(1))))
		Expect(of(row("b")).Metrics).NotTo(HaveKey("compression.ratio"))
		far := row("c")
		far.Compressions = []eval.Compression{{Turn: 1, TokensBefore: 1000, TokensAfter: 10}}
		Expect(*of(r, far).Metrics["compression.ratio"].Lo).To(BeZero(), "no share is negative")
	})

	It("L4: contain the peak of concurrent model calls in the condition and per trial", func() {
		at := func(id string, n int64) eval.Result {
			r := row(id)
			r.PeakCalls = n
			return r
		}
		lost := row("d")
		lost.Error = &eval.Error{Kind: eval.HarnessError}
		m := of(at("a", 10), at("b", 1), at("c", 4), lost).Metrics
		Expect(m["calls.peak"]).To(Equal(eval.Estimate{Value: new(10.0), N: 3, Missing: 1}))
		Expect(m["calls.peak_mean"]).
			To(And(HaveField("Value", HaveValue(Equal(5.0))), HaveField("N", int64(3)), HaveField("Missing", int64(1))))
		Expect(of(lost).Metrics["calls.peak"]).To(Equal(eval.Estimate{Missing: 1}))
	})

	It("L4: count a trial without a model call with a peak of 0, not as missing", func() {
		none := row("a")
		m := of(none).Metrics
		Expect(m["calls.peak"]).To(Equal(eval.Estimate{Value: new(0.0), N: 1}))
		one := row("b")
		one.PeakCalls = 2
		Expect(of(none, one).Metrics["calls.peak_mean"]).
			To(And(HaveField("Value", HaveValue(Equal(1.0))), HaveField("Missing", int64(0))))
	})
})
