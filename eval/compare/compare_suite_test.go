package compare_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/compare"
)

func TestCompare(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "compare")
}

// trial returns the result of a case that expects the label yes.
func trial(variant, fault, id string, epoch int, got string) eval.Result {
	return eval.Result{Suite: "s", Variant: variant, Fault: fault, Case: id, Epoch: epoch,
		CaseHash: "aaaaaaaa.bbbbbbbb.cccccccc", Predicted: got, Scores: []eval.Score{
			{Name: "route", Verdict: eval.PassIf(got == "yes"), Actual: got, Expected: eval.OneOf{"yes"}}}}
}

// unscored returns a result without a decision.
func unscored(variant, fault, id string, epoch int) eval.Result {
	r := trial(variant, fault, id, epoch, "")
	r.Scores[0].Verdict = eval.Unscored
	r.Error = &eval.Error{Kind: eval.ProviderError}
	return r
}

// suiteOf returns a suite with the given conditions, each a variant and a fault.
func suiteOf(conditions ...[2]string) eval.SuiteSummary {
	s := eval.SuiteSummary{Name: "s", Epochs: 1}
	for _, c := range conditions {
		s.Conditions = append(s.Conditions, eval.ConditionSummary{Variant: c[0], Fault: c[1]})
	}
	return s
}

// plain returns the conditions of the variants without a fault.
func plain(variants ...string) (conditions [][2]string) {
	for _, v := range variants {
		conditions = append(conditions, [2]string{v, eval.NoFault})
	}
	return conditions
}

// comparableCases returns the suite after all results were added, case by case. shuffle sets the
// order of the cases.
func comparableCases(s eval.SuiteSummary, results []eval.Result, shuffle *rand.Rand) eval.SuiteSummary {
	var ids []string
	by := map[string][]eval.Result{}
	if shuffle != nil {
		results = append([]eval.Result(nil), results...)
		shuffle.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
	}
	for _, r := range results {
		if by[r.Case] == nil {
			ids = append(ids, r.Case)
		}
		by[r.Case] = append(by[r.Case], r)
	}
	c := compare.NewSuiteComparison(s)
	for _, id := range ids {
		c.Add(by[id])
	}
	c.AddToSummary(&s)
	return s
}

// pattern returns the results of the cases 0, 1, 2 … in the variants a and b. Each word contains
// the result of a, then of b, for each epoch: + correct, - wrong, . unscored.
func pattern(words ...string) (list []eval.Result) {
	for i, word := range words {
		id := fmt.Sprintf("c%03d", i)
		for epoch := 1; 2*epoch <= len(word); epoch++ {
			for j, v := range []string{"a", "b"} {
				switch word[2*epoch-2+j] {
				case '+':
					list = append(list, trial(v, eval.NoFault, id, epoch, "yes"))
				case '-':
					list = append(list, trial(v, eval.NoFault, id, epoch, "no"))
				case '.':
					list = append(list, unscored(v, eval.NoFault, id, epoch))
				}
			}
		}
	}
	return list
}

// times repeats a word n times.
func times(n int, word string) (words []string) {
	for range n {
		words = append(words, word)
	}
	return words
}
