package page_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/reports/page"
)

func at(column []int, i int) int {
	if column == nil {
		return -1
	}
	return column[i]
}

func named(list []string, i int) string {
	if i < 0 {
		return ""
	}
	return list[i]
}

var _ = Describe("The columns of trials in a page's data", func() {
	It("contain the fields of each trial's result", func() {
		list := small().results()
		parts := unpacked(packed(small().summary(), list, page.EncodeOptions{}, 0))
		meta := decoded[page.Meta](parts, "meta")
		Expect(meta.Version).To(Equal(page.Version))
		Expect(meta.Trials).To(BeEquivalentTo(len(list)))
		seen := 0
		for si, s := range meta.Suites {
			table := decoded[page.Trials](parts, fmt.Sprintf("t%d", si))
			Expect(slices.IsSorted(s.Cases)).To(BeTrue())
			for _, r := range list {
				if r.Suite != s.Name {
					continue
				}
				seen++
				condition := slices.IndexFunc(s.Conditions,
					func(c page.Condition) bool { return c.Variant == r.Variant && c.Fault == r.Fault })
				c, i := table.Conditions[condition], slices.Index(s.Cases, r.Case)*s.Epochs+r.Epoch-1
				Expect(named(s.Labels, at(c.Predicted, i))).To(Equal(r.Predicted))
				Expect(s.AcceptedLabelSets[c.Expected[i]]).To(Equal([]int{slices.Index(s.Labels, r.Expected[0])}))
				Expect(c.Verdict[i]).To(
					Equal(map[eval.Verdict]int{eval.Unscored: 0, eval.Pass: 1, eval.Fail: 2}[r.Scores[0].Verdict]))
				Expect(float64(c.Duration[i])).
					To(BeNumerically("~", float64(r.Duration)/1e3, float64(r.Duration)/1e3/200),
						"three digits of microseconds")
				Expect(float64(c.Cost[i])).To(BeNumerically("~", *r.Cost*1e9, *r.Cost*1e9/200))
				Expect(c.Fallbacks[i]).To(Equal(len(r.Fallbacks)))
				fallback := ""
				if len(r.Fallbacks) > 0 {
					fallback = "llm → rules"
				}
				Expect(named(s.Fallbacks, at(c.FirstFallback, i))).To(Equal(fallback))
				Expect(c.Confidence[i]).To(BeEquivalentTo(math.Round(100 * *r.Turns[0].ModelDecision.Confidence)))
				Expect(named(s.Sources, c.Source[i])).To(Equal("llm"))
				Expect(named(s.Labels, at(c.AnsweredBy, i))).To(Equal(r.AnsweredBy))
				failure := r.Turns[0].ErrorReply
				if r.Error != nil {
					failure = string(r.Error.Kind)
					Expect(c.Failure[i]).To(BeNumerically(">=", len(s.Failures)-s.ErrorKindCount))
				}
				Expect(named(s.Failures, at(c.Failure, i))).To(Equal(failure))
				Expect(table.Tags[slices.Index(s.Cases, r.Case)]).
					To(ConsistOf(slices.Index(s.Tags, r.Tags[0]), slices.Index(s.Tags, r.Tags[1])))
			}
		}
		Expect(seen).To(Equal(len(list)))
	})

	It("classify the outcome of each trial under a fault in the same way as the package compare", func() {
		shape := small()
		shape.suites = 1
		list := shape.results()
		sum := shape.summary().Suites[0]
		by := map[string][]eval.Result{}
		for _, r := range list {
			by[r.Case] = append(by[r.Case], r)
		}
		compared := compare.NewSuiteComparison(sum)
		for _, rows := range by {
			compared.Add(rows)
		}
		compared.AddToSummary(&sum)
		parts := unpacked(packed(shape.summary(), list, page.EncodeOptions{}, 0))
		s, table := decoded[page.Meta](parts, "meta").Suites[0], decoded[page.Trials](parts, "t0")
		Expect(sum.FaultOutcomes).NotTo(BeEmpty())
		for _, want := range sum.FaultOutcomes {
			condition := slices.IndexFunc(s.Conditions,
				func(c page.Condition) bool { return c.Variant == want.Variant && c.Fault == want.Fault })
			n := [6]int64{}
			for _, outcome := range table.Conditions[condition].FaultOutcome {
				n[outcome]++
			}
			Expect(n).To(Equal([6]int64{want.Unchanged, want.MoreFallbacks, want.LabelChanged, want.NowWrong,
				want.NowErrorReply, want.NowUnscored}))
		}
		for i, c := range s.Conditions {
			Expect(table.Conditions[i].FaultOutcome == nil).To(Equal(c.Fault == eval.NoFault))
		}
	})

	It("do not depend on the order of the results, and neither does the other data", func() {
		list := small().results()
		want := packed(small().summary(), list, page.EncodeOptions{MaxBytes: 60_000}, 0)
		Expect(want.Traced).To(BeNumerically(">", 0))
		Expect(want.Traced).To(BeNumerically("<", len(list)))
		for seed := range uint64(3) {
			mixed := slices.Clone(list)
			rand.New(rand.NewPCG(seed, 0)).
				Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			Expect(packed(small().summary(), mixed, page.EncodeOptions{MaxBytes: 60_000}, 0)).To(Equal(want))
		}
	})

	It("omit details of unchanged trials if there are very many trials", func() {
		list := small().results()
		p := page.NewPacker(small().summary(), page.EncodeOptions{})
		p.Many(10)
		for _, r := range list {
			Expect(p.Add(r)).To(Succeed())
		}
		out, err := p.Pack(0, nil)
		Expect(err).NotTo(HaveOccurred())
		parts := unpacked(out)
		c := decoded[page.Trials](parts, "t0").Conditions
		Expect(c[0].Confidence).NotTo(ContainElement(-1))
		omitted, remaining := 0, 0
		for i, conf := range c[1].Confidence {
			if conf == -1 {
				omitted++
				Expect([]int{c[1].Fallbacks[i], c[1].AnsweredBy[i]}).To(Equal([]int{-1, -1}))
				Expect(c[1].FaultOutcome[i]).To(BeNumerically("<", 3))
			} else {
				remaining++
			}
		}
		Expect(omitted).To(BeNumerically(">", 10))
		Expect(remaining).To(BeNumerically(">", 10))
		Expect(c[1].Duration).NotTo(ContainElement(-1))
	})

	It("contain each decision of a trial with several labeled turns; of several accepted labels, they contain the first", func() {
		list := small().results()
		s := &list[1].Scores[0]
		s.Turns = []eval.TurnScore{{Turn: 1, Expected: eval.OneOf{"search", "chat"}, Actual: "chat",
			Verdict: eval.Pass}, {Turn: 3, Expected: eval.OneOf{"image"}, Actual: "new", Verdict: eval.Fail}, {Turn: 4,
			Expected: eval.OneOf{"chat"}}}
		parts := unpacked(packed(small().summary(), list, page.EncodeOptions{}, 0))
		h, c := decoded[page.Meta](parts, "meta").Suites[0], decoded[page.Trials](parts, "t0").Conditions
		of := func(label string) int { return slices.Index(h.Labels, label) }
		Expect(c[0].Turns).To(Equal(
			map[int][]int{1: {1, of("search"), of("chat"), 1, 3, of("image"), of("new"), 2, 4, of("chat"), -1, 0}}))
		Expect(c[1].Turns).To(BeNil())
	})

	It("mark trials that did not run", func() {
		list := slices.DeleteFunc(small().results(),
			func(r eval.Result) bool { return r.Case == "case-00001" && r.Variant == "first" && r.Epoch == 2 })
		c := decoded[page.Trials](unpacked(packed(small().summary(), list, page.EncodeOptions{}, 0)),
			"t0").Conditions[0]
		Expect([]int{c.Verdict[3], c.Duration[3], c.Predicted[3]}).To(Equal([]int{-1, -1, -1}))
		Expect(c.Verdict[2]).NotTo(Equal(-1))
		Expect(c.FaultOutcome).To(BeNil())
	})

	It("contain the most frequent verdict of each case in the baseline run", func() {
		p := page.NewPacker(small().summary(), page.EncodeOptions{BaselinePath: "runs/old"})
		for _, r := range small().results() {
			Expect(p.Add(r)).To(Succeed())
		}
		earlier := func(id, fault, got string, verdict eval.Verdict) {
			p.AddBaseline(eval.Result{Suite: "suite0", Variant: "second", Fault: fault, Case: id,
				Epoch: 1, Predicted: got,
				Scores: []eval.Score{{Name: "route", Expected: eval.OneOf{"x"}, Actual: got, Verdict: verdict}}})
		}
		earlier("case-00000", "", "chat", eval.Pass)
		earlier("case-00001", "", "search", eval.Fail)
		earlier("case-00001", "", "old label", eval.Fail)
		earlier("case-00001", "", "old label", eval.Fail)
		earlier("case-00001", "", "chat", eval.Pass)
		earlier("case-00002", "", "chat", eval.Pass) // in a tie, the worse verdict counts
		earlier("case-00002", "", "image", eval.Fail)
		earlier("case-of-old", "", "chat", eval.Pass)
		earlier("case-00003", "of old", "chat", eval.Pass)
		out, err := p.Pack(0, nil)
		Expect(err).NotTo(HaveOccurred())
		parts := unpacked(out)
		meta := decoded[page.Meta](parts, "meta")
		Expect(meta.BaselinePath).To(Equal("runs/old"))
		s, c := meta.Suites[0], decoded[page.Trials](parts, "t0").Conditions[3]
		Expect(c.BaselineVerdict[:8]).To(Equal([]int{1, 1, 2, 2, 2, 2, -1, -1}))
		Expect([]string{named(s.Labels, c.BaselinePredicted[0]), named(s.Labels, c.BaselinePredicted[2]),
			named(s.Labels, c.BaselinePredicted[4])}).
			To(Equal([]string{"chat", "old label", "image"}))
		Expect(c.BaselineRight[:8]).To(Equal([]int{1, 1, 1, 1, 1, 1, -1, -1}))
		Expect(c.BaselineScored[:8]).To(Equal([]int{1, 1, 4, 4, 2, 2, -1, -1}))
		Expect(s.Cases).NotTo(ContainElement("case-of-old"))
		Expect(decoded[page.Trials](parts, "t0").Conditions[0].BaselineVerdict).To(HaveEach(-1))
		Expect(decoded[page.Trials](parts, "t1").Conditions[3].BaselineVerdict).To(BeNil())
	})

	It("reject results of conditions that are not in the summary, and more trials than they can hold", func() {
		p := page.NewPacker(small().summary(), page.EncodeOptions{})
		r := small().results()[0]
		for _, wrong := range []func(*eval.Result){
			func(r *eval.Result) { r.Suite = "x" }, func(r *eval.Result) { r.Variant = "x" },
			func(r *eval.Result) { r.Fault = "x" },
			func(r *eval.Result) { r.Epoch = 0 }, func(r *eval.Result) { r.Epoch = 3 },
			func(r *eval.Result) { r.Case = "" },
		} {
			other := r
			wrong(&other)
			Expect(p.Add(other)).To(MatchError(HavePrefix("pack the cases: ")))
		}
		sum := small().summary()
		sum.Suites[0].Epochs = 1_000_000
		p = page.NewPacker(sum, page.EncodeOptions{})
		Expect(p.Add(r)).To(Succeed())
		_, err := p.Pack(0, nil)
		Expect(err).To(MatchError(ContainSubstring("more than 4000000")))
	})
})
