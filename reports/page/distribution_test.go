package page_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/reports/page"
)

// suite returns a suite with two variants, a fault, and two expected labels.
func spreadSuite(epochs int) eval.SuiteSummary {
	of := &eval.Confusion{Labels: []string{"a", "b", "invalid"}, ExpectedLabels: 2}
	return eval.SuiteSummary{Name: "s", Epochs: epochs, Conditions: []eval.ConditionSummary{
		{Variant: "v", Fault: eval.NoFault, Confusion: of}, {Variant: "w", Confusion: of},
		{Variant: "v", Fault: "router:timeout", Confusion: of}}}
}

// row returns a trial of variant v without a fault, which is right or wrong.
func row(id string, epoch int, want string, right bool, turns ...eval.TurnSummary) eval.Result {
	return eval.Result{Suite: "s", Case: id, Variant: "v", Fault: eval.NoFault, Epoch: epoch,
		AnsweredBy: "x", Turns: turns,
		Scores: []eval.Score{{Name: eval.RouteScore, Turn: 1, Expected: eval.OneOf{want}, Verdict: eval.PassIf(right)}}}
}

func duration(ms float64) eval.TurnSummary {
	return eval.TurnSummary{Answered: true, Duration: eval.Millis(ms * float64(time.Millisecond))}
}

func counted(s eval.SuiteSummary, results ...eval.Result) *page.SuiteDistribution {
	all := page.NewCollector([]eval.SuiteSummary{s})
	for _, i := range rand.Perm(len(results)) {
		all.Add(results[i])
	}
	return all.Finish(s)
}

func thousand() (list []eval.Result) {
	for i := 1; i <= 1000; i++ {
		list = append(list, row(fmt.Sprint(i), 1, "a", true, duration(float64(i)*10)))
	}
	return list
}

var _ = Describe("The latency distribution of a variant", func() {
	It("has quantiles with an error of at most 1 %", func() {
		of := counted(spreadSuite(1), thousand()...).Variant("v").Latencies
		for q, want := range map[float64]float64{0.05: 500, 0.5: 5000, 0.95: 9500} {
			Expect(of.Quantile(q)).To(BeNumerically("~", want, want/100))
		}
		Expect((&page.LatencyHistogram{}).Quantile(0.5)).To(BeZero())
	})

	It("includes only answered turns, in the same way as the latency metrics", func() {
		errorReply, failed, gathered := duration(1), duration(1), duration(1)
		errorReply.ErrorReply, failed.Answered, gathered.IsDeferred = "X", false, true
		Expect(counted(spreadSuite(1), row("1", 1, "a", true, duration(5), errorReply, failed, gathered)).
			Variant("v").Latencies.N).
			To(BeEquivalentTo(1))
	})

	It("is also collected for each expected label; faults, unknown variants and unknown suites are ignored", func() {
		faulty, other, stranger := row("3", 1, "a", true, duration(1)), row("4", 1, "a", true, duration(1)),
			row("5", 1, "a", true, duration(1))
		faulty.Fault, other.Variant, stranger.Suite = "router:timeout", "z", "t"
		of := counted(spreadSuite(1), row("1", 1, "a", true, duration(10)),
			row("2", 1, "unheard of", true, duration(10)),
			faulty, other, stranger)
		Expect(of.Variant("v").Classes).To(HaveLen(1))
		Expect(of.Variant("v").Classes[0].Label).To(Equal("a"))
		Expect(of.Variant("v").Classes[0].Latencies.N).To(BeEquivalentTo(1))
		Expect(of.Variant("v").Latencies.N).To(BeEquivalentTo(2))
		Expect(of.Variant("z").Latencies.N).To(BeZero())
	})

	It("is not collected for each label if there are more labels than a confusion matrix can have, regardless of the order of results", func() {
		of := func(labels int) []page.Class {
			var rows []eval.Result
			for i := range labels {
				rows = append(rows, row(fmt.Sprint(i), 1, fmt.Sprint("l", i), true, duration(10)))
			}
			return counted(spreadSuite(1), append(rows, row("x", 1, "a", true, duration(10)))...).Variant("v").Classes
		}
		Expect(of(999)).To(HaveLen(1))
		Expect(of(1000)).To(BeEmpty())
	})

	It("has at most the requested number of bars, and their shares add up to 1", func() {
		of := counted(spreadSuite(1), thousand()...).Variant("v").Latencies
		scale := page.NewScale(72, &of)
		Expect(scale.Bars).To(And(BeNumerically("<=", 72), BeNumerically(">", 30)))
		Expect(scale.HasShorter).To(BeFalse())
		Expect(scale.BarStart(0)).To(And(BeNumerically("<=", 10), BeNumerically(">", 9)))
		Expect(scale.BarStart(scale.Bars)).To(BeNumerically(">=", 10_000))
		total := 0.0
		for _, share := range of.BarShares(scale) {
			total += share
		}
		Expect(total).To(BeNumerically("~", 1, 1e-9))
		Expect(page.NewScale(72, &page.LatencyHistogram{}).Bars).To(BeZero())
	})

	It("has one bar for short times if they are few and far from the others", func() {
		list := append(thousand()[300:], row("at once", 1, "a", true, duration(0)),
			row("nearly", 1, "a", true, duration(0.5)))
		of := counted(spreadSuite(1), list...).Variant("v").Latencies
		scale := page.NewScale(72, &of)
		Expect(scale.HasShorter).To(BeTrue())
		Expect(scale.BarStart(2)).To(BeNumerically("~", 3010, 31))
		shares := of.BarShares(scale)
		Expect(shares[0]).To(BeNumerically("~", 2.0/702, 1e-9))
		Expect(shares[1]).To(BeZero())
		Expect(scale.Bars).To(BeNumerically("<=", 72))
	})

	It("has one bar for all times of zero, even if there are many", func() {
		list := thousand()[300:]
		for i := range 2000 {
			list = append(list, row(fmt.Sprint("instant", i), 1, "a", true, duration(0)))
		}
		of := counted(spreadSuite(1), list...).Variant("v").Latencies
		scale := page.NewScale(72, &of)
		Expect(scale.HasShorter).To(BeTrue())
		Expect(scale.BarStart(2)).To(BeNumerically("~", 3010, 31))
		Expect(of.BarShares(scale)[0]).To(BeNumerically("~", 2000.0/2700, 1e-9))
		Expect(of.Quantile(0.5)).To(BeZero())
		only := counted(spreadSuite(1), list[700:]...).Variant("v").Latencies
		Expect(page.NewScale(72, &only).Bars).To(BeZero(), "of that alone")
	})

	It("has several bars for short times if they are far from the others but not few", func() {
		list := thousand()[800:]
		for i := range 100 {
			list = append(list, row(fmt.Sprint("quick", i), 1, "a", true, duration(1)))
		}
		of := counted(spreadSuite(1), list...).Variant("v").Latencies
		Expect(page.NewScale(72, &of).HasShorter).To(BeFalse())
	})
})

var _ = Describe("The counts of a Critic loop", func() {
	good, bad := true, false

	It("distinguish rejected, passed and exhausted attempts of each round, by label", func() {
		seen := func(l eval.LoopRound) eval.LoopRound {
			l.CriticInput, l.Reviewer = trace.CriticInputImage, "llm"
			return l
		}
		r := row("1", 1, "a", true)
		r.LoopRounds = []eval.LoopRound{
			seen(eval.LoopRound{Turn: 1, Round: 1, Acceptable: &bad}),
			seen(eval.LoopRound{Turn: 1, Round: 2, Passed: true, Acceptable: &good}),
			seen(eval.LoopRound{Turn: 2, Round: 1, Acceptable: &good}),
			seen(eval.LoopRound{Turn: 2, Round: 2, Exhausted: true, Acceptable: &bad}),
			seen(eval.LoopRound{Turn: 3, Round: 1, Passed: true, Acceptable: &bad}),
			seen(eval.LoopRound{Turn: 4, Round: 1, Passed: true}),
		}
		Expect(counted(spreadSuite(1), r).Variant("v").Loops).To(Equal([]page.LoopRound{
			{SentBack: page.Attempts{Good: 1, Bad: 1}, Passed: page.Attempts{Bad: 1, Unlabeled: 1}},
			{Passed: page.Attempts{Good: 1}, Exhausted: page.Attempts{Bad: 1}},
		}))
	})

	It("ignore the label of an attempt that the critic was not shown, or did not score", func() {
		r := row("1", 1, "a", true)
		r.LoopRounds = []eval.LoopRound{{Turn: 1, Round: 1, Passed: true, Acceptable: &good, Reviewer: "llm"},
			{Turn: 2, Round: 1, Passed: true, Acceptable: &bad, Reviewer: trace.NoReviewer,
				CriticInput: trace.CriticInputImage}}
		Expect(counted(spreadSuite(1), r).Variant("v").Loops).
			To(Equal([]page.LoopRound{{Passed: page.Attempts{Unlabeled: 2}, CriticFailed: 1}}))
	})

	It("have a maximum number of rounds", func() {
		r := row("1", 1, "a", true)
		for i := range 500 {
			r.LoopRounds = append(r.LoopRounds, eval.LoopRound{Turn: 1, Round: i + 1})
		}
		loops := counted(spreadSuite(1), r).Variant("v").Loops
		Expect(loops).To(HaveLen(12))
		Expect(loops[11].Total()).To(BeEquivalentTo(489))
	})
})

var _ = Describe("The paths of turns with several decisions", func() {
	by := func(names ...string) (steps []agent.Step) {
		for _, n := range names {
			steps = append(steps, agent.Step{Proposed: n, Executed: n, DecidedBy: "llm"})
		}
		return steps
	}
	episode := func(id string, v eval.Verdict, turn int, paths ...[]agent.Step) eval.Result {
		r := row(id, 1, "a", true)
		for _, p := range paths {
			r.Turns = append(r.Turns, eval.TurnSummary{Answered: true, Steps: p, HasDecisionSequence: true})
		}
		r.Scores = append(r.Scores,
			eval.Score{Name: page.PathScore, Verdict: v, Turn: turn, Expected: eval.OneOf{"x → y"}})
		return r
	}

	It("are counted by their steps and verdict, most frequent first", func() {
		of := counted(spreadSuite(1), episode("1", eval.Pass, 1, by("x", "y")),
			episode("2", eval.Fail, 1, by("x", "z")),
			episode("3", eval.Fail, 1, by("x", "z")),
			episode("4", eval.Fail, 1, by("z", "y")), episode("5", eval.Unscored, 1, by("z"))).Variant("v").Paths
		Expect([]int64{of.Episodes, of.Right, of.Wrong}).To(Equal([]int64{5, 1, 3}))
		wrong, all, over := of.MostFrequent(1, eval.Fail)
		Expect(wrong).To(Equal([]page.Path{{Steps: []page.PathStep{{Executed: "x"}, {Executed: "z"}},
			Verdict: eval.Fail, Expected: "x → y", N: 2, Cases: []string{"2", "3"}}}))
		Expect(all).To(Equal(2))
		Expect(over).To(BeFalse())
	})

	It("are right before the first wrong one of a case, and unscored after it", func() {
		of := counted(spreadSuite(1), episode("1", eval.Fail, 2, by("a", "b"), by("x", "z"),
			by("c", "d"))).Variant("v").Paths
		Expect([]int64{of.Episodes, of.Right, of.Wrong}).To(Equal([]int64{3, 1, 1}))
	})

	It("contain what was executed and what was proposed; a turn with a single decision has no path", func() {
		steps := []agent.Step{{Proposed: "x", Executed: "y", DecidedBy: "rule"},
			{Proposed: "END", Executed: "", DecidedBy: "limit"}, {Proposed: "z", Executed: "z", DecidedBy: "llm"}}
		single := row("2", 1, "a", true, eval.TurnSummary{Answered: true, Steps: by("x")})
		of := counted(spreadSuite(1), episode("1", eval.Pass, 1, steps), single).Variant("v").Paths
		right, _, _ := of.MostFrequent(5, eval.Pass)
		Expect(right[0].Steps).To(
			Equal([]page.PathStep{{Executed: "y", Proposed: "x"}, {Proposed: "END"}, {Executed: "z"}}))
		Expect(of.Episodes).To(Equal(int64(1)))
	})

	It("are limited in length and number: if there are too many, none is reported, regardless of the order of results",
		func() {
			long := make([]string, 100)
			of := counted(spreadSuite(1), episode("1", eval.Pass, 1, by(append(long, "end")...))).Variant("v").Paths
			right, _, _ := of.MostFrequent(1, eval.Pass)
			Expect(right[0].Steps).To(HaveLen(60))
			Expect(right[0].OmittedSteps).To(Equal(41))
			var list []eval.Result
			for i := range 10_001 {
				list = append(list, episode(fmt.Sprint(i), eval.Pass, 1, by(fmt.Sprint("n", i))))
			}
			many := counted(spreadSuite(1), list...).Variant("v").Paths
			found, all, over := many.MostFrequent(5, eval.Pass)
			Expect(found).To(BeEmpty())
			Expect(all).To(BeZero())
			Expect(over).To(BeTrue())
			Expect(many.Right).To(BeEquivalentTo(10_001))
		})
})

var _ = Describe("The counts of epochs", func() {
	It("state how many cases are right in how many epochs, and how many have an unscored epoch", func() {
		var list []eval.Result
		for k, id := range []string{"never", "once", "twice", "always"} {
			for epoch := 1; epoch <= 3; epoch++ {
				list = append(list, row(id, epoch, "a", epoch <= k))
			}
		}
		lacking := row("lacking", 1, "a", true)
		unscored := row("lacking", 2, "a", true)
		unscored.Scores[0].Verdict = eval.Unscored
		of := counted(spreadSuite(3), append(list, lacking, unscored, row("lacking", 3, "a", true))...)
		Expect(of.Variant("v").Epochs).
			To(Equal(page.EpochCounts{Epochs: 3, CasesByRightEpochs: []int64{1, 1, 1, 1}, UnscoredCases: 1}))
		Expect(of.Variant("v").Epochs.Cases()).To(BeEquivalentTo(4))
		Expect(of.Variant("w").Epochs.Cases()).To(BeZero())
	})

	It("are empty for a run with one epoch", func() {
		Expect(counted(spreadSuite(1), row("1", 1, "a", true)).Variant("v").Epochs).To(Equal(page.EpochCounts{}))
	})
})
