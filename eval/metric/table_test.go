package metric_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/metric"
)

var _ = Describe("Table", func() {
	It("separates conditions and rejects a result of an unknown one", func() {
		t := metric.NewCollector([]eval.SuiteSummary{{Name: "s",
			Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault}, {Variant: "v", Fault: "f"}}}})
		under, other := scoredTrial("b", "chat", "image"), scoredTrial("c", "chat", "chat")
		under.Fault, other.Variant = "f", "unknown"
		none := scoredTrial("d", "chat", "chat")
		none.Fault = eval.NoFault
		for _, r := range []eval.Result{scoredTrial("a", "chat", "chat"), under, none} {
			Expect(t.Add(r)).To(Succeed())
		}
		Expect(t.Add(other)).To(MatchError(ContainSubstring("no variant unknown")))
		conditions := t.Summarize().Suites[0].Conditions
		Expect(conditions[0].Trials).To(Equal(int64(2)))
		expectShare(conditions[0].Metrics["route.accuracy"], 2, 2, 0)
		Expect(conditions[1].Trials).To(Equal(int64(1)))
		expectShare(conditions[1].Metrics["route.accuracy"], 0, 1, 0)
	})

	It("replaces a result by a later one of the same trial", func() {
		t := table(2)
		Expect(t.Add(scoredTrial("a", "chat", "image"))).To(Succeed())
		Expect(t.Add(scoredTrial("a", "image", "image"))).To(Succeed())
		c := t.Summarize().Suites[0].Conditions[0]
		Expect(c.Trials).To(Equal(int64(1)))
		expectShare(c.Metrics["route.accuracy"], 1, 1, 0)
	})

	It("computes a slice of every condition for each tag", func() {
		t := metric.NewCollector([]eval.SuiteSummary{{Name: "s",
			Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault},
				{Variant: "w", Fault: eval.NoFault}}}},
			"zh", "en")
		for i, tags := range [][]string{{"zh"}, {"en", "zh"}, nil} {
			for _, v := range []string{"v", "w"} {
				r := scoredTrial(fmt.Sprint(i), "chat", "chat", "image")
				r.Variant, r.Tags = v, tags
				Expect(t.Add(r)).To(Succeed())
			}
		}
		slices := t.Summarize().Suites[0].Slices
		Expect(slices).To(HaveLen(4))
		for i, want := range []struct {
			tag, variant string
			n            int
		}{{"zh", "v", 2}, {"zh", "w", 2}, {"en", "v", 1}, {"en", "w", 1}} {
			Expect([]string{slices[i].Tag, slices[i].Variant, slices[i].Fault}).
				To(Equal([]string{want.tag, want.variant, eval.NoFault}))
			Expect(slices[i].Trials).To(Equal(int64(want.n)))
			expectShare(slices[i].Metrics["route.accuracy"], want.n, want.n, 0)
		}
		Expect(table(1).Summarize().Suites[0].Slices).To(BeEmpty())
	})

	It("compares the variants of a suite case by case, and measures the effect of a fault", func() {
		t := metric.NewCollector([]eval.SuiteSummary{{Name: "s", Epochs: 2, Conditions: []eval.ConditionSummary{
			{Variant: "v", Fault: eval.NoFault}, {Variant: "w", Fault: eval.NoFault}, {Variant: "w", Fault: "f"}}}})
		for i := range 30 {
			for epoch := range 2 {
				for _, c := range [][3]string{{"v", eval.NoFault, "image"}, {"w", eval.NoFault, "chat"},
					{"w", "f", "image"}} {
					r := scoredTrial(fmt.Sprint(i), c[2], "chat")
					r.Variant, r.Fault, r.Epoch = c[0], c[1], epoch+1
					Expect(t.Add(r)).To(Succeed())
				}
			}
		}
		s := t.Summarize().Suites[0]
		Expect(s.BaselineVariant).To(Equal("v"))
		Expect(s.Differences).To(HaveLen(1))
		Expect(s.Differences[0].State).To(Equal(eval.Better))
		Expect(s.Differences[0].Fixed).To(Equal(int64(30)))
		Expect(s.FaultOutcomes).
			To(Equal([]eval.FaultOutcome{{Variant: "w", Fault: "f", Trials: 60, Scored: 60, NowWrong: 60, Broken: 60}}))
	})

	It("X8: computes the same bytes for any order of results", func() {
		const n = 17_000 // more different times than a sketch stores exactly
		summary := func(seed uint64) string {
			t := metric.NewCollector([]eval.SuiteSummary{{Name: "s", Epochs: 2,
				Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault}}}}, "zh")
			for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(n) {
				r := someTrial(i)
				r.Case, r.Epoch = fmt.Sprintf("case-%06d", i/2), i%2+1
				Expect(t.Add(r)).To(Succeed())
			}
			b, err := json.Marshal(t.Summarize())
			Expect(err).NotTo(HaveOccurred())
			return string(b)
		}
		want := summary(1)
		Expect(summary(2) == want).To(BeTrue(), "the summary depends on the order")
	})

	It("can be closed more than once", func() {
		t := table(1)
		Expect(t.Add(scoredTrial("a", "chat", "chat"))).To(Succeed())
		Expect(t.Summarize()).To(Equal(t.Summarize()))
	})

	It("needs no more memory for 60,000 results than for 20,000", func() {
		t := table(1)
		fill := func(from, to int) uint64 {
			for i := from; i < to; i++ {
				if err := t.Add(someTrial(i)); err != nil {
					Fail(err.Error())
				}
			}
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before := fill(0, 20_000)
		after := fill(20_000, 60_000)
		Expect(after).To(BeNumerically("<", before+1<<20))
		Expect(t.Summarize().Suites[0].Conditions[0].Trials).To(Equal(int64(60_000)))
	})
})
