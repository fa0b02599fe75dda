package metric_test

import (
	"fmt"
	"math"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/metric"
)

func TestMetric(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "metric")
}

// table returns the Table of a suite s with a variant v, without faults, and with the given number
// of epochs.
func table(epochs int) *metric.Collector {
	return metric.NewCollector([]eval.SuiteSummary{{Name: "s", Epochs: epochs,
		Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault,
			DecisionSources: []string{"llm", "rules", "guard"}}}}})
}

// twoVariantTable returns the Table of a suite with the variants v and w.
func twoVariantTable() *metric.Collector {
	return metric.NewCollector([]eval.SuiteSummary{{Name: "s", Epochs: 1,
		Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault}, {Variant: "w", Fault: eval.NoFault}}}})
}

// of returns the summary of the condition after the given results. Each has its own case.
func of(results ...eval.Result) eval.ConditionSummary {
	GinkgoHelper()
	return epochsOf(1, results...)
}

// epochsOf returns the summary of the condition after the given results. Results of the same case
// are its epochs, in order.
func epochsOf(epochs int, results ...eval.Result) eval.ConditionSummary {
	GinkgoHelper()
	t, seen := table(epochs), map[string]int{}
	for _, r := range results {
		seen[r.Case]++
		r.Epoch = seen[r.Case]
		Expect(r.Epoch).To(BeNumerically("<=", epochs), "case %s", r.Case)
		Expect(t.Add(r)).To(Succeed())
	}
	return t.Summarize().Suites[0].Conditions[0]
}

// row returns a trial with one turn that was answered at once.
func row(id string) eval.Result {
	return eval.Result{Key: id, Suite: "s", Variant: "v", Case: id, Epoch: 1,
		Turns: []eval.TurnSummary{{Answered: true}}}
}

// scoredTrial returns a trial with the accepted labels want and the predicted label got.
func scoredTrial(id, got string, want ...string) eval.Result {
	r := row(id)
	s := eval.Score{Name: "route", Expected: want, Actual: got}
	s.Verdict = eval.PassIf(s.Expected.Has(got))
	r.Scores = []eval.Score{s}
	return r
}

// lost returns a labeled trial that ended in an error.
func lost(id string, kind eval.ErrorKind, want string) eval.Result {
	r := scoredTrial(id, "", want)
	r.Scores[0].Verdict = eval.Unscored
	r.Error = &eval.Error{Kind: kind, Message: "x"}
	r.Turns[0].Answered = false
	return r
}

// repeated returns n results of the same kind with different ids.
func repeated(n int, name string, result func(id string) eval.Result) (list []eval.Result) {
	for i := range n {
		list = append(list, result(fmt.Sprintf("%s-%02d", name, i)))
	}
	return list
}

// wilson returns Wilson's 95 % interval of k in n by the textbook formula, independent of package
// stats.
func wilson(k, n float64) (lo, hi float64) {
	const z = 1.959963984540054
	p := k / n
	centre := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return (centre - half) / (1 + z*z/n), (centre + half) / (1 + z*z/n)
}

// expectRatio requires an estimate of k in n, with the given number of missing items.
func expectRatio(e eval.Estimate, k, n, missing int) {
	GinkgoHelper()
	Expect(e.N).To(Equal(int64(n)))
	Expect(e.Missing).To(Equal(int64(missing)))
	Expect(*e.Value).To(Equal(float64(k) / float64(n)))
}

// expectShare requires an estimate of k in n with Wilson's interval, with the given number of
// missing items.
func expectShare(e eval.Estimate, k, n, missing int) {
	GinkgoHelper()
	expectRatio(e, k, n, missing)
	lo, hi := wilson(float64(k), float64(n))
	Expect(*e.Lo).To(BeNumerically("~", lo, 1e-9))
	Expect(*e.Hi).To(BeNumerically("~", hi, 1e-9))
}
