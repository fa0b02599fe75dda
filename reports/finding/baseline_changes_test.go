package finding_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/reports/finding"
)

var _ = Describe("The sentence on changes since the baseline run", func() {
	since := func(variant string, state eval.ComparisonState, points float64, fixed, broken int64) compare.Comparison {
		d := eval.Difference{State: state, Cases: 40, Fixed: fixed, Broken: broken,
			Accuracy: eval.Contrast{Value: &points}}
		return compare.Comparison{Epochs: 1, Candidates: []compare.Candidate{{Variant: variant}, {Variant: variant}},
			Pairs: []compare.PairResult{{Candidate: 1, Difference: d}}}
	}
	output := func(list []compare.Comparison, fresh ...string) string {
		s, ok := finding.BaselineChanges("runs/2", list, fresh)
		if !ok {
			return ""
		}
		return s.String()
	}

	It("describes each variant, identical variants together and new ones at the end", func() {
		list := []compare.Comparison{since("a", eval.Identical, 0, 0, 0), since("b", eval.Better, 0.1, 5, 1),
			since("c", eval.Identical, 0, 0, 0), since("d", eval.Worse, -0.2, 0, 8),
			since("e", eval.NotSignificant, 0.01, 2, 1), since("f", eval.InsufficientData, 0, 0, 0)}
		Expect(output(list, "g", "h")).
			To(Equal("Compared with runs/2: a and c make identical decisions in all 40 cases; b is better by 10.0 points (5 fixed, 1 broken); " +
				"d is worse by 20.0 points (0 fixed, 8 broken); e: no significant difference (2 fixed, 1 broken); too few cases of f are scored in both runs; g and h are new."))
		Expect(output(list[:1], "g")).
			To(Equal("Compared with runs/2: a makes identical decisions in all 40 cases; g is new."))
		Expect(output(nil)).To(BeEmpty())
	})

	It("counts cases that are right more or less often, instead of fixed and broken ones, if there are several epochs",
		func() {
			c := since("b", eval.Better, 0.1, 5, 1)
			c.Epochs = 3
			Expect(output([]compare.Comparison{c})).
				To(Equal("Compared with runs/2: b is better by 10.0 points (5 right more often, 1 less often)."))
		})

	It("links to the fixed and broken cases, if there are any", func() {
		s, _ := finding.BaselineChanges("runs/2", []compare.Comparison{since("d", eval.Worse, -0.2, 0, 8)}, nil)
		var led []string
		for _, p := range s.Parts {
			if p.Link != nil {
				led = append(led, p.Text+" "+p.Link.Variant+" "+p.Link.Change)
			}
		}
		Expect(strings.Join(led, ", ")).To(Equal("8 broken d new_failure"))
	})
})
