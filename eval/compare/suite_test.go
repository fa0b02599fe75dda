package compare_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/stats"
)

// ofVariant returns the results of one variant.
func ofVariant(name string, results []eval.Result) []eval.Result {
	return slices.DeleteFunc(slices.Clone(results), func(r eval.Result) bool { return r.Variant != name })
}

// only returns the difference between the variants a and b of a suite. The words have the format of
// pattern.
func only(words ...string) eval.Difference {
	GinkgoHelper()
	s := comparableCases(suiteOf(plain("a", "b")...), pattern(words...), nil)
	Expect(s.Differences).To(HaveLen(1))
	return s.Differences[0]
}

var _ = Describe("comparing two variants of a suite", func() {
	It("counts fixed and broken cases", func() {
		d := only("++", "-+", "+-", "--", "-+", ".+", "+.")
		Expect([]int64{d.Cases, d.BothCorrect, d.Fixed, d.Broken, d.BothWrong, d.Unpaired}).
			To(Equal([]int64{5, 1, 2, 1, 1, 2}))
		Expect([]string{d.Variant, d.ComparedWith, d.Fault}).To(Equal([]string{"b", "a", eval.NoFault}))
		Expect(d.FixedCases).To(Equal([]string{"c001", "c004"}))
		Expect(d.BrokenCases).To(Equal([]string{"c002"}))
		Expect(*d.Accuracy.Value).To(Equal(0.2))
		Expect(d.Accuracy.N).To(BeEquivalentTo(5))
	})

	It("uses the p-value and the interval for paired cases", func() {
		d := only(slices.Concat(times(12, "-+"), times(2, "+-"), times(30, "++"))...)
		var want stats.PairedAccuracy
		for range 12 {
			want.Add(0, 1, 1, 1)
		}
		for range 2 {
			want.Add(1, 1, 0, 1)
		}
		for range 30 {
			want.Add(1, 1, 1, 1)
		}
		lo, hi, _ := want.Interval(0.95)
		least, _ := want.MinDetectableDifference(0.05, 0.8)
		Expect([]float64{*d.Accuracy.P, *d.Accuracy.Lo, *d.Accuracy.Hi, *d.MinDetectableDifference}).
			To(Equal([]float64{want.MidP(), lo, hi, least}))
		Expect(d.State).To(Equal(eval.Better))
	})

	It("15.27: lists the tags with a significant difference (Holm over all tags), even if the overall difference is not significant",
		func() {
			results := pattern(slices.Concat(times(10, "+-"), times(1, "-+"), times(49, "++"), times(10, "-+"),
				times(3, "+-"), times(100, "++"))...)
			for i := range results {
				tag := "lang:en"
				if results[i].Case < "c060" {
					tag = "lang:zh"
				}
				results[i].Tags = []string{tag, "all"}
			}
			d := comparableCases(suiteOf(plain("a", "b")...), results, nil).Differences[0]
			Expect(d.State).To(Equal(eval.NotSignificant))
			Expect(d.SignificantTags).To(HaveLen(1))
			t := d.SignificantTags[0]
			Expect([]any{t.Tag, t.State, t.Cases, t.FamilySize}).
				To(Equal([]any{"lang:zh", eval.Worse, int64(60), int64(3)}))
			Expect(*t.Accuracy.Value).To(BeNumerically("~", -0.15, 1e-12))
			Expect(*t.Accuracy.P).To(BeNumerically("~", 13.0/2048, 1e-12)) // 10 to 1: 2·(1 + 11/2)/2¹¹
			Expect(*t.Accuracy.AdjustedP).To(BeNumerically("~", 3*13.0/2048, 1e-12))

			found := between(compare.Selection{}, source("one", ofVariant("a", results)...),
				source("two", ofVariant("b", results)...))
			Expect(found[0].Pairs[0].SignificantTags).To(Equal(d.SignificantTags), "as two runs are compared")

			better := pattern(slices.Concat(times(60, "-+"), times(40, "++"))...)
			for i := range better {
				better[i].Tags = []string{"lang:en"}
			}
			Expect(comparableCases(suiteOf(plain("a", "b")...), better, nil).Differences[0].SignificantTags).
				To(BeEmpty(), "the whole says so")

			for i := range results { // one tag per case, which is more than the maximum
				results[i].Tags = append(results[i].Tags, results[i].Case, "x"+results[i].Case)
			}
			Expect(comparableCases(suiteOf(plain("a", "b")...), results, nil).Differences[0].SignificantTags).
				To(BeEmpty())
		})

	It("reports the mean difference of retrieval scores, over the cases that both variants measured in every epoch",
		func() {
			found := func(variant, id string, epoch int, recall float64, v eval.Verdict) eval.Result {
				r := trial(variant, eval.NoFault, id, epoch, "yes")
				r.Scores = append(r.Scores, eval.Score{Name: eval.RecallScore, Value: recall, Verdict: v})
				return r
			}
			d := comparableCases(suiteOf(plain("a", "b")...), []eval.Result{
				found("a", "c1", 1, 0.5, eval.Pass), found("a", "c1", 2, 0, eval.Pass),
				found("b", "c1", 1, 1, eval.Pass),
				found("b", "c1", 2, 0.5, eval.Pass),
				found("a", "c2", 1, 1, eval.Pass), found("b", "c2", 1, 0.5, eval.Pass),
				found("a", "c3", 1, 1, eval.Pass), found("b", "c3", 1, 0, eval.Unscored), // has no score
				trial("a", eval.NoFault, "c4", 1, "yes"),
				trial("b", eval.NoFault, "c4", 1, "yes"), // expects no document
			}, nil).Differences[0]
			var want stats.Mean
			want.Add(0.5)
			want.Add(-0.5)
			lo, hi, _ := want.Interval(0.95)
			Expect(d.Metrics).To(Equal(
				map[string]eval.Contrast{eval.RecallScore: {Value: new(0.0), Lo: &lo, Hi: &hi, N: 2}}))
			Expect(only("++").Metrics).To(BeEmpty())
		})

	It("compares a case by the share of its epochs that are correct", func() {
		d := only("+++-", "-++-", "++++", "+-.+", "--.-")
		Expect([]int64{d.BothCorrect, d.Fixed, d.Broken, d.BothWrong}).To(Equal([]int64{1, 0, 2, 2}))
	})

	DescribeTable("reports the state", func(want eval.ComparisonState, words []string) {
		Expect(only(words...).State).To(Equal(want))
	},
		Entry("identical, if all predicted labels are equal, right or wrong", eval.Identical,
			[]string{"++", "--", "++"}),
		Entry("not significant, if two of three cases are fixed", eval.NotSignificant, []string{"-+", "-+", "++"}),
		Entry("better, if seven cases are fixed", eval.Better, times(7, "-+")),
		Entry("worse, if seven cases are broken", eval.Worse, times(7, "+-")),
		Entry("not significant, if as many cases are fixed as broken", eval.NotSignificant,
			slices.Concat(times(7, "+-"), times(7, "-+"))),
		Entry("insufficient data, if no case is scored in both variants", eval.InsufficientData, []string{".+", "+."}),
		Entry("insufficient data, if more than half of the cases are unscored", eval.InsufficientData,
			slices.Concat(times(7, "-+"), times(8, ".+"))),
		Entry("better, even if half of the cases are unscored", eval.Better,
			slices.Concat(times(7, "-+"), times(7, ".+"))),
	)

	It("does not report identical variants if one predicts a label where the other is unscored", func() {
		Expect(only("++", "++", "++", ".+").State).To(Equal(eval.NotSignificant))
	})

	It("lists the IDs of the first five fixed and broken cases", func() {
		d := only(slices.Concat(times(9, "-+"), times(8, "+-"))...)
		Expect(d.FixedCases).To(Equal([]string{"c000", "c001", "c002", "c003", "c004"}))
		Expect(d.BrokenCases).To(Equal([]string{"c009", "c010", "c011", "c012", "c013"}))
	})

	It("reports insufficient data if no case has a label", func() {
		var list []eval.Result
		for i := range 3 {
			for _, v := range []string{"a", "b"} {
				list = append(list, eval.Result{Suite: "s", Variant: v, Case: fmt.Sprint(i), Epoch: 1})
			}
		}
		d := comparableCases(suiteOf(plain("a", "b")...), list, nil).Differences[0]
		Expect(d.State).To(Equal(eval.InsufficientData))
		Expect(d.Cases + d.Unpaired).To(BeZero())
		Expect(d.Accuracy.Value).To(BeNil())
	})
})

var _ = Describe("comparing the variants of a suite", func() {
	pairs := func(s eval.SuiteSummary) (list []string) {
		for _, d := range s.Differences {
			list = append(list, d.Variant+"-"+d.ComparedWith+" "+d.Fault)
		}
		return list
	}
	faulty := suiteOf([2]string{"a", "none"}, [2]string{"a", "f"}, [2]string{"b", "none"}, [2]string{"b", "f"},
		[2]string{"b", "g"}, [2]string{"c", "none"})

	It("compares each variant with the first under each fault that both have, then the other pairs", func() {
		s := comparableCases(faulty, nil, nil)
		Expect(s.BaselineVariant).To(Equal("a"))
		Expect(pairs(s)).To(Equal([]string{"b-a none", "b-a f", "c-a none", "c-b none"}))
	})

	It("compares each variant with the named baseline variant", func() {
		s := faulty
		s.BaselineVariant = "b"
		s = comparableCases(s, nil, nil)
		Expect(s.BaselineVariant).To(Equal("b"))
		Expect(pairs(s)).To(Equal([]string{"a-b none", "a-b f", "c-b none", "c-a none"}))
	})

	It("compares only with the first variant if there are more than 16", func() {
		var many []string
		for i := range 17 {
			many = append(many, fmt.Sprint("v", i))
		}
		Expect(comparableCases(suiteOf(plain(many[:16]...)...), nil, nil).Differences).To(HaveLen(120))
		Expect(comparableCases(suiteOf(plain(many...)...), nil, nil).Differences).To(HaveLen(16))
	})

	It("tests all variants as one family, so that a difference that is significant alone may not be among many",
		func() {
			conditions := plain("a", "b")
			list := pattern(slices.Concat(times(7, "-+"), times(20, "++"))...)
			alone := comparableCases(suiteOf(conditions...), list, nil).Differences[0]
			Expect(alone.State).To(Equal(eval.Better))
			Expect(*alone.Accuracy.AdjustedP).To(Equal(*alone.Accuracy.P))
			for i := range 9 { // other variants with the same results as a
				name := fmt.Sprint("other", i)
				conditions = append(conditions, plain(name)...)
				for _, r := range pattern(slices.Concat(times(7, "-+"), times(20, "++"))...) {
					if r.Variant == "a" {
						r.Variant = name
						list = append(list, r)
					}
				}
			}
			among := comparableCases(suiteOf(conditions...), list, nil).Differences[0]
			Expect(*among.Accuracy.P).To(Equal(*alone.Accuracy.P))
			Expect(*among.Accuracy.AdjustedP).To(BeNumerically("~", 10**alone.Accuracy.P, 1e-15))
			Expect(among.State).To(Equal(eval.NotSignificant))
		})

	It("tests pairs without the baseline variant as a separate family", func() {
		var list []eval.Result
		for _, r := range pattern(times(9, "-+")...) {
			for variant, like := range map[string]string{"a": "b", "b": "b", "c": "a"} {
				if r.Variant == like {
					one := r
					one.Variant = variant
					list = append(list, one)
				}
			}
		}
		s := comparableCases(suiteOf(plain("a", "b", "c")...), list, nil)
		Expect(pairs(s)).To(Equal([]string{"b-a none", "c-a none", "c-b none"}))
		Expect([]eval.ComparisonState{s.Differences[0].State, s.Differences[1].State, s.Differences[2].State}).
			To(Equal([]eval.ComparisonState{eval.Identical, eval.Worse, eval.Worse}))
		Expect([]int64{s.Differences[1].FamilySize, s.Differences[2].FamilySize}).To(Equal([]int64{2, 1}))
	})

	It("reports the ratios of cost and latency over the same cases", func() {
		cost := func(v float64) *float64 { return &v }
		var list []eval.Result
		for i := range 80 {
			a, b := trial("a", "none", fmt.Sprint(i), 1, "yes"), trial("b", "none", fmt.Sprint(i), 1, "yes")
			a.Cost, b.Cost = cost(0.001*float64(1+i%3)), cost(0.002*float64(1+i%3))
			a.Duration, b.Duration = eval.Millis(1e6*(100+i)), eval.Millis(3e6*(100+i))
			a.Turns, b.Turns = []eval.TurnSummary{{Duration: a.Duration,
				Answered: true}}, []eval.TurnSummary{{Duration: b.Duration, Answered: true}}
			list = append(list, a, b)
		}
		sorry, other := trial("a", "none", "apology", 1, "yes"), trial("b", "none", "apology", 1, "yes")
		sorry.Turns = []eval.TurnSummary{{Duration: 9e12, Answered: true, ErrorReply: "busy"},
			{Duration: 1e6 * 140, Answered: true}}
		other.Turns = []eval.TurnSummary{{Duration: 9e12, Answered: true, ErrorReply: "busy"},
			{Duration: 3e6 * 140, Answered: true}}
		sorry.Cost, other.Cost = cost(0), cost(0)
		list = append(list, sorry, other)
		r := comparableCases(suiteOf(plain("a", "b")...), list, nil).Differences[0].Ratios
		Expect(r).To(HaveLen(3))
		Expect(*r["cost.total_usd"].Value).To(BeNumerically("~", 2, 1e-12))
		Expect(*r["latency.p50"].Value).To(Equal(3.0))
		Expect(*r["latency.p95"].Value).To(Equal(3.0))
		Expect([]int64{r["cost.total_usd"].N, r["latency.p95"].N}).To(Equal([]int64{81, 81}))
		Expect(*r["latency.p95"].Hi).To(BeNumerically("<", 4), "no apology is an answer")
		failed, answered := trial("a", "none", "failed", 1, "yes"), trial("b", "none", "failed", 1, "yes")
		failed.Error, failed.Cost, answered.Cost = &eval.Error{Kind: eval.TimeoutError}, cost(0), cost(9)
		Expect(comparableCases(suiteOf(plain("a", "b")...), append(slices.Clone(list), failed, answered), nil).
			Differences[0].Ratios["cost.total_usd"]).To(Equal(r["cost.total_usd"]), "a failed trial has no cost")
		for _, at := range []int{1, len(list) - 1} {
			unpriced := slices.Clone(list)
			unpriced[at].Cost = nil
			Expect(comparableCases(suiteOf(plain("a", "b")...), unpriced, nil).Differences[0].Ratios).
				NotTo(HaveKey("cost.total_usd"), "one case has no price")
		}
	})

	It("reports latency ratios without an interval if there are too few cases for one", func() {
		s := suiteOf(plain("a", "b")...)
		for i, p50 := range []float64{100, 250} {
			s.Conditions[i].Metrics = map[string]eval.Estimate{"latency.p50": {Value: &p50}}
		}
		r := comparableCases(s, nil, nil).Differences[0].Ratios
		Expect(r).To(HaveLen(1))
		Expect(*r["latency.p50"].Value).To(Equal(2.5))
		Expect(r["latency.p50"].Lo).To(BeNil())
	})

	It("reports no latency ratio if some turns lack their latency", func() {
		s := suiteOf(plain("a", "b")...)
		for i, p50 := range []float64{100, 250} {
			s.Conditions[i].Metrics = map[string]eval.Estimate{"latency.p50": {Value: &p50, Missing: int64(i)}}
		}
		Expect(comparableCases(s, nil, nil).Differences[0].Ratios).To(BeEmpty())
	})

	It("reports no ratios if there are more than 16 variants", func() {
		var many []string
		for i := range 17 {
			many = append(many, fmt.Sprint("v", i))
		}
		s := suiteOf(plain(many...)...)
		for i := range s.Conditions {
			s.Conditions[i].Metrics = map[string]eval.Estimate{"latency.p50": {Value: new(1.0)}}
		}
		Expect(comparableCases(s, nil, nil).Differences[0].Ratios).To(BeEmpty())
	})

	It("is bit-identical for any order of results", func() {
		list := noisy(rand.New(rand.NewPCG(5, 5)), 60, 3, []string{"a", "b", "c"}, []string{"none", "f"}, 0.2)
		var conditions [][2]string
		for _, v := range []string{"a", "b", "c"} {
			conditions = append(conditions, [2]string{v, "none"}, [2]string{v, "f"})
		}
		want := comparableCases(suiteOf(conditions...), list, nil)
		Expect(want.Differences).To(HaveLen(5))
		Expect(want.FaultOutcomes).To(HaveLen(3))
		for seed := range uint64(5) {
			Expect(comparableCases(suiteOf(conditions...), list, rand.New(rand.NewPCG(seed, 1)))).To(Equal(want))
		}
	})
})

// noisy simulates results in several conditions. Each result is wrong with the given probability,
// independently of the others.
func noisy(r *rand.Rand, cases, epochs int, variants, faults []string, wrong float64) (list []eval.Result) {
	for i := range cases {
		for epoch := 1; epoch <= epochs; epoch++ {
			for _, v := range variants {
				for _, f := range faults {
					one := trial(v, f, fmt.Sprintf("c%03d", i), epoch, "yes")
					if r.Float64() < wrong {
						one = trial(v, f, fmt.Sprintf("c%03d", i), epoch, "no")
					}
					cost := r.Float64()
					one.Cost, one.Duration = &cost, eval.Millis(r.IntN(1e9))
					list = append(list, one)
				}
			}
		}
	}
	return list
}

var _ = Describe("a baseline model among the variants of a suite", Label("definition"), func() {
	It("is compared in a separate family of tests, with the same result for any first variant", func() {
		list := noisy(rand.New(rand.NewPCG(7, 7)), 80, 1, []string{"a", "b", "c", "d"}, []string{"none"}, 0.2)
		list = append(list, noisy(rand.New(rand.NewPCG(8, 8)), 80, 1, []string{"floor", "lower"},
			[]string{"none"}, 0.45)...)
		names := []string{"a", "b", "c", "d", "floor", "lower"}
		held := func(first string) map[string]eval.Contrast {
			s := suiteOf(plain(names...)...)
			s.Conditions[4].BaselineModel, s.Conditions[5].BaselineModel, s.BaselineVariant = true, true, first
			found := map[string]eval.Contrast{}
			for _, d := range comparableCases(s, list, nil).Differences {
				one, other := d.Variant, d.ComparedWith
				if (one == "floor" || one == "lower") == (other == "floor" || other == "lower") {
					continue
				}
				if one > other {
					one, other = other, one
				}
				Expect(d.FamilySize).To(Equal(int64(8)), "four variants, two floors")
				found[one+" "+other] = eval.Contrast{P: d.Accuracy.P, AdjustedP: d.Accuracy.AdjustedP, N: d.FamilySize}
			}
			return found
		}
		want := held("a")
		Expect(want).To(HaveLen(8))
		for _, first := range names[1:] {
			Expect(held(first)).To(Equal(want), first)
		}
	})

	It("is compared with every other variant, even if there are more than 16", func() {
		s := suiteOf(plain("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "floor")...)
		of := func() (list []string) {
			for _, d := range comparableCases(s, nil, nil).Differences {
				list = append(list, d.Variant+" "+d.ComparedWith)
			}
			return list
		}
		Expect(of()).To(And(HaveLen(16), ContainElement("floor a"), Not(ContainElement("floor b"))))
		s.Conditions[16].BaselineModel = true
		Expect(of()).To(And(HaveLen(31), ContainElement("floor a"), ContainElement("floor b"),
			ContainElement("floor p"), Not(ContainElement("c b"))))
		s.BaselineVariant = "floor"
		Expect(of()).To(And(HaveLen(16), ContainElement("a floor")))
	})
})
