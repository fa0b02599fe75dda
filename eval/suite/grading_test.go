package suite_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/scorer"
)

var _ = Describe("L4: the grading of facts", func() {
	const library = "name: mine\ntarget: scholar\ndataset: d.jsonl\nfaults: [grader:timeout, recall:timeout]\nvariants:\n  - name: a\n"

	It("is there only where it is asked for, with a score of its own, and changes no trial's key", func() {
		var keys []string
		for _, on := range []bool{false, true} {
			s := parse(library)
			s.GradeFacts = on
			cells, err := cellsOf(s, simulated(nil))
			Expect(err).NotTo(HaveOccurred())
			Expect(cells[0].Grade != nil).To(Equal(on))
			graded := scorer.Facts{Name: eval.GradedScore, Field: cells[0].Facts, Judge: scorer.Graded{}}
			if on {
				Expect(cells[0].Scorers).To(ContainElement(graded))
			} else {
				Expect(cells[0].Scorers).NotTo(ContainElement(graded))
			}
			Expect(s.Reaches(s.Variants[0], "grader")).To(Equal(on))
			keys = append(keys, cells[0].Settings)
		}
		Expect(keys[0]).To(Equal(keys[1]))
	})

	It("is struck by no fault: it measures", func() {
		for _, on := range []bool{false, true} {
			s := parse(library)
			s.GradeFacts = on
			Expect(s.FaultsOf(s.Variants[0])).To(Equal([]string{"none", "recall:timeout"}))
		}
	})

	It("asks for no answer that is not given", func() {
		s := parse(library)
		s.GradeFacts, s.Scope = true, "decision"
		Expect(s.Check()).To(MatchError("grade_facts: scope decision asks for no answer"))
	})
})
