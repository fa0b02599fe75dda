package tune_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/tune"
)

func TestTune(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Tune")
}

// decision returns a decision of the model and the one that replaces it below the threshold. The
// label "right" is correct.
func decision(label string, confidence float64, otherwise string) agent.ModelDecision {
	return agent.ModelDecision{Label: label, Confidence: &confidence, DecisionIfRejected: otherwise}
}

// resultOf returns the result of a trial that expects the label "right". said contains the model
// decisions of its turns; threshold is the threshold of the run.
func resultOf(id string, epoch int, threshold float64, said ...agent.ModelDecision) eval.Result {
	r := eval.Result{Case: id, Variant: "v", Fault: eval.NoFault, Epoch: epoch, Calls: 1}
	score := eval.Score{Name: eval.RouteScore, Verdict: eval.Pass}
	for i, o := range said {
		got := o.Label
		if o.DecisionIfAccepted != "" {
			got = o.DecisionIfAccepted
		}
		if (o.Confidence == nil && threshold > 0 || o.Confidence != nil && *o.Confidence < threshold) &&
			o.DecisionIfRejected != "" {
			got = o.DecisionIfRejected
		}
		j := eval.TurnScore{Turn: i + 1, Expected: eval.OneOf{"right"}, Actual: got,
			Verdict: eval.PassIf(got == "right")}
		if j.Verdict == eval.Fail {
			score.Verdict = eval.Fail
		}
		score.Turn, score.Actual, score.Expected = j.Turn, j.Actual, j.Expected
		score.Turns = append(score.Turns, j)
		r.Turns = append(r.Turns, eval.TurnSummary{Answered: true, ModelDecision: &o})
	}
	if len(said) == 1 {
		score.Turns = nil
	}
	r.Scores = []eval.Score{score}
	return r
}

// tuned returns the tuning of these results.
func tuned(rows []eval.Result, cfg tune.Config) (tune.Tuning, error) {
	t, err := tune.New(cfg)
	if err != nil {
		return tune.Tuning{}, err
	}
	for _, r := range rows {
		if err := t.Add(r); err != nil {
			return tune.Tuning{}, err
		}
	}
	return t.Finish()
}

func at(present float64) tune.Config { return tune.Config{CurrentThreshold: &present, Seed: 1} }

// tuningOf returns the tuning of these results with the current threshold present. It fails the
// test on an error.
func tuningOf(present float64, rows ...eval.Result) tune.Tuning {
	GinkgoHelper()
	got, err := tuned(rows, at(present))
	Expect(err).NotTo(HaveOccurred())
	return got
}

// points returns the threshold, the right trials and the rejected turns of each Point.
func points(t tune.Tuning) (list [][3]float64) {
	for _, p := range t.Points {
		list = append(list, [3]float64{p.Threshold, float64(p.Correct), float64(p.FallbackTurns)})
	}
	return list
}

var _ = Describe("The tuning of a threshold", func() {
	It("returns exact results for every threshold, with one point for each change of a decision", func() {
		rows := []eval.Result{
			resultOf("a", 1, 0.5, decision("wrong", 0.2, "right")),
			resultOf("b", 1, 0.5, decision("wrong", 0.4, "right")),
			resultOf("c", 1, 0.5, decision("right", 0.4, "wrong")),
			resultOf("d", 1, 0.5, decision("right", 0.7, "wrong")),
			resultOf("e", 1, 0.5, decision("right", 0.9, "right")),
		}
		got := tuningOf(0.5, rows...)
		Expect(points(got)).To(Equal([][3]float64{{0, 3, 0}, {0.3, 4, 1}, {0.5, 4, 3}, {0.8, 3, 4}, {1, 3, 5}}))
		Expect(got.Best.Threshold).To(Equal(0.5), "as good as any, and the present one")
		Expect(*got.CurrentAccuracy.Value).To(Equal(0.8))
		Expect(got.GainState).To(Or(Equal(eval.Identical), Equal(eval.NotSignificant)))
	})

	It("treats a confidence equal to the threshold as accepted, so a confidence of 1 is never rejected", func() {
		got := tuningOf(0.7, resultOf("a", 1, 0.7, decision("right", 0.7, "wrong")),
			resultOf("b", 1, 0.7, decision("right", 1, "wrong")))
		Expect(points(got)).To(Equal([][3]float64{{0.7, 2, 0}, {0.8, 1, 1}}))
		Expect(got.Current.Correct).To(Equal(int64(2)))
	})

	It("counts a label above the threshold as the route that the agent takes for it, and leaves turns without a model call unchanged",
		func() {
			closed := decision("image", 0.6, "wrong")
			closed.DecisionIfAccepted = "right"
			silent := resultOf("b", 1, 0, agent.ModelDecision{Label: "right"})
			silent.Turns[0].ModelDecision = nil
			free := resultOf("c", 1, 0.5, agent.ModelDecision{Label: "right", Confidence: new(0.1)})
			got := tuningOf(0.5, resultOf("a", 1, 0.5, closed), silent, free)
			Expect(points(got)).To(Equal([][3]float64{{0.5, 3, 0}, {1, 2, 1}}))
			Expect([]int64{got.Turns, got.ThresholdedTurns}).To(Equal([]int64{3, 1}))
		})

	It("treats a missing confidence as 0", func() {
		got := tuningOf(0, resultOf("a", 1, 0, agent.ModelDecision{Label: "wrong", DecisionIfRejected: "right"}),
			resultOf("b", 1, 0, decision("right", 0.5, "wrong")))
		Expect(points(got)).To(Equal([][3]float64{{0, 1, 0}, {0.2, 2, 1}, {1, 1, 2}}))
		Expect(got.WithoutConfidence).To(Equal(int64(1)))
	})

	It("counts a conversation as right if all its turns are right, and counts rejected turns separately", func() {
		got := tuningOf(0.1, resultOf("a", 1, 0.1, decision("right", 0.3, "wrong"), decision("wrong", 0.2, "right")),
			resultOf("b", 1, 0.1, decision("right", 0.9, "right")))
		Expect(points(got)).To(Equal([][3]float64{{0.1, 1, 0}, {0.25, 2, 1}, {0.6, 1, 2}, {1, 1, 3}}))
		Expect(got.MultiTurn).To(BeTrue())
		Expect(got.Best.Threshold).To(Equal(0.25))
	})

	It("excludes trials that are unscored in the run at every threshold", func() {
		lost := resultOf("a", 1, 0.5, decision("right", 0.3, "right"), decision("right", 0.9, "right"))
		lost.Scores[0].Verdict, lost.Scores[0].Turns[0].Verdict = eval.Unscored, eval.Unscored
		unlabeled := resultOf("c", 1, 0.5, decision("right", 0.7, "wrong"))
		unlabeled.Scores = nil
		got := tuningOf(0.5, lost, resultOf("b", 1, 0.5, decision("right", 0.9, "wrong")), unlabeled)
		Expect([]int64{got.Cases, got.Trials, got.UnscoredTrials, got.Turns}).To(Equal([]int64{1, 1, 1, 1}))
		Expect(got.HeldOutAccuracy.Value).To(BeNil(), "one case leaves none to hold out")
		Expect(got.GainState).To(Equal(eval.InsufficientData))
	})

	It("treats the epochs of a case as dependent", func() {
		var once, often []eval.Result
		for i := range 30 {
			o := decision("right", 0.3+float64(i%7)/10, "wrong")
			if i%3 == 0 {
				o = decision("wrong", 0.2+float64(i%5)/10, "right")
			}
			once = append(once, resultOf(fmt.Sprint(i), 1, 0.5, o))
			for epoch := range 5 {
				often = append(often, resultOf(fmt.Sprint(i), epoch+1, 0.5, o))
			}
		}
		a, b := tuningOf(0.5, once...), tuningOf(0.5, often...)
		Expect(b.Trials).To(Equal(5 * a.Trials))
		Expect(b.Best.Threshold).To(Equal(a.Best.Threshold))
		Expect(b.NotSignificantlyWorse).To(Equal(a.NotSignificantlyWorse))
		Expect(*b.HeldOutAccuracy.Lo).To(BeNumerically("~", *a.HeldOutAccuracy.Lo, 0.02),
			"epochs that agree know no more than one")
	})

	It("does not depend on the order of the results, but the folds depend on the seed", func() {
		rows := worlds()[0].simulateRun(rand.New(rand.NewPCG(1, 1)))
		first := tuningOf(0.3, rows...)
		slices.Reverse(rows)
		Expect(tuningOf(0.3, rows...)).To(Equal(first))
		other := at(0.3)
		other.Seed = 2
		again, err := tuned(rows, other)
		Expect(err).NotTo(HaveOccurred())
		Expect(again.HeldOutAccuracy).NotTo(Equal(first.HeldOutAccuracy))
		Expect(again.Points).To(Equal(first.Points))
	})

	It("keeps the current threshold if none is better, and otherwise returns the middle of the closest best range",
		func() {
			rows := []eval.Result{
				resultOf("a", 1, 0, decision("wrong", 0.2, "right")),
				resultOf("b", 1, 0, decision("right", 0.6, "wrong")),
				resultOf("c", 1, 0, decision("right", 0.4, "right")),
			}
			Expect(tuningOf(0, rows...).Best.Threshold).To(Equal(0.4), "of 0.2 to 0.6")
			moved := []eval.Result{resultOf("a", 1, 0.25, decision("wrong", 0.2, "right")),
				resultOf("b", 1, 0.25, decision("right", 0.6, "wrong")),
				resultOf("c", 1, 0.25, decision("right", 0.4, "right"))}
			Expect(tuningOf(0.25, moved...).Best.Threshold).To(Equal(0.25))
		})

	DescribeTable("returns a best threshold with few digits", func(a, b, want float64) {
		got := tuningOf(0, resultOf("a", 1, 0, decision("wrong", a, "right")),
			resultOf("b", 1, 0, decision("right", b, "wrong")))
		Expect(got.Best.Threshold).To(Equal(want))
		Expect(got.Best.Correct).To(Equal(int64(2)))
	},
		Entry(nil, 0.2, 0.9, 0.6), Entry(nil, 0.61, 0.64, 0.62), Entry(nil, 0.5, 0.51, 0.505),
		Entry(nil, 0.599, 0.602, 0.6),
		Entry("no number between two confidences: the higher confidence", 0.5, math.Nextafter(0.5, 1),
			math.Nextafter(0.5, 1)),
	)

	It("returns several ranges of thresholds that are not significantly worse, without the worse ones in between",
		func() {
			var rows []eval.Result
			add := func(n int, label string, confidence float64, otherwise string) {
				for range n {
					rows = append(rows, resultOf(fmt.Sprint(len(rows)), 1, 0, decision(label, confidence, otherwise)))
				}
			}
			add(40, "wrong", 0.2, "right")
			add(40, "right", 0.4, "wrong")
			add(40, "wrong", 0.6, "right")
			add(40, "right", 0.8, "wrong")
			got := tuningOf(0, rows...)
			Expect(points(got)).To(Equal([][3]float64{{0, 80, 0}, {0.3, 120, 40}, {0.5, 80, 80}, {0.7, 120, 120},
				{1, 80, 160}}))
			Expect(got.NotSignificantlyWorse).To(Equal([]tune.Range{{Lo: 0.3, Hi: 0.4}, {Lo: 0.7, Hi: 0.8}}))
		})

	It("returns ranges whose ends have few digits", func() {
		var rows []eval.Result
		for i := range 40 {
			rows = append(rows, resultOf(fmt.Sprint(i), 1, 0, decision("right", 0.20699946405460698, "wrong")))
		}
		Expect(tuningOf(0, rows...).NotSignificantlyWorse).To(Equal([]tune.Range{{Lo: 0, Hi: 0.206}}))
		for i := range rows {
			rows[i] = resultOf(fmt.Sprint(i), 1, 0, decision("wrong", 0.20690000000000003, "right"))
			rows = append(rows, resultOf(fmt.Sprint("b", i), 1, 0, decision("right", 0.20699946405460698, "wrong")))
		}
		Expect(tuningOf(0, rows...).NotSignificantlyWorse).To(Equal([]tune.Range{{Lo: 0.20695, Hi: 0.20699}}))
	})

	It("returns the threshold and the results of each cross-validation fold", func() {
		rows := worlds()[0].simulateRun(rand.New(rand.NewPCG(1, 1)))
		got := tuningOf(0.3, rows...)
		Expect(got.Folds).To(HaveLen(tune.DefaultFolds))
		var cases, trials, right int64
		for _, f := range got.Folds {
			Expect(f.Threshold).To(And(BeNumerically(">=", 0), BeNumerically("<=", 1)))
			Expect(f.Cases).To(BeNumerically("~", float64(got.Cases)/tune.DefaultFolds, 1), "dealt out evenly")
			cases, trials, right = cases+f.Cases, trials+f.Trials, right+f.Correct
		}
		Expect([]int64{cases, trials}).To(Equal([]int64{got.Cases, got.Trials}))
		Expect(float64(right) / float64(trials)).To(BeNumerically("~", *got.HeldOutAccuracy.Value, 1e-12))
	})

	It("derives the current threshold from the decisions if it is not configured", func() {
		got, err := tuned([]eval.Result{resultOf("a", 1, 0.5, decision("wrong", 0.31, "right")),
			resultOf("b", 1, 0.5, decision("right", 0.72, "wrong"))}, tune.Config{})
		Expect(err).NotTo(HaveOccurred())
		Expect(got.CurrentConfigured).To(BeFalse())
		Expect(got.Current.Threshold).To(Equal(0.5))
		Expect(got.Current.Correct).To(Equal(int64(2)))
		_, err = tuned([]eval.Result{resultOf("a", 1, 0.5, decision("wrong", 0.3, "right")),
			resultOf("b", 1, 0.1, decision("right", 0.2, "wrong"))}, tune.Config{})
		Expect(err).To(MatchError(
			ContainSubstring("the decisions are of no single threshold: a confidence of 0.2 was trusted, and one of 0.3 was not")))
	})

	It("treats a decision that contradicts the current threshold as the same at every threshold", func() {
		got := tuningOf(0.5, resultOf("a", 1, 0.9, decision("right", 0.8, "wrong")),
			resultOf("b", 1, 0.5, decision("right", 0.7, "wrong")))
		Expect([]int64{got.ThresholdedTurns, got.InconsistentTurns}).To(Equal([]int64{1, 1}))
		Expect(got.Current.Correct).To(Equal(int64(1)))
	})

	DescribeTable("fails only if more than three turns, and more than 1 % of them, contradict the current threshold",
		func(odd, all int, known bool, refused string) {
			var rows []eval.Result
			for i := range all {
				r := resultOf(fmt.Sprint(i), 1, 0.5, decision("right", float64(i)/float64(all), "wrong"))
				if i >= all-odd {
					r = resultOf(fmt.Sprint(i), 1, 0.5, decision("image", 0.9, "wrong"))
					r.Turns[0].ModelDecision.Label = "right" // as if the results had been edited
				}
				rows = append(rows, r)
			}
			cfg := tune.Config{}
			if known {
				cfg = at(0.5)
			}
			got, err := tuned(rows, cfg)
			if refused != "" {
				Expect(err).To(MatchError(refused + ": the settings or the results are not those of the run"))
				return
			}
			Expect(err).NotTo(HaveOccurred())
			Expect(got.InconsistentTurns).To(BeEquivalentTo(odd))
		},
		Entry("no contradicting turn: succeeds", 0, 100, true, ""),
		Entry("three contradicting turns of ten: succeeds", 3, 10, true, ""),
		Entry("1 % contradicting turns: succeeds", 10, 1000, true, ""),
		Entry(nil, 4, 100, true, "4 of 100 turns were not decided as threshold 0.5 would"),
		Entry(nil, 11, 1000, true, "11 of 1000 turns were not decided as threshold 0.5 would"),
		Entry("only contradicting turns: an error", 2, 2, true, "2 of 2 turns were not decided as threshold 0.5 would"),
		Entry("turns that no single threshold explains, with an unknown current threshold: an error", 4, 100, false,
			"4 of 100 turns were not decided as any threshold would"),
	)

	It("returns the cost of the run, and for a changed decision the average cost of trials with that decision", func() {
		priced := func(r eval.Result, usd float64, calls int64) eval.Result {
			r.Cost, r.Calls = &usd, calls
			return r
		}
		got := tuningOf(0.5,
			priced(resultOf("a", 1, 0.5, decision("right", 0.9, "image")), 0.001, 1),
			priced(resultOf("b", 1, 0.5, decision("right", 0.8, "right")), 0.003, 2),
			priced(resultOf("c", 1, 0.5, decision("image", 0.7, "image")), 0.1, 3))
		Expect(*got.Current.CostPerTrial).To(BeNumerically("~", 0.104/3, 1e-12))
		Expect(got.Current.EstimatedShare).To(BeZero())
		never := got.Points[len(got.Points)-1]
		Expect(never.FallbackTurns).To(Equal(int64(3)))
		Expect(*never.CostPerTrial).To(BeNumerically("~", 0.203/3, 1e-12))
		Expect(*never.CallsPerTrial).To(BeNumerically("~", 8.0/3, 1e-3))
		Expect(never.EstimatedShare).To(BeNumerically("~", 1.0/3, 1e-12),
			"the one that decides as it did costs what it did")
		unknown := tuningOf(0.5, priced(resultOf("a", 1, 0.5, decision("right", 0.9, "search")), 0.001, 1),
			resultOf("b", 1, 0.5, decision("right", 0.8, "right")))
		Expect(unknown.Current.CostPerTrial).To(BeNil(), "one has no price")
		Expect(*unknown.Current.CallsPerTrial).To(Equal(1.0))
		Expect(unknown.Points[len(unknown.Points)-1].CallsPerTrial).To(BeNil(), "nothing was decided so")
	})

	It("returns no negative cost for a conversation whose decision no other trial made", func() {
		priced := func(r eval.Result, usd float64, calls int64) eval.Result {
			r.Cost, r.Calls = &usd, calls
			return r
		}
		got := tuningOf(0.5,
			priced(resultOf("a", 1, 0.5, decision("right", 0.9, "right")), 0.1, 10),
			priced(resultOf("b", 1, 0.5, decision("image", 0.9, "image")), 0.002, 1),
			priced(resultOf("c", 1, 0.5, decision("right", 0.8, "image"), decision("right", 0.95, "right")), 0.01, 2))
		p := got.Points[1]
		Expect([]float64{p.RangeLo, p.EstimatedShare}).To(HaveExactElements(0.8, BeNumerically("~", 1.0/3, 1e-12)))
		Expect(*p.CostPerTrial).To(BeNumerically("~", 0.102/3, 1e-12), "0.01 − 0.098 of c is none")
		Expect(*p.CallsPerTrial).To(BeNumerically("~", 11.0/3, 1e-12))
	})

	It("returns a limited number of points, including the best and the current one", func() {
		var rows []eval.Result
		for i := range 12_000 {
			rows = append(rows, resultOf(fmt.Sprint(i), 1, 0.123, decision("right", float64(i)/12_000, "wrong")))
		}
		got := tuningOf(0.123, rows...)
		Expect(got.Downsampled).To(BeTrue())
		Expect(len(got.Points)).To(And(BeNumerically(">", 9000), BeNumerically("<=", tune.MaxPoints)))
		Expect(got.Points).To(ContainElements(got.Best, got.Current))
		Expect(got.Points[0].FallbackTurns).To(BeZero())
		Expect(got.Points[len(got.Points)-1].FallbackTurns).To(Equal(int64(12_000)))
	})

	DescribeTable("fails for results or a configuration that determine no threshold",
		func(cfg tune.Config, why string, rows ...eval.Result) {
			_, err := tuned(rows, cfg)
			Expect(err).To(MatchError(ContainSubstring(why)))
		},
		Entry("no results", at(0.5), "no labeled turn was scored"),
		Entry("results of an old version without model decisions", at(0.5), "turns.model_decision", func() eval.Result {
			r := resultOf("a", 1, 0, agent.ModelDecision{Label: "right"})
			r.Turns[0].ModelDecision = nil
			return r
		}()),
		Entry("results to which no threshold applies", at(0.5), "turns.model_decision.if_rejected",
			resultOf("a", 1, 0, agent.ModelDecision{Label: "right"})),
		Entry("a confidence that is not a number", at(0.5),
			`case "a", epoch 1: turn 1: a confidence of NaN is not in 0..1`,
			resultOf("a", 1, 0, decision("right", math.NaN(), "wrong"))),
		Entry("a confidence above 1", at(0.5), "a confidence of 95 is not in 0..1",
			resultOf("a", 1, 0, decision("right", 95, "wrong"))),
		Entry("a current threshold above 1", at(1.1), "tune.Config.CurrentThreshold: 1.1 is not in 0..1"),
		Entry("a current threshold that is not a number", at(math.NaN()),
			"tune.Config.CurrentThreshold: NaN is not in 0..1"),
		Entry("a single fold", tune.Config{Folds: 1}, "tune.Config.Folds: 1"),
	)
})
