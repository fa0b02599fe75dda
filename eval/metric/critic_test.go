package metric_test

import (
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// turn is a case of one turn: a Critic loop's rounds.
func turn(id string, rounds ...eval.Loop) eval.Result {
	r := row(id)
	for i, l := range rounds {
		l.Turn, l.Loop = 1, i+1
		if l.Reviewer == "" {
			l.Reviewer, l.CriticInput = "llm", trace.ShownImage
		}
		l.Added, l.Calls, l.Tokens = eval.Millis(100*(i+1))*ms, int64(i+1), eval.Tokens{In: 10 * int64(i+1), Out: 1}
		r.Loops = append(r.Loops, l)
	}
	return r
}

func passed(score float64) eval.Loop  { return eval.Loop{Score: score, Passed: true} }
func refused(score float64) eval.Loop { return eval.Loop{Score: score} }

// over is a refusal that may not go round once more.
func over(score float64) eval.Loop { return eval.Loop{Score: score, Exhausted: true} }

// waved is let through by a critic that failed.
func waved() eval.Loop { return eval.Loop{Passed: true, Reviewer: "none"} }

func good(l eval.Loop) eval.Loop { l.Acceptable = new(true); return l }
func bad(l eval.Loop) eval.Loop  { l.Acceptable = new(false); return l }

// again is a refusal that was judged once more.
func again(first, second float64) eval.Loop {
	l := refused(first)
	l.SecondJudgment = &eval.SecondJudgment{Score: &second, Calls: 1, Tokens: eval.Tokens{In: 20, Out: 3}, Cost: new(0.25)}
	return l
}

// eight turns of all sorts.
func eight() []eval.Result {
	slow := turn("a", good(passed(0.9)))
	slow.Loops[0].Added = 300 * ms
	return []eval.Result{
		slow,
		turn("b", bad(refused(0.4)), good(passed(0.8))),
		turn("c", good(refused(0.5)), bad(refused(0.3)), bad(over(0.6))), // a good one refused; falls and rises
		turn("d", bad(passed(0.75))),                                     // a bad one accepted
		turn("e", bad(waved())),
		turn("f", bad(refused(0.2)), good(waved())),
		turn("g", refused(0.3)), // cut off by something else
		turn("h", refused(0.2), refused(0.3), refused(0.5), passed(0.8)),
	}
}

var _ = Describe("the figures of a Critic loop", func() {
	// of what is on no scale, of scores, of gains
	free, scores, gains := [2]float64{math.Inf(-1), math.Inf(1)}, [2]float64{0, 1}, [2]float64{-1, 1}
	// expectMean wants a mean with Student's interval, t from a table, as far as the scale
	// goes.
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

	It("S5: say how turns end; who was waved through or cut off is missing", func() {
		m := of(eight()...).Metrics
		expectShare(m["critic.pass_rate"], 4, 5, 3)
		expectShare(m["critic.exhausted_rate"], 1, 5, 3)
		expectShare(m["critic.oscillation_rate"], 1, 2, 3)
		expectMean(m["critic.loops_mean"], free, 2.776, 1, 2, 3, 1, 4)
		Expect(m["critic.loops_mean"].Missing).To(Equal(int64(3)))
	})

	It("S5: say what the second attempt gains, raw, and between which bounds the true gain lies", func() {
		c := of(eight()...)
		raw := c.Metrics["critic.raw_gain_per_loop"]
		expectMean(raw, gains, 4.303, 0.4, -0.2, 0.1)
		Expect(raw.Missing).To(Equal(int64(3)), "e, f and g might have gained")
		// The first scores are 0.9, 0.4, 0.5, 0.75, 0.2, 0.3 and 0.2; those of b, c and h went round.
		Expect(c.Loops[1].GainLowerBound).To(HaveValue(BeNumerically("~", 0.1-(3.25/7-1.1/3), 1e-9)))
		Expect(c.Loops[0].GainLowerBound).To(BeNil())
		net := c.Metrics["critic.gain_per_loop"]
		Expect(net.Value).To(BeNil(), "nobody judged twice")
		Expect(net.N).To(BeZero())
		Expect(net.Missing).To(Equal(int64(6)))
		Expect(c.Metrics).NotTo(HaveKey(HavePrefix("critic.second.")))
	})

	It("S5: say what the second attempt gains over a second judgement of the first", func() {
		failed := again(0.3, 0)
		failed.SecondJudgment.Score = nil
		c := of(turn("a", again(0.4, 0.6), passed(0.8)), turn("b", again(0.5, 0.4), refused(0.3), over(0.9)),
			turn("c", failed, passed(0.9)), turn("d", refused(0.2), passed(0.9)), turn("e", passed(0.9)), turn("f", again(0.2, 0.3), waved()))
		net := c.Metrics["critic.gain_per_loop"]
		expectMean(net, gains, 12.706, 0.2, -0.1)
		Expect(net.Missing).To(Equal(int64(3)), "c, d and f")
		Expect(c.Loops[1].Gain).To(HaveValue(Equal(net)))
		Expect(c.Loops[0].Gain).To(BeNil())
		Expect(*c.Metrics["critic.raw_gain_per_loop"].Value).To(BeNumerically("~", (0.4-0.2+0.6+0.7)/4, 1e-9))

		calls := c.Metrics["critic.second.calls"]
		Expect(*calls.Value).To(Equal(4.0))
		Expect(calls.N).To(Equal(int64(4)))
		Expect(calls.Missing).To(Equal(int64(1)), "one failed")
		Expect(*c.Metrics["critic.second.tokens"].Value).To(Equal(92.0))
		Expect(*c.Metrics["critic.second.cost"].Value).To(Equal(1.0))
		Expect(*c.Loops[0].AddedCalls.Value).To(Equal(1.0), "those of the turn alone")
	})

	It("S5: are missing where the critic failed nearly everywhere", func() {
		rows := []eval.Result{turn("good", good(refused(0.3)), good(passed(0.9)))}
		for i := range 465 {
			rows = append(rows, turn(fmt.Sprint("dead ", i), good(waved())))
		}
		m := of(rows...).Metrics
		for _, name := range []string{"pass_rate", "exhausted_rate", "oscillation_rate", "loops_mean", "raw_gain_per_loop", "false_reject"} {
			Expect(m["critic."+name].Missing).To(Equal(int64(465)), name)
		}
		Expect(m["critic.gain_per_loop"].Missing).To(Equal(int64(466)))
	})

	It("S5: miss the trials that had no result before the critic was asked", func() {
		rows := []eval.Result{turn("a", good(refused(0.3)), good(passed(0.9))), turn("b", good(passed(0.9)))}
		for i := range 3 {
			r := row(fmt.Sprint("lost ", i))
			r.Error = &eval.Error{Kind: eval.ProviderError}
			rows = append(rows, r)
		}
		m := of(rows...).Metrics
		for _, name := range []string{"pass_rate", "exhausted_rate", "oscillation_rate", "loops_mean", "raw_gain_per_loop", "false_reject"} {
			Expect(m["critic."+name].Missing).To(Equal(int64(3)), name)
		}
		Expect(m["critic.false_accept"].Missing).To(BeZero(), "no attempt is labelled bad")
	})

	DescribeTable("S5: hold no critic against the label of a picture that it was not shown", func(shown trace.CriticInput) {
		a, b := good(refused(0.3)), bad(passed(0.9))
		a.Reviewer, b.Reviewer, a.CriticInput, b.CriticInput = "llm", "llm", shown, shown
		c := of(turn("a", a, b), turn("b", b))
		for name, n := range map[string]int64{"critic.false_reject": 1, "critic.false_accept": 2} {
			e := c.Metrics[name]
			Expect(e.Value).To(BeNil(), name)
			Expect(e.N).To(BeZero(), name)
			Expect(e.Missing).To(Equal(n), name)
		}
		Expect(c.Loops[0].LabelNotShown).To(Equal(int64(2)))
		Expect(c.Loops[1].LabelNotShown).To(Equal(int64(1)))
		Expect(c.Metrics["critic.pass_rate"].N).To(Equal(int64(2)), "the label has no part in that")
	},
		Entry("the plan", trace.ShownPlan), Entry("the words", trace.ShownPrompt), Entry("another picture", eval.ShownOther), Entry("nobody knows what", trace.CriticInput("")),
	)

	It("S5: add no tokens that were not counted", func() {
		uncounted := turn("a", refused(0.2), passed(0.9))
		uncounted.Loops[1].Tokens.UnreportedCalls = 1
		c := of(uncounted, turn("b", passed(0.8)))
		Expect(*c.Loops[0].AddedTokens.Value).To(Equal(11.0))
		Expect(c.Loops[1].AddedTokens.Value).To(BeNil())
		Expect(c.Loops[1].AddedTokens.Missing).To(Equal(int64(1)))
		twice := turn("a", again(0.2, 0.3), passed(0.9))
		twice.Loops[0].SecondJudgment.Tokens.UnreportedCalls = 1
		Expect(of(twice).Metrics["critic.second.tokens"].Value).To(BeNil())
	})

	It("S5: miss what a critic that failed left unjudged", func() {
		condition := of(turn("a", refused(0.2), refused(0.4), waved()), turn("b", good(waved())), turn("c", bad(waved())))
		Expect(condition.Metrics["critic.oscillation_rate"].Missing).To(Equal(int64(3)))
		Expect(condition.Metrics["critic.false_reject"].Missing).To(Equal(int64(1)))
		Expect(condition.Metrics["critic.false_accept"].Missing).To(Equal(int64(1)))
		Expect(condition.Metrics["critic.false_accept"].Value).To(BeNil())
		Expect(condition.Loops[0].Score.Missing).To(Equal(int64(2)))
		Expect(condition.Loops[0].RawGain.Missing).To(BeZero(), "a first round has none to miss")
		Expect(condition.Loops[2].Score.Missing).To(Equal(int64(1)))
		Expect(condition.Loops[2].RawGain.Missing).To(Equal(int64(1)))
	})

	It("S5: hold the critic against the labels, attempt by attempt", func() {
		m := of(eight()...).Metrics
		expectRatio(m["critic.false_accept"], 1, 5, 1)
		expectRatio(m["critic.false_reject"], 1, 3, 1)
		Expect(m["critic.false_accept"].Cases).To(Equal(int64(4)))
		lo, hi := wilson(1, 5) // two attempts of c are bad, and judged alike
		Expect(*m["critic.false_accept"].Lo).To(BeNumerically("<", lo))
		Expect(*m["critic.false_accept"].Hi).To(BeNumerically(">", hi))
	})

	It("15.20: compare the good first attempts with the good delivered ones, paired by case", func() {
		m := of(eight()...).Metrics
		expectShare(m["critic.first_attempt_good"], 2, 6, 0) // g and h have no label
		expectShare(m["critic.delivered_good"], 3, 6, 0)     // a pass of a critic that failed delivers, too
		gain := m["critic.good_gain"]
		Expect([]int64{gain.N, gain.Cases, gain.Missing}).To(Equal([]int64{6, 0, 0}))
		Expect(*gain.Value).To(BeNumerically("~", 1.0/6, 1e-12), "b and f become good, c becomes bad")
		half := 1.959964 * math.Sqrt(((3.0+2)/8-1.0/64)/8) // Bonett & Price
		Expect([]float64{*gain.Lo, *gain.Hi}).To(HaveExactElements(BeNumerically("~", 0.125-half, 1e-6), BeNumerically("~", 0.125+half, 1e-6)))

		var thrice []eval.Result
		for _, r := range eight() {
			thrice = append(thrice, r, r, r)
		}
		same := played(3, thrice...).Metrics["critic.good_gain"]
		Expect([]int64{same.N, same.Cases}).To(Equal([]int64{18, 6}))
		Expect([]float64{*same.Value, *same.Lo, *same.Hi}).To(HaveExactElements(
			BeNumerically("~", *gain.Value, 1e-12), BeNumerically("~", *gain.Lo, 1e-12), BeNumerically("~", *gain.Hi, 1e-12)))
	})

	It("15.20: have no good attempts without labels, and miss what was cut off or is not the labeled picture", func() {
		Expect(of(turn("a", refused(0.2), passed(0.9))).Metrics).NotTo(HaveKey("critic.good_gain"))
		other := turn("c", bad(refused(0.3)), good(passed(0.9)))
		for i := range other.Loops {
			other.Loops[i].CriticInput = eval.ShownOther
		}
		lost := row("d")
		lost.Error = &eval.Error{Kind: eval.ProviderError}
		m := of(turn("a", good(passed(0.9))), turn("b", bad(refused(0.3))), other, lost).Metrics
		expectShare(m["critic.first_attempt_good"], 1, 2, 2)
		expectShare(m["critic.delivered_good"], 1, 1, 3)
		Expect([]int64{m["critic.good_gain"].N, m["critic.good_gain"].Missing}).To(Equal([]int64{1, 3}))
		Expect(*m["critic.good_gain"].Value).To(BeZero())
	})

	It("S5: say what each round is worth and costs", func() {
		l := of(eight()...).Loops
		Expect(l).To(HaveLen(4))
		for i, want := range []struct{ reached, passed, judged, exhausted int }{
			{reached: 8, passed: 2, judged: 7, exhausted: 0},
			{reached: 4, passed: 1, judged: 3, exhausted: 0},
			{reached: 2, passed: 0, judged: 2, exhausted: 1},
			{reached: 1, passed: 1, judged: 1, exhausted: 0},
		} {
			Expect(l[i].Loop).To(Equal(i + 1))
			Expect(l[i].Reached).To(Equal(int64(want.reached)))
			expectShare(l[i].Passed, want.passed, want.judged, want.reached-want.judged)
			Expect(l[i].Exhausted).To(Equal(int64(want.exhausted)))
			Expect(*l[i].AddedCalls.Value).To(Equal(float64(i + 1)))
			Expect(*l[i].AddedTokens.Value).To(Equal(float64(10*(i+1) + 1)))
			Expect(l[i].AddedMillis.N).To(Equal(int64(want.reached)))
		}
		Expect(*l[0].AddedMillis.Value).To(Equal(125.0)) // seven of 100, one of 300
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

	DescribeTable("call it oscillating when scores rise and fall", func(oscillates bool, scores ...float64) {
		var rounds []eval.Loop
		for _, s := range scores {
			rounds = append(rounds, refused(s))
		}
		rounds[len(rounds)-1].Exhausted = true
		e := of(turn("a", rounds...)).Metrics["critic.oscillation_rate"]
		Expect(e.N).To(Equal(int64(1)))
		Expect(*e.Value == 1).To(Equal(oscillates))
	},
		Entry("up and down", true, 0.2, 0.5, 0.3), Entry("down and up", true, 0.5, 0.2, 0.3),
		Entry("up, level, down", true, 0.2, 0.5, 0.5, 0.3), Entry("up alone", false, 0.2, 0.3, 0.5),
		Entry("down alone", false, 0.5, 0.3, 0.2), Entry("level: the same attempt again", false, 0.5, 0.5, 0.5),
		Entry("up and level", false, 0.3, 0.5, 0.5),
	)

	It("take the turns of a case one by one, and as alike", func() {
		r := turn("a", refused(0.2), passed(0.8))
		second := turn("a", passed(0.9)).Loops
		second[0].Turn = 3
		r.Loops = append(r.Loops, second...)
		c := of(r)
		loops := c.Metrics["critic.loops_mean"]
		Expect(*loops.Value).To(Equal(1.5))
		Expect(loops.Lo).To(BeNil(), "one case tells nothing of others")
		Expect(loops.N).To(Equal(int64(2)))
		Expect(loops.Cases).To(Equal(int64(1)))
		Expect(c.Loops[0].Reached).To(Equal(int64(2)))
	})

	It("keep what a trial with an error had reached: the turn is missing, its judgements count", func() {
		r := turn("a", bad(refused(0.2)))
		r.Error = &eval.Error{Kind: eval.TimeoutError}
		c := of(r)
		Expect(c.Metrics["critic.pass_rate"].Missing).To(Equal(int64(1)))
		Expect(c.Metrics["critic.pass_rate"].Value).To(BeNil())
		expectShare(c.Metrics["critic.false_accept"], 0, 1, 0)
		Expect(c.Loops).To(HaveLen(1))
	})

	It("have no value where every critic failed, but are there", func() {
		c := of(turn("a", waved()), turn("b", waved()))
		for _, name := range []string{"pass_rate", "exhausted_rate", "oscillation_rate", "false_accept", "false_reject", "loops_mean", "gain_per_loop"} {
			Expect(c.Metrics).To(HaveKey("critic." + name))
			Expect(c.Metrics["critic."+name].Value).To(BeNil(), name)
		}
		Expect(*c.Metrics["critic.pass_rate"].WorstCase).To(Equal(0.0))
		Expect(c.Loops[0].Reached).To(Equal(int64(2)))
		Expect(c.Loops[0].Passed.Missing).To(Equal(int64(2)))
		Expect(*c.Loops[0].AddedMillis.Value).To(Equal(100.0))
	})

	It("are not there without a critic", func() {
		c := of(row("a"))
		Expect(c.Loops).To(BeNil())
		Expect(c.Metrics).NotTo(Or(HaveKey("critic.pass_rate"), HaveKey("critic.loops_mean")))
	})

	It("take the turns and the epochs of a case for one cluster in their intervals", func() {
		var results []eval.Result
		for _, r := range eight() {
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
		once, thrice := played(1, eight()...), played(3, results...)
		for _, name := range []string{"pass_rate", "exhausted_rate", "oscillation_rate", "loops_mean", "gain_per_loop", "raw_gain_per_loop"} {
			same(thrice.Metrics["critic."+name], once.Metrics["critic."+name], name)
		}
		for i := range once.Loops {
			same(thrice.Loops[i].Passed, once.Loops[i].Passed, "passed")
			same(thrice.Loops[i].Score, once.Loops[i].Score, "score")
			same(thrice.Loops[i].RawGain, once.Loops[i].RawGain, "gain")
		}
	})
})
