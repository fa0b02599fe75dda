package reports_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/tune"
	"evalctl/reports"
	"evalctl/reports/document"
)

// tunedVariant returns a tuned variant with 200 cases. Its model is right as often as its
// confidence states, and its fallback is right in every second case.
func tunedVariant(currentThreshold float64, several bool) reports.TunedVariant {
	GinkgoHelper()
	t, err := tune.New(tune.Config{CurrentThreshold: &currentThreshold, Seed: 1})
	Expect(err).NotTo(HaveOccurred())
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		r := eval.Result{Case: fmt.Sprintf("c%03d", i), Variant: "llm-first", Fault: eval.NoFault, Epoch: 1,
			Calls: 1, Cost: new(0.0004)}
		score := eval.Score{Name: eval.RouteScore, Turn: 1, Expected: eval.OneOf{"chat"}, Actual: "chat"}
		c := float64(20+random.IntN(80)) / 100
		o := agent.ModelDecision{Label: "image_gen", Confidence: &c, DecisionIfRejected: "image_gen"}
		if random.Float64() < c {
			o.Label = "chat"
		}
		if random.IntN(2) == 0 {
			o.DecisionIfRejected = "chat"
		}
		if score.Actual = o.Label; c < currentThreshold {
			score.Actual = o.DecisionIfRejected
		}
		score.Verdict = eval.PassIf(score.Actual == "chat")
		r.Turns = []eval.TurnSummary{{Answered: true, ModelDecision: &o}}
		if several {
			first := score
			score.Turns = []eval.TurnScore{{Turn: 1, Expected: first.Expected, Actual: first.Actual,
				Verdict: first.Verdict}, {Turn: 2, Expected: first.Expected, Actual: "chat", Verdict: eval.Pass}}
			r.Turns = append(r.Turns, eval.TurnSummary{Answered: true})
		}
		r.Scores = []eval.Score{score}
		Expect(t.Add(r)).To(Succeed())
	}
	found, err := t.Finish()
	Expect(err).NotTo(HaveOccurred())
	return reports.TunedVariant{Suite: "toolrouter", Dataset: "toolrouter", Split: "dev", Variant: "llm-first",
		Fault: eval.NoFault, Tuning: found,
		NextCommands: [][]string{{"evalctl", "run", "toolrouter", "--split", "dev", "--threshold", "0.5"}}}
}

func tuned(format reports.Format, width int, list ...reports.TunedVariant) string {
	GinkgoHelper()
	var out strings.Builder
	Expect(reports.TuningReport{Setting: "threshold", Variants: list,
		Options: document.Options{Width: width}}.Write(&out, format)).To(Succeed())
	return out.String()
}

var _ = Describe("the report of a threshold selection (evalctl tune)", func() {
	It("31: marks a partial run in CSV", func() {
		var out strings.Builder
		Expect(reports.TuningReport{Setting: "threshold", Partial: true}.Write(&out, reports.CSV)).To(Succeed())
		Expect(strings.Count(out.String(), "\nPARTIAL,")).To(Equal(2))
	})

	It("fits a screen even with all warnings", func() {
		one := tunedVariant(0.8, true)
		one.Split, one.WithoutConfidence, one.UnscoredTrials = "test", 7, 3
		one.NextCommands = [][]string{{"evalctl", "run", "toolrouter", "--split", "dev", "--router", "llm-first",
			"--out", "runs/1-dev"},
			{"evalctl", "tune", "runs/1-dev", "--setting", "threshold"}}
		one.Notes = []string{"These are the test cases: tune on train and dev, and report test."}
		text := tuned(reports.Table, 80, one)
		Expect(strings.Count(text, "\n")).To(BeNumerically("<=", 24), text)
		text = strings.Join(strings.Fields(text), " ")
		Expect(text).To(And(ContainSubstring("! These are the test cases"),
			ContainSubstring("> evalctl run toolrouter --split dev --router llm-first --out runs/1-dev > evalctl tune runs/1-dev --setting threshold"), ContainSubstring("7 of 200 model answers have no confidence"), ContainSubstring("Later turns are not recomputed.")))
	})

	It("counts the turns that do not match the current threshold", func() {
		one := tunedVariant(0.8, false)
		one.InconsistentTurns = 2
		Expect(tuned(reports.Table, 120, one)).
			To(ContainSubstring("! 2 of 202 turns do not follow threshold 0.8 and are left unchanged.\n"))
	})

	It("recommends the current threshold if it is the best", func() {
		one := tunedVariant(0.5, false)
		one.Best = one.Current
		Expect(tuned(reports.Table, 100, one)).
			To(ContainSubstring("= Keep threshold at 0.5: no other value has more correct decisions.\n"))
		one.CurrentConfigured = false
		Expect(tuned(reports.Table, 100, one)).To(ContainSubstring("at 0.5 (estimated from the run)"))
	})

	It("lists all ranges of thresholds that are not significantly worse, and marks the limits of the range around the best threshold",
		func() {
			one := tunedVariant(0.8, false)
			one.NotSignificantlyWorse = []tune.Range{{Lo: 0.1, Hi: 0.2}, {Lo: 0.5, Hi: 0.6}}
			text := tuned(reports.Table, 140, one)
			Expect(text).To(ContainSubstring(
				"· Thresholds not significantly worse than the best: 0.1 to 0.2, 0.5 to 0.6.\n"))
			Expect(text).To(And(MatchRegexp(`(?m)^ +0\.5  range start `), MatchRegexp(`(?m)^ +0\.6  range end`),
				Not(MatchRegexp(`(?m)^ +0\.1  range start`))))
			one.NotSignificantlyWorse = append(one.NotSignificantlyWorse, tune.Range{Lo: 0.7, Hi: 0.7},
				tune.Range{Lo: 0.8, Hi: 0.81}, tune.Range{Lo: 0.9, Hi: 0.93})
			Expect(tuned(reports.Table, 140, one)).
				To(ContainSubstring(": 0.1 to 0.2, 0.5 to 0.6, 0.7, 2 more ranges up to 0.93.\n"))
		})

	It("states that the current threshold can stay if it is not significantly worse than the best", func() {
		one := tunedVariant(0.8, false)
		one.NotSignificantlyWorse = []tune.Range{{Lo: 0.1, Hi: 0.85}}
		Expect(tuned(reports.Table, 140, one)).To(ContainSubstring("not significant, p = 0.078. 0.8 can stay.\n"))
		one.NotSignificantlyWorse[0].Hi = 0.7
		Expect(tuned(reports.Table, 140, one)).To(ContainSubstring("not significant, p = 0.078.\n"))
	})

	It("states from which confidence on all thresholds give the same result, and counts turns without a threshold",
		func() {
			one := tunedVariant(0.8, false)
			one.Best = one.Points[len(one.Points)-1]
			one.Turns += 2
			for _, above := range []float64{0.9, 0.8991234567} {
				one.Best.RangeLo = above
				Expect(tuned(reports.Table, 200, one)).
					To(And(ContainSubstring("~ threshold above 0.9 instead of 0.8: "),
						ContainSubstring(" of 202 labeled turns (2 without a threshold) (currently ")))
			}
		})

	It("can be rendered as CSV and JSON", func() {
		one := tunedVariant(0.8, false)
		csv := tuned(reports.CSV, 0, one)
		Expect(strings.Count(csv, "\r\n")).To(Equal(1 + len(one.Points)))
		var read struct {
			Tunings []reports.TunedVariant `json:"tunings"`
		}
		Expect(json.Unmarshal([]byte(tuned(reports.JSON, 0, one)), &read)).To(Succeed())
		one.NextCommands = nil
		Expect(read.Tunings).To(Equal([]reports.TunedVariant{one}))
	})

	It("escapes control characters in names", func() {
		one := tunedVariant(0.8, false)
		one.Variant, one.Suite = "a\x1b[31mb\nc", "=1+1"
		for _, f := range reports.TableFormats() {
			Expect(tuned(f, 80, one)).NotTo(ContainSubstring("\x1b"), string(f))
		}
		Expect(tuned(reports.CSV, 0, one)).To(ContainSubstring("'=1+1"))
	})
})
