package gate_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/gate"
)

var _ = Describe("A gate rule that compares with a baseline run", func() {
	DescribeTable("15.16: gives the verdict of a reference calculation on a drop of the metric",
		func(lost, won, n int, margin string, verdict eval.GateDecision, bounds string) {
			v := flips(lost, won, n).check("drop(route.accuracy) <= " + margin)
			Expect(v.Verdict).To(Equal(verdict), v.Reason)
			Expect(v.Passed).To(Equal(verdict == eval.GatePassed))
			Expect(v.Reason).To(ContainSubstring(fmt.Sprintf("pp [%s] over %d cases in suite s, variant v, fault none",
				bounds, n)))
		},
		Entry("14 broken, 9 fixed, limit 1 pp: undecided", 14, 9, 466, "1pp", eval.GateUndecided, "−0.7, +2.9"),
		Entry("3 broken, 10 fixed, limit 1 pp: passed", 3, 10, 466, "1pp", eval.GatePassed, "−3.0, −0.2"),
		Entry("20 broken, 4 fixed, limit 1 pp: failed", 20, 4, 466, "1pp", eval.GateFailed, "+1.8, +5.3"),
		Entry("30 broken, 5 fixed, limit 0 pp: failed", 30, 5, 466, "0pp", eval.GateFailed, "+3.4, +7.6"),
		Entry("25 broken, 24 fixed, limit 2 pp: passed", 25, 24, 827, "2pp", eval.GatePassed, "−1.3, +1.6"),
		Entry("1 broken, 3 fixed, limit 2 pp: passed", 1, 3, 100, "2pp", eval.GatePassed, "−6.4, +1.9"),
		Entry("no difference in 298 cases, limit 1 pp: undecided", 0, 0, 298, "1pp", eval.GateUndecided, "−1.0, +1.0"),
		Entry("no difference in 299 cases, limit 1 pp: passed", 0, 0, 299, "1pp", eval.GatePassed, "−1.0, +1.0"),
		Entry("no difference in 148 cases, limit 2 pp: undecided", 0, 0, 148, "2pp", eval.GateUndecided, "−2.0, +2.0"),
		Entry("no difference in 149 cases, limit 2 pp: passed", 0, 0, 149, "2pp", eval.GatePassed, "−2.0, +2.0"),
		Entry("no difference in 58 cases, limit 5 pp: undecided", 0, 0, 58, "5pp", eval.GateUndecided, "−5.0, +5.0"),
		Entry("no difference in 59 cases, limit 5 pp: passed", 0, 0, 59, "5pp", eval.GatePassed, "−5.0, +5.0"),
		Entry("1 broken, none fixed, limit 1 pp: undecided", 1, 0, 383, "1pp", eval.GateUndecided, "−0.4, +1.2"),
	)

	It("15.16: never states that fewer than 299, 149 and 59 cases suffice for 1, 2 and 5 points", func() {
		for margin, least := range map[string]int64{"1pp": 299, "2pp": 149, "5pp": 59} {
			for _, n := range []int{10, 20, 50, 58} {
				v := flips(0, 0, n).check("drop(route.accuracy) <= " + margin)
				Expect(v.Verdict).To(Equal(eval.GateUndecided))
				Expect(v.CasesNeeded).To(BeNumerically(">=", least), "%s, %d cases: %s", margin, n, v.Reason)
			}
		}
		Expect(flips(0, 0, 30).check("drop(route.accuracy) <= 5pp").Reason).
			To(HaveSuffix("undecided: 30 cases cannot resolve 5 points (about 155 are needed; 59 if no case differs). They can decide `<= 10pp` or `new_failures <= 0`"))
	})

	It("15.16: decides on a drop with several epochs by its exact tail probability", func() {
		r := comparison{}
		for i := range 100 {
			for epoch := 1; epoch <= 5; epoch++ {
				r.before = append(r.before, decision(fmt.Sprint("c", i), epoch, i >= 5 || epoch > 1))
				r.now = append(r.now, decision(fmt.Sprint("c", i), epoch, true))
			}
		}
		v := r.check("drop(route.accuracy) <= 1pp")
		Expect(v.Verdict).To(Equal(eval.GateUndecided))
		Expect(v.Reason).To(HavePrefix("drop −1.0 pp [−3.3, +1.3] over 100 cases"))
		Expect(r.check("drop(route.accuracy) <= 2pp").Verdict).To(Equal(eval.GatePassed))
	})

	It("names the condition with the fewest cases if several are equally bad", func() {
		r, small := flips(0, 0, 100), flips(0, 0, 60)
		for _, rows := range [][]eval.Result{small.before, small.now} {
			for i := range rows {
				rows[i].Variant = "w"
			}
		}
		r.before, r.now = append(r.before, small.before...), append(r.now, small.now...)
		r.conditions = append(r.conditions, condition("s", "w", "", 1))
		for _, rule := range []string{"drop(route.accuracy) <= 5pp", "new_failures <= 0"} {
			Expect(r.check(rule).Reason).To(ContainSubstring("60 cases in suite s, variant w"), rule)
		}
	})

	It("states how many cases it needs, in its reason and as a number", func() {
		v := flips(14, 9, 466).check("drop(route.accuracy) <= 1pp")
		Expect(v.Reason).To(Equal("drop +1.1 pp [−0.7, +2.9] over 466 cases in suite s, variant v, fault none; " +
			"undecided: 466 cases cannot resolve 1 point (about 3,296 are needed). They can decide `<= 3pp`"))
		Expect(v.CasesNeeded).To(BeEquivalentTo(3296))
		Expect(v.TooFewCases).To(BeFalse())
	})

	It("states whether the cases are too few to detect three times the margin", func() {
		v := flips(1, 0, 40).check("drop(route.accuracy) <= 1pp")
		Expect(v.Verdict).To(Equal(eval.GateUndecided))
		Expect(v.TooFewCases).To(BeTrue())
		Expect(v.Reason).To(HaveSuffix(
			"undecided: 40 cases cannot resolve 1 point (about 4,382 are needed). They can decide `<= 12pp`"))
		v = flips(0, 0, 466).check("drop(route.accuracy) <= 0pp")
		Expect(v.TooFewCases).To(BeTrue())
		Expect(v.Reason).To(HaveSuffix(
			"no number of cases can prove that nothing at all is lost. These 466 cases can decide `<= 1pp` or `new_failures <= 0`"))
	})

	DescribeTable("28.7: suggests a limit that the same cases pass, and that an unchanged agent would pass again",
		func(lost, won, n int, rule string) {
			v := flips(lost, won, n).check(rule)
			Expect(v.Verdict).To(Equal(eval.GateUndecided), v.Reason)
			found := regexp.MustCompile("can decide `(<=? [0-9.]+pp)`").FindStringSubmatch(v.Reason)
			Expect(found).To(HaveLen(2), v.Reason)
			figure, _, _ := strings.Cut(rule, " <")
			wider := figure + " " + found[1]
			again := flips(lost, won, n).check(wider)
			Expect(again.Verdict).To(Equal(eval.GatePassed), "%s: %s", wider, again.Reason)
			random, passed := rand.New(rand.NewPCG(1, uint64(n))), 0
			const draws = 300
			for range draws {
				losses, wins := 0, 0
				for range n {
					switch r := random.Float64() * float64(n); {
					case r < float64(lost+won)/2:
						losses++
					case r < float64(lost+won):
						wins++
					}
				}
				if flips(losses, wins, n).check(wider).Verdict == eval.GatePassed {
					passed++
				}
			}
			Expect(float64(passed)/draws).To(BeNumerically(">", 0.75), wider)
		},
		Entry("no case of 40 differs", 0, 0, 40, "drop(route.accuracy) <= 1pp"),
		Entry("15.16: never states that fewer than 299, 149 and 59 cases suffice for a limit of 1, 2 and 5 points", 0,
			0, 20, "drop(route.accuracy) <= 1pp"),
		Entry("one case of 40 is broken", 1, 0, 40, "drop(route.accuracy) <= 1pp"),
		Entry("two cases are broken and two fixed", 2, 2, 40, "drop(route.accuracy) <= 2pp"),
		Entry("many cases are broken or fixed", 14, 9, 466, "drop(route.accuracy) <= 1pp"),
		Entry("a rule with a strict limit", 2, 3, 120, "drop(route.accuracy) < 1pp"),
		Entry("a noisy model that changes every fourth case", 8, 8, 60, "drop(route.accuracy) <= 1pp"),
		Entry("a limit of 0 points", 0, 0, 100, "drop(route.accuracy) <= 0pp"),
	)

	It("28.7: suggests no limit if no limit up to 50 points suffices, or if the rule requires an improvement", func() {
		Expect(flips(1, 0, 3).check("drop(route.accuracy) <= 1pp").Reason).NotTo(ContainSubstring("can decide"))
		Expect(flips(2, 8, 466).check("drop(route.accuracy) <= -2pp").Reason).NotTo(ContainSubstring("can decide"))
	})

	It("28.7: suggests the rule new_failures only if no case differs", func() {
		Expect(flips(0, 0, 40).check("drop(route.accuracy) <= 1pp").Reason).To(ContainSubstring("`new_failures <= 0`"))
		Expect(flips(0, 0, 40).check("new_failures <= 0").Passed).To(BeTrue())
		Expect(flips(1, 1, 40).check("drop(route.accuracy) <= 1pp").Reason).NotTo(ContainSubstring("new_failures"))
	})

	It("28.7: suggests a limit that all undecided conditions can decide", func() {
		easy, hard := flips(0, 0, 100), flips(2, 2, 40)
		for _, list := range []*[]eval.Result{&hard.now, &hard.before} {
			for i := range *list {
				(*list)[i].Variant = "w"
			}
		}
		both := comparison{before: append(easy.before, hard.before...), now: append(easy.now, hard.now...),
			conditions: append(easy.conditions, condition("s", "w", "", 1))}
		v := both.check("drop(route.accuracy) <= 1pp")
		found := regexp.MustCompile("can decide `(<= [0-9.]+pp)`").FindStringSubmatch(v.Reason)
		Expect(found).To(HaveLen(2), v.Reason)
		Expect(both.check("drop(route.accuracy) " + found[1]).Verdict).To(Equal(eval.GatePassed))
	})

	It("does not report too few cases for a required improvement that the cases could have detected", func() {
		v := flips(2, 8, 466).check("drop(route.accuracy) <= -2pp")
		Expect(v.Verdict).To(Equal(eval.GateUndecided))
		Expect(v.TooFewCases).To(BeFalse())
		Expect(v.Reason).To(HaveSuffix("undecided: the true change may be on either side of the limit"))
		Expect(flips(2, 40, 466).check("drop(route.accuracy) <= -2pp").Passed).To(BeTrue())
	})

	It("counts a case as a new failure if an epoch was correct and is wrong now, and names some of these cases",
		func() {
			r := comparison{}
			for i := range 7 {
				for epoch := 1; epoch <= 2; epoch++ {
					r.now = append(r.now, decision(fmt.Sprint("c", i), epoch, epoch == 2 && i > 0))
					r.before = append(r.before, decision(fmt.Sprint("c", i), epoch, i != 3))
					r.now[len(r.now)-1].Text = fmt.Sprint("text of c", i)
				}
			}
			v := r.check("new_failures <= 5")
			Expect(v).To(Equal(eval.GateVerdict{Rule: "new_failures <= 5", Verdict: eval.GateFailed,
				Reason:             "6 new failures of 7 cases: c0, c1, c2, c4, c5, … in suite s, variant v, fault none",
				SelectedConditions: 1, DecidingConditions: 1,
				Conditions: []eval.GateCondition{{Suite: "s", Variant: "v", Fault: "none", Value: "6 new failures of 7",
					NewFailureCount: 6,
					NewFailures: []eval.NewFailure{
						{Case: "c0", Text: "text of c0", Before: "a", After: "b"},
						{Case: "c1", Text: "text of c1", Before: "a", After: "b"},
						{Case: "c2", Text: "text of c2", Before: "a", After: "b"},
						{Case: "c4", Text: "text of c4", Before: "a", After: "b"},
					}}}}))
			Expect(r.check("new_failures <= 6").Passed).To(BeTrue())
			Expect(flips(0, 3, 9).check("new_failures <= 0").Reason).
				To(HavePrefix("0 new failures of 9 cases in suite s"))
		})

	It("lists every new failure once, in any order of results and with overlapping rules", func() {
		pairs := gate.NewBaselineComparison([]gate.Rule{mustParse("new_failures <= 0"),
			mustParse("new_failures{variant=v} <= 1"), mustParse("drop(route.accuracy) <= 1pp")})
		r := flips(7, 2, 12)
		for i := range r.now {
			pairs.AddResult(r.now[len(r.now)-1-i])
			pairs.AddBaseline(r.before[i])
		}
		at := gate.Condition{Suite: "s", Variant: "v", Fault: eval.NoFault}
		var want []gate.NewlyFailedCase
		for i := range 7 {
			want = append(want, gate.NewlyFailedCase{Condition: at, Case: fmt.Sprintf("c%05d", i)})
		}
		Expect(pairs.NewFailures()).To(Equal(want))
		var none *gate.BaselineComparison
		Expect(none.NewFailures()).To(BeEmpty())
	})

	DescribeTable("fails if trials cannot be compared, unless the rule allows enough missing data",
		func(change func(*comparison), reason string) {
			r := flips(0, 3, 400)
			change(&r)
			for _, rule := range []string{"drop(route.accuracy) <= 1pp", "new_failures <= 0"} {
				v := r.check(rule)
				Expect(v.Verdict).To(Equal(eval.GateFailed), rule)
				Expect(v.Reason).To(Equal(reason + " in suite s, variant v, fault none"))
				Expect(r.check(rule + " missing <= 1%").Passed).To(BeTrue())
				Expect(r.check(rule + " missing <= 0.1%").Reason).To(ContainSubstring(", more than 0.1 %"))
			}
		},
		Entry("cases that the baseline run does not have", func(r *comparison) { r.before = r.before[2:] },
			"0.5 % of 400 trials cannot be compared: 2 not in the baseline"),
		Entry("a case that only the baseline run has", func(r *comparison) { r.now = r.now[:399] },
			"0.2 % of 400 trials cannot be compared: 1 not in this run"),
		Entry("a trial that is unscored now", func(r *comparison) { r.now[5].Scores[0].Verdict = eval.Unscored },
			"0.2 % of 400 trials cannot be compared: 1 without the metric"),
		Entry("a trial that was unscored in the baseline run",
			func(r *comparison) { r.before[5].Scores[0].Verdict = eval.Unscored },
			"0.2 % of 400 trials cannot be compared: 1 without the metric"),
		Entry("a case whose message changed",
			func(r *comparison) { r.now[5].Text, r.before[5].Text = "draw a cat", "draw a dog" },
			"0.2 % of 400 trials cannot be compared: 1 text changed"),
		Entry("an epoch that the baseline run does not have",
			func(r *comparison) { r.now = append(r.now, decision("c00005", 2, true)) },
			"0.2 % of 401 trials cannot be compared: 1 not in the baseline"),
		Entry("an epoch that only the baseline run has",
			func(r *comparison) { r.before = append(r.before, decision("c00005", 2, true)) },
			"0.2 % of 401 trials cannot be compared: 1 not in this run"),
		Entry("a case whose label changed", func(r *comparison) { r.now[5].Scores[0].Expected = eval.OneOf{"b"} },
			"0.2 % of 400 trials cannot be compared: 1 label changed"),
		Entry("15.15: a case whose text changed outside the part in the result",
			func(r *comparison) { r.now[5].CaseHash = "eeeeeeee.bbbbbbbb.cccccccc" },
			"0.2 % of 400 trials cannot be compared: 1 text changed"),
		Entry("15.15: a case whose history changed",
			func(r *comparison) { r.now[5].CaseHash = "aaaaaaaa.eeeeeeee.cccccccc" },
			"0.2 % of 400 trials cannot be compared: 1 history or input changed"),
		Entry("15.15: a case whose labels changed outside the part in the result",
			func(r *comparison) { r.now[5].CaseHash = "aaaaaaaa.bbbbbbbb.eeeeeeee" },
			"0.2 % of 400 trials cannot be compared: 1 label changed"),
	)

	It("fails for a variant that the baseline run does not have, unless it selects another one", func() {
		r := flips(0, 0, 400)
		for _, before := range r.before {
			before.Variant = "w"
			r.now = append(r.now, before)
		}
		r.conditions = append(r.conditions, condition("s", "w", "", 1))
		Expect(r.check("drop(route.accuracy) <= 1pp").Reason).
			To(Equal("the baseline run has none of the trials in suite s, variant w, fault none; the worst of 2 conditions"))
		Expect(r.check("drop(route.accuracy{variant=v}) <= 1pp").Passed).To(BeTrue())
		r.before = nil
		Expect(r.check("drop(route.accuracy{variant=v}) <= 1pp missing <= 50%").Passed).To(BeFalse())
	})

	It("with common_cases, leaves out and lists trials that only one run has and cases that changed", func() {
		r := flips(0, 3, 400)
		r.before, r.now = r.before[1:], r.now[:399]
		r.now[5].Text, r.before[4].Text = "draw a cat", "draw a dog"
		r.now[6].Scores[0].Expected = eval.OneOf{"b"}
		for _, rule := range []string{"drop(route.accuracy) <= 2pp", "new_failures <= 0"} {
			Expect(r.check(rule).Verdict).To(Equal(eval.GateFailed))
			v := r.check(rule + " common_cases")
			Expect(v.Verdict).To(Equal(eval.GatePassed), v.Reason)
			Expect(v.Reason).To(And(ContainSubstring("396 cases in suite s"),
				HaveSuffix("; left out: 1 not in the baseline, 1 not in this run, 1 text changed, 1 label changed")))
		}
		r = flips(60, 0, 400)
		r.now = r.now[:399]
		Expect(r.check("drop(route.accuracy) <= 2pp common_cases").Verdict).To(Equal(eval.GateFailed))
		r.now[100].Scores[0].Verdict = eval.Unscored
		Expect(r.check("drop(route.accuracy) <= 2pp common_cases").Reason).
			To(HavePrefix("0.3 % of 399 trials cannot be compared: 1 without the metric"))
	})

	It("with common_cases, is undecided if the runs have no or few cases in common", func() {
		r := flips(0, 0, 400)
		renamed := r
		renamed.now = slices.Clone(r.now)
		for i := range renamed.now {
			renamed.now[i].Variant = "w"
		}
		renamed.conditions = append(renamed.conditions, condition("s", "w", "", 1))
		for _, rule := range []string{"drop(route.accuracy) <= 2pp common_cases",
			"new_failures{variant=w} <= 0 common_cases"} {
			v := renamed.check(rule)
			Expect(v.Verdict).To(Equal(eval.GateUndecided))
			Expect(v.TooFewCases).To(BeFalse())
			Expect(v.Reason).To(ContainSubstring("no case in common with the baseline run: 400 not in"))
		}
		gone := flips(0, 0, 400)
		elsewhere := gone.before[0]
		elsewhere.Variant = "r"
		gone.before = append(gone.before, elsewhere)
		Expect(gone.check("new_failures <= 0 common_cases")).
			To(HaveField("Reason", HavePrefix("not in this run: suite s, variant r")))
		Expect(gone.check("new_failures <= 0 common_cases").Verdict).To(Equal(eval.GateUndecided))
		few := r
		few.now = r.now[:2]
		v := few.check("drop(route.accuracy) <= 2pp common_cases")
		Expect(v.Verdict).To(Equal(eval.GateUndecided), v.Reason)
		Expect(v.TooFewCases).To(BeFalse())
	})

	It("counts a conversation as a new failure if it is wrong in another turn than before", func() {
		r := flips(8, 0, 400)
		for i := range r.now {
			r.before[i].Scores[0].Turn, r.now[i].Scores[0].Turn = 3, 3
		}
		for i := range 8 {
			r.now[i].Scores[0].Turn, r.now[i].Scores[0].Expected, r.now[i].Text = 1, eval.OneOf{"z"}, "the first turn"
		}
		Expect(r.check("new_failures <= 7").Reason).To(HavePrefix("8 new failures of 400 cases"))
		Expect(r.check("drop(route.accuracy) <= 0.5pp").Reason).To(HavePrefix("drop +2.0 pp"))
	})

	It("fails for a variant or a fault that only the baseline run has, unless it selects others", func() {
		r := flips(0, 3, 400)
		for _, condition := range [][2]string{{"r", eval.NoFault}, {"v", "router:timeout"}} {
			gone := r.before[0]
			gone.Variant, gone.Fault = condition[0], condition[1]
			r.before = append(r.before, gone)
		}
		v := r.check("new_failures <= 0")
		Expect(v.Verdict).To(Equal(eval.GateFailed))
		Expect(v.Reason).To(Equal("not in this run: suite s, variant r, fault none; failed in 2 of 3 conditions"))
		Expect(r.check("drop(route.accuracy{variant=v}) <= 1pp").Reason).
			To(HavePrefix("not in this run: suite s, variant v, fault router:timeout"))
		Expect(r.check("new_failures{variant=v,fault=none} <= 0").Passed).To(BeTrue())
	})

	It("15.21: fails for a suite that only the baseline run has; with common_cases it lists the suite instead", func() {
		r := flips(0, 3, 400)
		for _, fault := range []string{eval.NoFault, "router:timeout"} {
			gone := r.before[0]
			gone.Suite, gone.Fault = "another", fault
			r.before = append(r.before, gone)
		}
		for _, rule := range []string{"drop(route.accuracy) <= 1pp", "drop(route.macro_f1) <= 1pp",
			"new_failures <= 0"} {
			v := r.check(rule)
			Expect(v.Verdict).To(Equal(eval.GateFailed), rule)
			Expect(v.NoData).To(BeTrue())
			Expect(v.Reason).To(Equal("not in this run: suite another; failed in 2 of 3 conditions"))
			v = r.check(rule + " common_cases")
			Expect(v.Verdict).To(Equal(eval.GatePassed), v.Reason)
			Expect(v.Reason).To(HaveSuffix(
				"in suite s, variant v, fault none; left out: not in this run: suite another"))
		}
		Expect(r.check("drop(route.accuracy{fault=none}) <= 1pp").Reason).
			To(Equal("not in this run: suite another; the worst of 2 conditions"))
		Expect(r.check("drop(route.accuracy{suite=s}) <= 1pp").Passed).To(BeTrue())
		rules := []gate.Rule{mustParse("drop(route.accuracy) <= 1pp common_cases")}
		pairs := gate.NewBaselineComparison(rules)
		pairs.AddBaseline(r.before[len(r.before)-1])
		v := gate.Check(rules, eval.Summary{}, pairs)[0]
		Expect(v.Verdict).To(Equal(eval.GateUndecided))
		Expect(v.Reason).To(Equal("not in this run: suite another"))
	})

	It("fails if no case has the metric, or if there is no baseline run", func() {
		Expect(flips(0, 0, 400).check("drop(slots.subject) <= 1pp").Reason).
			To(HavePrefix("no trial has a value to compare"))
		v := gate.Check([]gate.Rule{mustParse("new_failures <= 0")}, summary(condition("s", "v", "", 1)), nil)[0]
		Expect(v.Reason).To(HavePrefix("there is no baseline run. Name one with --baseline"))
	})

	It("compares only the cases with the tag that it names", func() {
		r := flips(0, 0, 400)
		for i := range 100 {
			r.now[i].Scores[0].Verdict, r.now[i].Tags = eval.Fail, []string{"bad"}
			r.before[i].Tags = []string{"bad"}
		}
		r.tag = "bad"
		v := r.check("[tag=bad] drop(route.accuracy) <= 1pp")
		Expect(v.Reason).To(ContainSubstring("over 100 cases"))
		Expect(v.Verdict).To(Equal(eval.GateFailed))
	})

	It("also compares other shares, F1, cost and latency with those of the baseline run", func() {
		r := comparison{}
		for i := range 500 {
			now, before := decision(fmt.Sprint(i), 1, true), decision(fmt.Sprint(i), 1, true)
			for j, res := range []*eval.Result{&before, &now} {
				usd := float64(i%7+1) * float64(j+1)
				res.Cost, res.Calls = &usd, 3
				duration := eval.Millis((1000 + i) * 1e6 / (j + 1))
				res.Turns = []eval.TurnSummary{{Duration: duration, Answered: true}}
				res.Scores = append(res.Scores,
					eval.Score{Name: "slots.subject", Verdict: eval.PassIf(j == 0 || i > 50),
						Expected: eval.OneOf{"cat"}})
			}
			r.now, r.before = append(r.now, now), append(r.before, before)
		}
		Expect(r.check("drop(slots.subject) <= 1pp").Reason).To(HavePrefix("drop +10.2 pp ["))
		Expect(r.check("drop(route.macro_f1) <= 1pp").Passed).To(BeTrue())
		Expect(r.check("drop(route.recall.a) <= 1pp").Passed).To(BeTrue())
		Expect(r.check("ratio(cost.total_usd) <= 2.1").Reason).
			To(HavePrefix("2.00 times the baseline's [2.00, 2.00] over 500 cases"))
		Expect(r.check("ratio(cost.total_usd) <= 1.9").Verdict).To(Equal(eval.GateFailed))
		Expect(r.check("ratio(calls.mean) <= 1").Passed).To(BeTrue())
		Expect(r.check("ratio(latency.p95) <= 0.6").Reason).To(HavePrefix("0.50 times the baseline's ["))
		Expect(r.check("ratio(latency.mean) <= 0.6").Passed).To(BeTrue())
		r.now[3].Cost = nil
		Expect(r.check("ratio(cost.total_usd) <= 2.1").Reason).
			To(HavePrefix("0.2 % of 500 trials cannot be compared: 1 without the metric"))
		r.now[3].Error, r.now[3].Cost = &eval.Error{Kind: eval.TimeoutError}, new(0.0)
		for _, name := range []string{"cost.usd_per_1000", "tokens.in_mean", "tokens.out_mean"} {
			Expect(r.check("ratio("+name+") <= 2.1").Reason).To(
				HavePrefix("0.2 % of 500 trials cannot be compared: 1 without the metric"), "failed without usage")
		}
		r.now[4].Turns[0].Answered = false
		Expect(r.check("ratio(latency.p95) <= 1.1").Verdict).To(Equal(eval.GateFailed))
	})

	DescribeTable("compares scores of attributes, retrieval, facts and sessions",
		func(metric string, before, now float64) {
			r := comparison{}
			for i := range 200 {
				for j, list := range []*[]eval.Result{&r.before, &r.now} {
					d := decision(fmt.Sprint(i), 1, true)
					value := before
					if j == 1 && i%2 == 0 {
						value = now
					}
					d.Scores = append(d.Scores,
						eval.Score{Name: metric, IsAttribute: true, Verdict: eval.PassIf(value == 1), Value: value,
							Expected: eval.OneOf{"x"}})
					*list = append(*list, d)
				}
			}
			gone := "drop(" + metric + ") <= 1pp"
			Expect(mustParse(gone).String()).To(Equal(gone))
			v := r.check(gone)
			Expect(v.Reason).To(HavePrefix(fmt.Sprintf("drop +%.1f pp [", (before-now)*50)))
			Expect(v.Reason).To(ContainSubstring("over 200 cases"))
			Expect(v.Verdict).To(Equal(eval.GateFailed), v.Reason)
			r.now = r.before
			Expect(r.check("drop(" + metric + ") <= 3pp").Verdict).To(Equal(eval.GatePassed))
			r.now = append([]eval.Result{}, r.before...)
			lost := r.now[0]
			lost.Scores = append(lost.Scores[:1:1],
				eval.Score{Name: metric, IsAttribute: true, Expected: eval.OneOf{"x"}})
			r.now[0] = lost
			Expect(r.check(gone).Reason).To(HavePrefix("0.5 % of 200 trials cannot be compared: 1 without the metric"))
		},
		Entry(nil, "strategy.accuracy", 1.0, 0.0), Entry(nil, "targets.accuracy", 1.0, 0.0),
		Entry(nil, "backtrack.accuracy", 1.0, 0.0),
		Entry(nil, "retrieval.recall_at_5", 1.0, 0.5), Entry(nil, "retrieval.mrr", 0.5, 0.1),
		Entry(nil, "facts.coverage", 0.8, 0.4),
		Entry(nil, "facts.verbatim", 1.0, 0.6), Entry(nil, "facts.graded", 0.9, 0.5),
		Entry(nil, "compression.facts_kept", 0.75, 0.25),
	)

	It("is undecided because of too few cases if they have no interval", func() {
		r := comparison{}
		for i := range 20 {
			d := decision(fmt.Sprint(i), 1, true)
			d.Turns = []eval.TurnSummary{{Duration: eval.Millis(i+1) * 1e6, Answered: true}}
			r.now, r.before = append(r.now, d), append(r.before, d)
		}
		v := r.check("ratio(latency.p95) <= 1.1")
		Expect(v.Verdict).To(Equal(eval.GateUndecided))
		Expect(v.TooFewCases).To(BeTrue())
		Expect(v.Reason).To(HavePrefix("20 cases are too few for an interval of ratio(latency.p95) in suite s"))
	})

	It("passes only if all conditions pass, and fails only after Holm's adjustment over the conditions", func() {
		good, bad := flips(3, 10, 466), flips(17, 6, 466)
		alone := bad.check("drop(route.accuracy) <= 1pp")
		Expect(alone.Verdict).To(Equal(eval.GateUndecided), "p is between 0.05 / 2 and 0.05 only with the margin below")
		rule := "drop(route.accuracy) <= 0.5pp"
		Expect(bad.check(rule).Verdict).To(Equal(eval.GateFailed))
		both := bad
		for _, list := range []*[]eval.Result{&good.now, &good.before} {
			for i := range *list {
				(*list)[i].Variant = "w"
			}
		}
		both.now, both.before = append(both.now, good.now...), append(both.before, good.before...)
		both.conditions = append(both.conditions, condition("s", "w", "", 1))
		v := both.check(rule)
		Expect(v.Verdict).To(Equal(eval.GateUndecided), v.Reason)
		Expect(v.Reason).To(HaveSuffix(
			"in suite s, variant v, fault none; undecided: significant by itself, but not after the correction for several tests; the worst of 2 conditions"))
		Expect(v.CasesNeeded).To(BeNumerically(">", 466))
	})

	It("fails only after Holm's adjustment over all tested rules", func() {
		r := flips(17, 6, 466)
		rules := []string{"drop(route.accuracy) <= 0.5pp", "drop(route.accuracy) <= 20pp"}
		Expect(r.checkAll(rules[:1]...)[0].Verdict).To(Equal(eval.GateFailed))
		verdicts := r.checkAll(rules...)
		Expect(verdicts[0].Verdict).To(Equal(eval.GateUndecided), verdicts[0].Reason)
		Expect(verdicts[1].Verdict).To(Equal(eval.GatePassed))
		Expect(r.checkAll(rules[0], "route.accuracy > 0", "new_failures <= 100")[0].Verdict).
			To(Equal(eval.GateFailed), "these test nothing")
	})

	It("15.15: compares results of an older evalctl without a case hash by their text and labels", func() {
		r := flips(0, 3, 400)
		for i := range r.before {
			r.before[i].CaseHash = ""
		}
		Expect(r.check("drop(route.accuracy) <= 1pp").Passed).To(BeTrue())
		r.now[5].Text, r.before[5].Text = "draw a cat", "draw a dog"
		Expect(r.check("drop(route.accuracy) <= 1pp").Reason).To(ContainSubstring("1 text changed"))
		pairs := gate.NewBaselineComparison([]gate.Rule{mustParse("new_failures <= 0")})
		pairs.AddBaseline(r.before[0])
		pairs.AddResult(r.now[0])
		Expect(pairs.UnhashedResults()).To(BeEquivalentTo(1))
	})

	It("does not depend on the order of results", func() {
		r := flips(14, 9, 466)
		want := r.check("drop(route.accuracy) <= 1pp")
		random := rand.New(rand.NewPCG(1, 2))
		random.Shuffle(len(r.now), func(i, j int) { r.now[i], r.now[j] = r.now[j], r.now[i] })
		random.Shuffle(len(r.before), func(i, j int) { r.before[i], r.before[j] = r.before[j], r.before[i] })
		r.now = append(r.now, r.now[0]) // the last result of a trial counts
		Expect(r.check("drop(route.accuracy) <= 1pp")).To(Equal(want))
	})
})

// comparison contains the results of a run with one suite and those of its baseline run.
type comparison struct {
	before, now []eval.Result
	tag         string
	conditions  []placed
}

// flips returns n cases: lost of them became wrong since the baseline run, and won became correct.
func flips(lost, won, n int) (r comparison) {
	for i := range n {
		id := fmt.Sprintf("c%05d", i)
		r.before = append(r.before, decision(id, 1, i < lost || i >= lost+won))
		r.now = append(r.now, decision(id, 1, i >= lost))
	}
	return r
}

func decision(id string, epoch int, right bool) eval.Result {
	got := "a"
	if !right {
		got = "b"
	}
	return eval.Result{Suite: "s", Variant: "v", Fault: eval.NoFault, Case: id, Epoch: epoch,
		CaseHash: "aaaaaaaa.bbbbbbbb.cccccccc",
		Scores: []eval.Score{{Name: eval.RouteScore, Verdict: eval.PassIf(right), Actual: got,
			Expected: eval.OneOf{"a"}}}}
}

func (r comparison) check(rule string) eval.GateVerdict { return r.checkAll(rule)[0] }

func (r comparison) checkAll(texts ...string) []eval.GateVerdict {
	GinkgoHelper()
	var rules []gate.Rule
	for _, text := range texts {
		rules = append(rules, mustParse(text))
	}
	pairs := gate.NewBaselineComparison(rules)
	for _, res := range r.before {
		pairs.AddBaseline(res)
	}
	for _, res := range r.now {
		pairs.AddResult(res)
	}
	s := summary(append([]placed{condition("s", "v", "", 1)}, r.conditions...)...)
	s.Suites[0].Conditions[0].Metrics["route.accuracy"] = eval.Estimate{Value: number(0.9), N: 466}
	if r.tag != "" {
		slice := s.Suites[0].Conditions[0]
		slice.Tag = r.tag
		s.Suites[0].Slices = []eval.ConditionSummary{slice}
	}
	return gate.Check(rules, s, pairs)
}
