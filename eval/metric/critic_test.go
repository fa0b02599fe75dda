package metric_test

import (
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// loopCase returns a trial with one turn that consists of the given rounds of a Critic loop.
func loopCase(id string, rounds ...eval.LoopRound) eval.Result {
	r := row(id)
	for i, l := range rounds {
		l.Turn, l.Round = 1, i+1
		if l.Reviewer == "" {
			l.Reviewer, l.CriticInput = "llm", trace.CriticInputImage
		}
		l.AddedTime, l.Calls, l.Tokens = eval.Millis(100*(i+1))*ms, int64(i+1), eval.Tokens{In: 10 * int64(i+1), Out: 1}
		r.LoopRounds = append(r.LoopRounds, l)
	}
	return r
}

func passed(score float64) eval.LoopRound  { return eval.LoopRound{Score: score, Passed: true} }
func refused(score float64) eval.LoopRound { return eval.LoopRound{Score: score} }

// lastRejection returns a round in which the critic rejects the last permitted attempt.
func lastRejection(score float64) eval.LoopRound {
	return eval.LoopRound{Score: score, Exhausted: true}
}

// passedUnreviewed returns a round whose attempt passes because the critic failed.
func passedUnreviewed() eval.LoopRound { return eval.LoopRound{Passed: true, Reviewer: "none"} }

func good(l eval.LoopRound) eval.LoopRound { l.Acceptable = new(true); return l }
func bad(l eval.LoopRound) eval.LoopRound  { l.Acceptable = new(false); return l }

// rejudged returns a round in which the critic rejects the attempt, with a second judgment.
func rejudged(first, second float64) eval.LoopRound {
	l := refused(first)
	l.SecondJudgment = &eval.SecondJudgment{Score: &second, Calls: 1, Tokens: eval.Tokens{In: 20, Out: 3},
		Cost: new(0.25)}
	return l
}

// eightTurns returns eight trials with one turn each that end in different ways.
func eightTurns() []eval.Result {
	slow := loopCase("a", good(passed(0.9)))
	slow.LoopRounds[0].AddedTime = 300 * ms
	return []eval.Result{
		slow,
		loopCase("b", bad(refused(0.4)), good(passed(0.8))),
		// a good attempt is rejected; the scores fall and rise
		loopCase("c", good(refused(0.5)), bad(refused(0.3)), bad(lastRejection(0.6))),
		loopCase("d", bad(passed(0.75))), // a bad attempt is accepted
		loopCase("e", bad(passedUnreviewed())),
		loopCase("f", bad(refused(0.2)), good(passedUnreviewed())),
		loopCase("g", refused(0.3)), // the turn is cut off by another failure
		loopCase("h", refused(0.2), refused(0.3), refused(0.5), passed(0.8)),
	}
}

var _ = Describe("the metrics of a Critic loop", func() {
	// the ranges of the values: numbers of loops, scores, gains
	loops, scores, gains := [2]float64{1, math.Inf(1)}, [2]float64{0, 1}, [2]float64{-1, 1}
	// expectMean requires a mean of values with Student's interval, limited to the range scale. t
	// is the quantile from a table.
	expectMean := func(e eval.Estimate, scale [2]float64, t float64, values ...float64) {
		GinkgoHelper()
		Expect(e.N).To(Equal(int64(len(values))))
		mean, sum := 0.0, 0.0
		for _, v := range values {
			mean += v / float64(len(values))
		}
		Expect(*e.Value).To(BeNumerically("~", mean, 1e-9))
		if len(values) < 2 {
			Expect(e.Lo).To(BeNil())
			return
		}
		for _, v := range values {
			sum += (v - mean) * (v - mean)
		}
		half := t * math.Sqrt(sum/float64(len(values)-1)/float64(len(values)))
		Expect(*e.Lo).To(BeNumerically("~", max(mean-half, scale[0]), 1e-3))
		Expect(*e.Hi).To(BeNumerically("~", min(mean+half, scale[1]), 1e-3))
	}

	It("S5: count how turns end; a turn that a failed critic passed or that was cut off is missing", func() {
		m := of(eightTurns()...).Metrics
		expectShare(m["critic.pass_rate"], 4, 5, 3)
		expectShare(m["critic.exhausted_rate"], 1, 5, 3)
		expectShare(m["critic.oscillation_rate"], 1, 2, 3)
		expectMean(m["critic.loops_mean"], loops, 2.776, 1, 2, 3, 1, 4)
		Expect(m["critic.loops_mean"].Missing).To(Equal(int64(3)))
	})

	It("S5: contain the raw gain of the second attempt, and a lower bound of the true gain", func() {
		c := of(eightTurns()...)
		raw := c.Metrics["critic.raw_gain_per_loop"]
		expectMean(raw, gains, 4.303, 0.4, -0.2, 0.1)
		Expect(raw.Missing).To(Equal(int64(3)), "e, f and g might have gained")
		// The first scores are 0.9, 0.4, 0.5, 0.75, 0.2, 0.3 and 0.2. The turns b, c and h had a
		// second attempt.
		Expect(c.LoopRounds[1].GainLowerBound).To(HaveValue(BeNumerically("~", 0.1-(3.25/7-1.1/3), 1e-9)))
		Expect(c.LoopRounds[0].GainLowerBound).To(BeNil())
		net := c.Metrics["critic.gain_per_loop"]
		Expect(net.Value).To(BeNil(), "nobody judged twice")
		Expect(net.N).To(BeZero())
		Expect(net.Missing).To(Equal(int64(6)))
		Expect(c.Metrics).NotTo(HaveKey(HavePrefix("critic.second.")))
	})

	It("S5: contain the gain of the second attempt over a second judgment of the first", func() {
		failed := rejudged(0.3, 0)
		failed.SecondJudgment.Score = nil
		c := of(loopCase("a", rejudged(0.4, 0.6), passed(0.8)),
			loopCase("b", rejudged(0.5, 0.4), refused(0.3), lastRejection(0.9)),
			loopCase("c", failed, passed(0.9)), loopCase("d", refused(0.2), passed(0.9)), loopCase("e", passed(0.9)),
			loopCase("f", rejudged(0.2, 0.3), passedUnreviewed()))
		net := c.Metrics["critic.gain_per_loop"]
		expectMean(net, gains, 12.706, 0.2, -0.1)
		Expect(net.Missing).To(Equal(int64(3)), "c, d and f")
		Expect(c.LoopRounds[1].Gain).To(HaveValue(Equal(net)))
		Expect(c.LoopRounds[0].Gain).To(BeNil())
		Expect(*c.Metrics["critic.raw_gain_per_loop"].Value).To(BeNumerically("~", (0.4-0.2+0.6+0.7)/4, 1e-9))

		calls := c.Metrics["critic.second.calls"]
		Expect(*calls.Value).To(Equal(4.0))
		Expect(calls.N).To(Equal(int64(4)))
		Expect(calls.Missing).To(Equal(int64(1)), "one failed")
		Expect(*c.Metrics["critic.second.tokens"].Value).To(Equal(92.0))
		Expect(*c.Metrics["critic.second.cost"].Value).To(Equal(1.0))
		Expect(*c.LoopRounds[0].AddedCalls.Value).To(Equal(1.0), "those of the turn alone")
	})

	It("S5: count a turn as missing if the critic failed", func() {
		rows := []eval.Result{loopCase("good", good(refused(0.3)), good(passed(0.9)))}
		for i := range 465 {
			rows = append(rows, loopCase(fmt.Sprint("dead ", i), good(passedUnreviewed())))
		}
		m := of(rows...).Metrics
		for _, name := range []string{"pass_rate", "exhausted_rate", "oscillation_rate", "loops_mean",
			"raw_gain_per_loop", "false_reject"} {
			Expect(m["critic."+name].Missing).To(Equal(int64(465)), name)
		}
		Expect(m["critic.gain_per_loop"].Missing).To(Equal(int64(466)))
	})

	It("S5: count a trial as missing that ended before the critic was called", func() {
		rows := []eval.Result{loopCase("a", good(refused(0.3)), good(passed(0.9))), loopCase("b", good(passed(0.9)))}
		for i := range 3 {
			r := row(fmt.Sprint("lost ", i))
			r.Error = &eval.Error{Kind: eval.ProviderError}
			rows = append(rows, r)
		}
		m := of(rows...).Metrics
		for _, name := range []string{"pass_rate", "exhausted_rate", "oscillation_rate", "loops_mean",
			"raw_gain_per_loop", "false_reject"} {
			Expect(m["critic."+name].Missing).To(Equal(int64(3)), name)
		}
		Expect(m["critic.false_accept"].Missing).To(BeZero(), "no attempt is labelled bad")
	})

	DescribeTable("S5: do not compare the critic with the label of an image that it did not see",
		func(shown trace.CriticInput) {
			a, b := good(refused(0.3)), bad(passed(0.9))
			a.Reviewer, b.Reviewer, a.CriticInput, b.CriticInput = "llm", "llm", shown, shown
			c := of(loopCase("a", a, b), loopCase("b", b))
			for name, n := range map[string]int64{"critic.false_reject": 1, "critic.false_accept": 2} {
				e := c.Metrics[name]
				Expect(e.Value).To(BeNil(), name)
				Expect(e.N).To(BeZero(), name)
				Expect(e.Missing).To(Equal(n), name)
			}
			Expect(c.LoopRounds[0].LabeledImageNotShown).To(Equal(int64(2)))
			Expect(c.LoopRounds[1].LabeledImageNotShown).To(Equal(int64(1)))
			Expect(c.Metrics["critic.pass_rate"].N).To(Equal(int64(2)), "the label has no part in that")
		},
		Entry("the critic saw the plan", trace.CriticInputPlan),
		Entry("the critic saw the prompt", trace.CriticInputPrompt),
		Entry("the critic saw another image", eval.CriticInputOtherImage),
		Entry("it is unknown what the critic saw", trace.CriticInput("")),
	)

	It("S5: have no sum of tokens if the tokens of a call are unreported", func() {
		uncounted := loopCase("a", refused(0.2), passed(0.9))
		uncounted.LoopRounds[1].Tokens.UnreportedCalls = 1
		c := of(uncounted, loopCase("b", passed(0.8)))
		Expect(*c.LoopRounds[0].AddedTokens.Value).To(Equal(11.0))
		Expect(c.LoopRounds[1].AddedTokens.Value).To(BeNil())
		Expect(c.LoopRounds[1].AddedTokens.Missing).To(Equal(int64(1)))
		twice := loopCase("a", rejudged(0.2, 0.3), passed(0.9))
		twice.LoopRounds[0].SecondJudgment.Tokens.UnreportedCalls = 1
		Expect(of(twice).Metrics["critic.second.tokens"].Value).To(BeNil())
	})

	It("S5: count an attempt as missing that a failed critic left without a score", func() {
		condition := of(loopCase("a", refused(0.2), refused(0.4), passedUnreviewed()),
			loopCase("b", good(passedUnreviewed())), loopCase("c", bad(passedUnreviewed())))
		Expect(condition.Metrics["critic.oscillation_rate"].Missing).To(Equal(int64(3)))
		Expect(condition.Metrics["critic.false_reject"].Missing).To(Equal(int64(1)))
		Expect(condition.Metrics["critic.false_accept"].Missing).To(Equal(int64(1)))
		Expect(condition.Metrics["critic.false_accept"].Value).To(BeNil())
		Expect(condition.LoopRounds[0].Score.Missing).To(Equal(int64(2)))
		Expect(condition.LoopRounds[0].RawGain.Missing).To(BeZero(), "a first round has none to miss")
		Expect(condition.LoopRounds[2].Score.Missing).To(Equal(int64(1)))
		Expect(condition.LoopRounds[2].RawGain.Missing).To(Equal(int64(1)))
	})

	It("S5: compare the critic's verdict with the label of each attempt", func() {
		m := of(eightTurns()...).Metrics
		expectRatio(m["critic.false_accept"], 1, 5, 1)
		expectRatio(m["critic.false_reject"], 1, 3, 1)
		Expect(m["critic.false_accept"].Cases).To(Equal(int64(4)))
		lo, hi := wilson(1, 5) // two bad attempts of case c have the same verdict
		Expect(*m["critic.false_accept"].Lo).To(BeNumerically("<", lo))
		Expect(*m["critic.false_accept"].Hi).To(BeNumerically(">", hi))
	})

	It("15.20: compare the shares of good first attempts and good delivered attempts, paired by case", func() {
		m := of(eightTurns()...).Metrics
		expectShare(m["critic.first_attempt_good"], 2, 6, 0) // cases g and h have no label
		expectShare(m["critic.delivered_good"], 3, 6, 0)     // an attempt that a failed critic passes is also delivered
		gain := m["critic.good_gain"]
		Expect([]int64{gain.N, gain.Cases, gain.Missing}).To(Equal([]int64{6, 0, 0}))
		Expect(*gain.Value).To(BeNumerically("~", 1.0/6, 1e-12), "b and f become good, c becomes bad")
		half := 1.959964 * math.Sqrt(((3.0+2)/8-1.0/64)/8) // by the formula of Bonett & Price
		Expect([]float64{*gain.Lo, *gain.Hi}).
			To(HaveExactElements(BeNumerically("~", 0.125-half, 1e-6), BeNumerically("~", 0.125+half, 1e-6)))

		var thrice []eval.Result
		for _, r := range eightTurns() {
			thrice = append(thrice, r, r, r)
		}
		same := epochsOf(3, thrice...).Metrics["critic.good_gain"]
		Expect([]int64{same.N, same.Cases}).To(Equal([]int64{18, 6}))
		Expect([]float64{*same.Value, *same.Lo, *same.Hi}).To(HaveExactElements(
			BeNumerically("~", *gain.Value, 1e-12), BeNumerically("~", *gain.Lo, 1e-12),
			BeNumerically("~", *gain.Hi, 1e-12)))
	})

	It("15.20: lack the gain without labels; turns that were cut off or show another image are missing",
		func() {
			Expect(of(loopCase("a", refused(0.2), passed(0.9))).Metrics).NotTo(HaveKey("critic.good_gain"))
			other := loopCase("c", bad(refused(0.3)), good(passed(0.9)))
			for i := range other.LoopRounds {
				other.LoopRounds[i].CriticInput = eval.CriticInputOtherImage
			}
			lost := row("d")
			lost.Error = &eval.Error{Kind: eval.ProviderError}
			m := of(loopCase("a", good(passed(0.9))), loopCase("b", bad(refused(0.3))), other, lost).Metrics
			expectShare(m["critic.first_attempt_good"], 1, 2, 2)
			expectShare(m["critic.delivered_good"], 1, 1, 3)
			Expect([]int64{m["critic.good_gain"].N, m["critic.good_gain"].Missing}).To(Equal([]int64{1, 3}))
			Expect(*m["critic.good_gain"].Value).To(BeZero())
		})

	It("S5: contain the result and the cost of each round", func() {
		l := of(eightTurns()...).LoopRounds
		Expect(l).To(HaveLen(4))
		for i, want := range []struct{ reached, passed, judged, exhausted int }{
			{reached: 8, passed: 2, judged: 7, exhausted: 0},
			{reached: 4, passed: 1, judged: 3, exhausted: 0},
			{reached: 2, passed: 0, judged: 2, exhausted: 1},
			{reached: 1, passed: 1, judged: 1, exhausted: 0},
		} {
			Expect(l[i].Round).To(Equal(i + 1))
			Expect(l[i].ReachedTurns).To(Equal(int64(want.reached)))
			expectShare(l[i].Passed, want.passed, want.judged, want.reached-want.judged)
			Expect(l[i].Exhausted).To(Equal(int64(want.exhausted)))
			Expect(*l[i].AddedCalls.Value).To(Equal(float64(i + 1)))
			Expect(*l[i].AddedTokens.Value).To(Equal(float64(10*(i+1) + 1)))
			Expect(l[i].AddedMillis.N).To(Equal(int64(want.reached)))
		}
		Expect(*l[0].AddedMillis.Value).To(Equal(125.0)) // seven rounds of 100 ms, one of 300 ms
		Expect(*l[1].AddedMillis.Value).To(Equal(200.0))
		expectMean(l[0].Score, scores, 2.447, 0.9, 0.4, 0.5, 0.75, 0.2, 0.3, 0.2)
		expectMean(l[1].Score, scores, 4.303, 0.8, 0.3, 0.3)
		expectMean(l[2].Score, scores, 12.706, 0.6, 0.5)
		expectMean(l[3].Score, scores, 0, 0.8)
		Expect(l[0].RawGain.Value).To(BeNil())
		Expect(l[0].RawGain.N).To(BeZero())
		expectMean(l[1].RawGain, gains, 4.303, 0.4, -0.2, 0.1)
		expectMean(l[2].RawGain, gains, 12.706, 0.3, 0.2)
		expectMean(l[3].RawGain, gains, 0, 0.3)
	})

	DescribeTable("count a turn as oscillating only if its scores rise and fall",
		func(oscillates bool, scores ...float64) {
			var rounds []eval.LoopRound
			for _, s := range scores {
				rounds = append(rounds, refused(s))
			}
			rounds[len(rounds)-1].Exhausted = true
			e := of(loopCase("a", rounds...)).Metrics["critic.oscillation_rate"]
			Expect(e.N).To(Equal(int64(1)))
			Expect(*e.Value == 1).To(Equal(oscillates))
		},
		Entry("up, then down", true, 0.2, 0.5, 0.3), Entry("down, then up", true, 0.5, 0.2, 0.3),
		Entry("up, level, then down", true, 0.2, 0.5, 0.5, 0.3), Entry("only up", false, 0.2, 0.3, 0.5),
		Entry("only down", false, 0.5, 0.3, 0.2), Entry("level", false, 0.5, 0.5, 0.5),
		Entry("up, then level", false, 0.3, 0.5, 0.5),
	)

	It("count each turn of a case, with the turns of a case as a cluster", func() {
		r := loopCase("a", refused(0.2), passed(0.8))
		second := loopCase("a", passed(0.9)).LoopRounds
		second[0].Turn = 3
		r.LoopRounds = append(r.LoopRounds, second...)
		c := of(r)
		loops := c.Metrics["critic.loops_mean"]
		Expect(*loops.Value).To(Equal(1.5))
		Expect(loops.Lo).To(BeNil(), "one case tells nothing of others")
		Expect(loops.N).To(Equal(int64(2)))
		Expect(loops.Cases).To(Equal(int64(1)))
		Expect(c.LoopRounds[0].ReachedTurns).To(Equal(int64(2)))
	})

	It("count the rounds of a trial that failed later, but its turn is missing", func() {
		r := loopCase("a", bad(refused(0.2)))
		r.Error = &eval.Error{Kind: eval.TimeoutError}
		c := of(r)
		Expect(c.Metrics["critic.pass_rate"].Missing).To(Equal(int64(1)))
		Expect(c.Metrics["critic.pass_rate"].Value).To(BeNil())
		expectShare(c.Metrics["critic.false_accept"], 0, 1, 0)
		Expect(c.LoopRounds).To(HaveLen(1))
	})

	It("are present without a value if every call of the critic failed", func() {
		c := of(loopCase("a", passedUnreviewed()), loopCase("b", passedUnreviewed()))
		for _, name := range []string{"pass_rate", "exhausted_rate", "oscillation_rate", "false_accept", "false_reject",
			"loops_mean", "gain_per_loop"} {
			Expect(c.Metrics).To(HaveKey("critic." + name))
			Expect(c.Metrics["critic."+name].Value).To(BeNil(), name)
		}
		Expect(*c.Metrics["critic.pass_rate"].WorstCase).To(Equal(0.0))
		Expect(c.LoopRounds[0].ReachedTurns).To(Equal(int64(2)))
		Expect(c.LoopRounds[0].Passed.Missing).To(Equal(int64(2)))
		Expect(*c.LoopRounds[0].AddedMillis.Value).To(Equal(100.0))
	})

	It("are absent without a critic", func() {
		c := of(row("a"))
		Expect(c.LoopRounds).To(BeNil())
		Expect(c.Metrics).NotTo(Or(HaveKey("critic.pass_rate"), HaveKey("critic.loops_mean")))
	})

	It("treat the turns and epochs of a case as one cluster in their intervals", func() {
		var results []eval.Result
		for _, r := range eightTurns() {
			results = append(results, r, r, r)
		}
		same := func(thrice, once eval.Estimate, what string) {
			GinkgoHelper()
			Expect(thrice.N).To(Equal(3*once.N), what)
			Expect(thrice.Missing).To(Equal(3*once.Missing), what)
			Expect(thrice.Lo == nil).To(Equal(once.Lo == nil), what)
			if once.Value != nil {
				Expect(thrice.Cases).To(Equal(once.N), what)
				Expect(*thrice.Value).To(BeNumerically("~", *once.Value, 1e-12), what)
			}
			if once.Lo != nil {
				Expect(*thrice.Lo).To(BeNumerically("~", *once.Lo, 1e-12), what)
				Expect(*thrice.Hi).To(BeNumerically("~", *once.Hi, 1e-12), what)
			}
		}
		once, thrice := epochsOf(1, eightTurns()...), epochsOf(3, results...)
		for _, name := range []string{"pass_rate", "exhausted_rate", "oscillation_rate", "loops_mean", "gain_per_loop",
			"raw_gain_per_loop"} {
			same(thrice.Metrics["critic."+name], once.Metrics["critic."+name], name)
		}
		for i := range once.LoopRounds {
			same(thrice.LoopRounds[i].Passed, once.LoopRounds[i].Passed, "passed")
			same(thrice.LoopRounds[i].Score, once.LoopRounds[i].Score, "score")
			same(thrice.LoopRounds[i].RawGain, once.LoopRounds[i].RawGain, "gain")
		}
	})
})
