package page_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
	"evalctl/reports/page"
)

// suite describes a suite to generate: which cases each variant has right.
type suite struct {
	name, target string
	variants     map[string][]bool
}

// write writes a run with these suites to a directory.
func write(list ...suite) *runs.Run {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	var summaries []eval.SuiteSummary
	var results []eval.Result
	m := journal.Manifest{}
	for _, s := range list {
		sum := eval.SuiteSummary{Name: s.name, Target: s.target, Epochs: 1}
		for _, v := range []string{"a", "b", "c"} {
			right, has := s.variants[v]
			if !has {
				continue
			}
			sum.Conditions, sum.Cases = append(sum.Conditions,
				eval.ConditionSummary{Variant: v, Fault: eval.NoFault}), int64(len(right))
			for i, ok := range right {
				got := "no"
				if ok {
					got = "yes"
				}
				id := fmt.Sprintf("c%02d", i)
				results = append(results,
					eval.Result{Key: s.name + v + id, Suite: s.name, Case: id, Variant: v, Fault: eval.NoFault,
						Epoch: 1, Text: "text " + id, Predicted: got, Expected: eval.OneOf{"yes"}, Correct: &ok,
						Scores: []eval.Score{
							{Name: eval.RouteScore, Verdict: eval.PassIf(ok), Actual: got,
								Expected: eval.OneOf{"yes"}}}})
			}
		}
		summaries = append(summaries, sum)
		m.Suites, m.Datasets = append(m.Suites, json.RawMessage(`{}`)),
			append(m.Datasets, journal.DatasetInfo{Hash: "h"})
	}
	m, err := m.WithHash()
	Expect(err).NotTo(HaveOccurred())
	Expect(m.Write(dir)).To(Succeed())
	log, err := journal.Resume(dir, func(string) {})
	Expect(err).NotTo(HaveOccurred())
	table := metric.NewCollector(summaries)
	for _, r := range results {
		Expect(log.Add(r)).To(Succeed())
		Expect(table.Add(r)).To(Succeed())
	}
	Expect(log.Close()).To(Succeed())
	Expect(journal.WriteJSON(filepath.Join(dir, journal.SummaryFile), table.Summarize())).To(Succeed())
	r, err := runs.Open(dir)
	Expect(err).NotTo(HaveOccurred())
	return r
}

func right(n, of int) []bool {
	list := make([]bool, of)
	for i := range n {
		list[i] = true
	}
	return list
}

var _ = Describe("A run and its baseline run", func() {
	It("are compared variant by variant, with the baseline run as the reference", func() {
		before := write(suite{name: "s", variants: map[string][]bool{"a": right(5, 20), "b": right(9, 20)}})
		now := write(suite{name: "s",
			variants: map[string][]bool{"a": right(15, 20), "b": right(8, 20), "c": right(1, 20)}})
		r := page.CompareWithBaseline(now, before)
		Expect(r.BaselinePath).To(Equal(before.Path))
		got := r.Suite("s")
		Expect(got.NotComparedReason).To(BeEmpty())
		Expect(got.NewVariants).To(Equal([]string{"c"}))
		Expect(got.Variants).To(HaveLen(2))
		v := got.Variants[0].Pairs[0]
		Expect([]int64{v.Fixed, v.Broken}).To(Equal([]int64{10, 0}))
		Expect(*v.Accuracy.Value).To(BeNumerically("~", 0.5, 1e-9))
		Expect(v.State).To(Equal(eval.Better))
		Expect(got.Variants[1].Pairs[0].BrokenCases).To(HaveExactElements(HaveField("Case", "c08")))
	})

	It("are compared suite by suite: a suite that cannot be compared gets a reason and does not affect the others",
		func() {
			before := write(suite{name: "s", variants: map[string][]bool{"a": right(5, 20)}},
				suite{name: "t", target: "x", variants: map[string][]bool{"a": right(1, 2)}},
				suite{name: "u", variants: map[string][]bool{"b": right(1, 2)}})
			now := write(suite{name: "s", variants: map[string][]bool{"a": right(6, 20)}},
				suite{name: "t", target: "y", variants: map[string][]bool{"a": right(1, 2)}},
				suite{name: "u", variants: map[string][]bool{"b": right(1, 3)}},
				suite{name: "new", variants: map[string][]bool{"a": right(1, 2)}})
			r := page.CompareWithBaseline(now, before)
			Expect(r.Suite("s").Variants).To(HaveLen(1))
			Expect(r.Suite("t").Variants).To(HaveLen(1), "30.3: another target with the same cases")
			Expect(r.Suite("u").NotComparedReason).
				To(Equal("only 2 of 3 cases are in all of them; evalctl compare … --common-cases compares those"))
			Expect(r.Suite("new").NotComparedReason).To(Equal("the earlier run has no such suite"))
		})
})
