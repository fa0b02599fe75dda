package tune_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/tune"
)

// goalOf returns a configuration with an objective, and the out-of-scope label oos.
func goalOf(objective string) tune.Config {
	o, err := tune.ParseObjective(objective)
	if err != nil {
		panic(err)
	}
	cfg := at(0)
	cfg.Objective, cfg.OOSLabel = o, "oos"
	return cfg
}

// goal returns the same with a prior.
func goal(objective string, prior float64) tune.Config {
	cfg := goalOf(objective)
	cfg.OOSPrior = prior
	return cfg
}

// answered returns the result of a case that expects want and got label with a confidence, from an
// agent without a threshold.
func answered(id, want, label string, confidence float64) eval.Result {
	score := eval.Score{Name: eval.RouteScore, Turn: 1, Expected: eval.OneOf{want}, Actual: label,
		Verdict: eval.PassIf(want == label)}
	return eval.Result{
		Case: id, Variant: "v", Fault: eval.NoFault, Epoch: 1, Scores: []eval.Score{score},
		Turns: []eval.TurnSummary{{Answered: true,
			ModelDecision: &agent.ModelDecision{Label: label, Confidence: &confidence}}},
	}
}

// mixed returns n cases with a share of out-of-scope cases, which have lower confidences. Nine of
// ten answers in scope are right.
func mixed(n int, oos float64, random *rand.Rand) (rows []eval.Result) {
	for i := range n {
		id, c := fmt.Sprintf("c%04d", i), random.Float64()
		switch {
		case random.Float64() < oos:
			rows = append(rows, answered(id, "oos", "a", c*0.8))
		case random.Float64() < 0.9:
			rows = append(rows, answered(id, "a", "a", 0.3+c*0.7))
		default:
			rows = append(rows, answered(id, "b", "a", 0.1+c*0.6))
		}
	}
	return rows
}

// ratesAt returns OOS recall, in-scope accuracy and OOS false rejection of rows at a threshold.
func ratesAt(rows []eval.Result, threshold float64) (recall, inScope, rejected float64) {
	var n, k [2]float64
	var wrongly float64
	for _, r := range rows {
		score, o := r.Scores[0], r.Turns[0].ModelDecision
		got, class := o.Label, 0
		if *o.Confidence < threshold {
			got = "oos"
		}
		if score.Expected.Has("oos") {
			class = 1
		}
		n[class]++
		if score.Expected.Has(got) {
			k[class]++
		} else if got == "oos" {
			wrongly++
		}
	}
	return k[1] / n[1], k[0] / n[0], wrongly / n[0]
}

var _ = Describe("The objective of a tuning", func() {
	rows := mixed(400, 0.1, rand.New(rand.NewPCG(3, 4)))

	DescribeTable("30.4: is the value at every threshold, and the best threshold has the highest",
		func(objective string, prior float64, value func(recall, inScope, rejected float64) float64) {
			got, err := tuned(rows, goal(objective, prior))
			Expect(err).NotTo(HaveOccurred())
			Expect(got.AgentLacksThreshold).To(BeTrue())
			for _, p := range got.Points {
				want := value(ratesAt(rows, p.Threshold))
				Expect(*p.ObjectiveValue).To(BeNumerically("~", want, 1e-9), "at %v", p.Threshold)
				Expect(want).To(BeNumerically("<=", *got.Best.ObjectiveValue+1e-9))
				recall, inScope, _ := ratesAt(rows, p.Threshold)
				Expect(*p.OOSRecall.Value).To(BeNumerically("~", recall, 1e-9))
				Expect(*p.InScopeAccuracy.Value).To(BeNumerically("~", inScope, 1e-9))
				Expect([]int64{p.OOSRecall.N, p.InScopeAccuracy.N}).To(Equal([]int64{got.OOSTurns, got.InScopeTurns}))
			}
			Expect(*got.HeldOutObjective.Value).To(BeNumerically("<=", *got.Best.ObjectiveValue+0.03))
			Expect(*got.HeldOutObjective.Lo).To(BeNumerically("<", *got.HeldOutObjective.Value))
			Expect(*got.HeldOutObjective.Hi).To(BeNumerically(">=", *got.HeldOutObjective.Value))
		},
		Entry(nil, "balanced_accuracy", 0.0, func(r, in, _ float64) float64 { return (r + in) / 2 }),
		Entry(nil, "accuracy", 0.4, func(r, in, _ float64) float64 { return 0.4*r + 0.6*in }),
		Entry(nil, "oos.recall", 0.0, func(r, _, _ float64) float64 { return r }),
		Entry(nil, "oos.f1", 0.3, func(r, _, f float64) float64 { return 2 * 0.3 * r / (0.3*r + 0.7*f + 0.3) }),
	)

	It("30.4: OOS F1 without a prior is 2·TP/(2·TP + FP + FN) of the data", func() {
		got, err := tuned(rows, goal("OOS F1", 0))
		Expect(err).NotTo(HaveOccurred())
		oos, inside := float64(got.OOSTurns), float64(got.InScopeTurns)
		for _, p := range got.Points {
			r, _, f := ratesAt(rows, p.Threshold)
			Expect(*p.ObjectiveValue).To(BeNumerically("~", 2*r*oos/(r*oos+f*inside+oos), 1e-9))
		}
	})

	It("30.4: a prior equal to the share in the data changes nothing, and a higher one raises the threshold", func() {
		plain, err := tuned(rows, goal("accuracy", 0))
		Expect(err).NotTo(HaveOccurred())
		same, err := tuned(rows, goal("accuracy", float64(plain.OOSTurns)/float64(plain.Turns)))
		Expect(err).NotTo(HaveOccurred())
		Expect(same.Best.Threshold).To(Equal(plain.Best.Threshold))
		more, err := tuned(rows, goal("accuracy", 0.5))
		Expect(err).NotTo(HaveOccurred())
		Expect(more.Best.Threshold).To(BeNumerically(">", plain.Best.Threshold))
		Expect(more.Best.Accuracy).To(BeNumerically("<=", plain.Best.Accuracy))
	})

	It("30.4: a limit excludes thresholds, in the choice and in the ranges, and is estimated on held-out cases",
		func() {
			got, err := tuned(rows, goal("oos.recall at in_scope_accuracy >= 80%", 0))
			Expect(err).NotTo(HaveOccurred())
			for _, p := range got.Points {
				recall, inScope, _ := ratesAt(rows, p.Threshold)
				Expect(*p.LimitedValue).To(BeNumerically("~", inScope, 1e-9))
				if inScope >= 0.8 {
					Expect(recall).To(BeNumerically("<=", *got.Best.ObjectiveValue+1e-9))
				}
			}
			Expect(*got.Best.LimitedValue).To(BeNumerically(">=", 0.8))
			for _, r := range got.NotSignificantlyWorse {
				_, inScope, _ := ratesAt(rows, r.Hi)
				Expect(inScope).To(BeNumerically(">=", 0.8))
			}
			Expect(*got.HeldOutLimited.Value).To(BeNumerically("~", 0.8, 0.05))
			Expect(got.HeldOutLimited.N).To(Equal(got.InScopeTurns))
		})

	It("30.4: balanced accuracy without an out-of-scope label is the mean recall of the labels", func() {
		cfg := goal("balanced accuracy", 0)
		cfg.OOSLabel = ""
		list := []eval.Result{
			resultOf("a", 1, 0, decision("right", 0.6, "wrong")),
			resultOf("b", 1, 0, decision("right", 0.7, "wrong")),
			resultOf("c", 1, 0, decision("wrong", 0.3, "right")),
		}
		list[2].Scores[0].Expected = eval.OneOf{"wrong"}
		list[2].Scores[0].Verdict = eval.Pass
		got, err := tuned(list, cfg)
		Expect(err).NotTo(HaveOccurred())
		Expect(*got.Points[0].ObjectiveValue).To(Equal(1.0))
		Expect(*got.Points[1].ObjectiveValue).To(BeNumerically("~", 0.5, 1e-12), "one label of two is lost")
	})

	It("30.4: a cost is minimized, and a threshold outside a limit on accuracy is no choice", func() {
		var list []eval.Result
		for i := range 40 {
			o := decision("right", 0.5, "right")
			if i%2 == 0 {
				o = decision("cheap", 0.8, "right")
			}
			r := resultOf(fmt.Sprint(i), 1, 0, o)
			r.Cost = new(0.001)
			if i%2 == 0 {
				r.Cost = new(0.0001)
			}
			list = append(list, r)
		}
		got, err := tuned(list, goalOf("cost"))
		Expect(err).NotTo(HaveOccurred())
		Expect(*got.Best.ObjectiveValue).To(BeNumerically("~", 0.55, 1e-9), "US dollars per 1,000 trials")
		got, err = tuned(list, goalOf("cost at accuracy >= 0.9"))
		Expect(err).NotTo(HaveOccurred())
		Expect(got.Best.Threshold).To(Equal(1.0))
		Expect(*got.Best.ObjectiveValue).To(BeNumerically("~", 1, 1e-9))
		Expect(*got.HeldOutGain.Value).To(BeNumerically("~", 0.45, 1e-9))
	})

	DescribeTable("30.4: is refused if the results cannot give it",
		func(cfg tune.Config, why string, list []eval.Result) {
			_, err := tuned(list, cfg)
			Expect(err).To(MatchError(ContainSubstring(why)))
			Expect(tune.IsThresholdUnsupported(err)).To(BeTrue())
		},
		Entry("a limit that no threshold keeps", goalOf("oos.f1 at in_scope_accuracy >= 99%"),
			"no threshold has oos.in_scope_accuracy >= 99%: the highest is ", rows),
		Entry("no out-of-scope case", goalOf("oos.recall"), `no scored turn expects only "oos"`,
			[]eval.Result{answered("a", "a", "a", 0.5)}),
		Entry("only out-of-scope cases", goalOf("oos.recall"), "every scored turn accepts",
			[]eval.Result{answered("a", "oos", "a", 0.5)}),
		Entry("no out-of-scope label", tune.Config{Objective: goalOf("oos.f1").Objective},
			"requires an out-of-scope label", []eval.Result{resultOf("a", 1, 0, decision("right", 0.5, "wrong"))}),
		Entry("a prior without effect", goal("oos.recall", 0.2),
			"the prior has no effect", rows),
		Entry("no price", goalOf("cost"), "the cost is unknown",
			[]eval.Result{resultOf("a", 1, 0, decision("right", 0.5, "wrong"))}),
		Entry("a cost that no threshold changes", goalOf("cost"), "the cost does not depend on the threshold", rows),
		Entry("no confidence", goalOf("accuracy"), "no answer reports a confidence", func() []eval.Result {
			r := answered("a", "a", "a", 0)
			r.Turns[0].ModelDecision.Confidence = nil
			return []eval.Result{r}
		}()),
	)

	DescribeTable("30.4: is parsed", func(text, want string) {
		o, err := tune.ParseObjective(text)
		Expect(err).NotTo(HaveOccurred())
		Expect(o.String()).To(Equal(want))
	},
		Entry(nil, "accuracy", "accuracy"), Entry(nil, "OOS F1", "oos.f1"),
		Entry(nil, "balanced-accuracy", "balanced_accuracy"),
		Entry(nil, "balanced", "balanced_accuracy"), Entry(nil, "oos-f1", "oos.f1"), Entry(nil, "recall", "oos.recall"),
		Entry(nil, "oos.recall at in_scope_accuracy >= 0.9", "oos.recall at oos.in_scope_accuracy >= 0.9"),
		Entry(nil, "oos.recall at in-scope accuracy>=90%", "oos.recall at oos.in_scope_accuracy >= 90%"),
		Entry(nil, "accuracy at cost <= 1.5", "accuracy at cost <= 1.5"),
	)

	DescribeTable("30.4: is refused with what to write instead", func(text, why string) {
		_, err := tune.ParseObjective(text)
		Expect(err).To(MatchError(ContainSubstring(why)))
	},
		Entry(nil, "", "requires a measure: accuracy, "),
		Entry(nil, "acuracy", `unknown measure "acuracy", did you mean "accuracy"?`),
		Entry(nil, "oos.accuracy", `unknown measure "oos.accuracy"`),
		Entry(nil, "oos.recal at accuracy >= 0.9", `did you mean "oos.recall"?`),
		Entry(nil, "oos.recall at in_scope >= 0.9", `unknown measure "in_scope"`),
		Entry(nil, "oos.recall >= 0.9", "write MEASURE at MEASURE >= LIMIT"),
		Entry(nil, "oos.recall at", "the limit after \"at\" is incomplete"),
		Entry(nil, "oos.recall at accuracy", "the limit after \"at\" is incomplete"),
		Entry(nil, "oos.recall at accuracy <= 0.9",
			"a limit on accuracy requires >=, because higher values are better"),
		Entry(nil, "oos.recall at accuracy > 0.9", "requires >="),
		Entry(nil, "oos.recall at cost >= 1", "a limit on cost requires <=, because lower values are better"),
		Entry(nil, "oos.recall at accuracy >= 90", "did you mean 90%?"),
		Entry(nil, "oos.recall at accuracy >= x", "is no share such as 0.9 or 90%"),
		Entry(nil, "oos.recall at accuracy >= 0.9 and cost <= 1", "is no share such as"),
		Entry(nil, "oos.recall at recall >= 0.9", "is both the measure and its limit"),
		Entry(nil, "accuracy at cost <= -1", "limit \"-1\" of cost: is negative"),
		Entry(nil, strings.Repeat("x", 201), "has 201 bytes; at most 200 are allowed"),
	)

	DescribeTable("30.4: a prior is a label and a share", func(text, label string, share float64, why string) {
		l, s, err := tune.ParsePrior(text)
		if why != "" {
			Expect(err).To(MatchError(ContainSubstring(why)))
			return
		}
		Expect(err).NotTo(HaveOccurred())
		Expect([]any{l, s}).To(Equal([]any{label, share}))
	},
		Entry(nil, "oos=18%", "oos", 0.18, ""), Entry(nil, "None=0.18", "None", 0.18, ""),
		Entry(nil, "18%", "", 0.0, "has no label: write LABEL=SHARE"),
		Entry(nil, "oos=18", "", 0.0, "did you mean oos=18%?"),
		Entry(nil, "oos=0", "", 0.0, "leaves only one class"), Entry(nil, "oos=100%", "", 0.0, "leaves only one class"),
		Entry(nil, "oos=many", "", 0.0, "is no share"),
	)

	It("30.4: in simulated runs, held-out intervals contain the true values", Label("long"), func() {
		if os.Getenv("EVALCTL_LONG") == "" {
			Skip("make long runs it")
		}
		for _, objective := range []string{"balanced_accuracy", "oos.f1", "oos.recall at in_scope_accuracy >= 75%"} {
			truth := mixed(50_000, 0.1, rand.New(rand.NewPCG(9, 9)))
			random := rand.New(rand.NewPCG(5, 6))
			const runs = 60
			covered := 0
			for range runs {
				got, err := tuned(mixed(300, 0.1, random), goalOf(objective))
				Expect(err).NotTo(HaveOccurred())
				r, in, f := ratesAt(truth, got.Best.Threshold)
				v := map[string]float64{"balanced_accuracy": (r + in) / 2,
					"oos.f1": 2 * 0.1 * r / (0.1*r + 0.9*f + 0.1)}
				want, ok := v[objective]
				if !ok {
					want = r
				}
				if *got.HeldOutObjective.Lo <= want && want <= *got.HeldOutObjective.Hi {
					covered++
				}
			}
			GinkgoWriter.Println(objective, covered)
			Expect(covered).To(BeNumerically(">=", 53), objective) // 53 of 60 has p < 0.01 at 95 %
		}
	})
})
