package suite_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/scorer"
)

var _ = Describe("L4: the grading of facts by a model", func() {
	const library = "name: mine\ntarget: scholar\ndataset: d.jsonl\nfaults: [retrieval:timeout]\nvariants:\n  - name: a\n"

	It("is optional, has its own score, and changes no settings hash", func() {
		var keys []string
		for _, on := range []bool{false, true} {
			s := parse(library)
			s.GradeFacts = on
			conditions, err := conditionsOf(s, simulated(nil))
			Expect(err).NotTo(HaveOccurred())
			Expect(conditions[0].NewGrader != nil).To(Equal(on))
			graded := scorer.Facts{Name: eval.GradedScore, Field: conditions[0].FactsField, Judge: scorer.ModelGraded{}}
			if on {
				Expect(conditions[0].Scorers).To(ContainElement(graded))
			} else {
				Expect(conditions[0].Scorers).NotTo(ContainElement(graded))
			}
			Expect(s.UsesComponent(s.Variants[0], "grader")).To(Equal(on))
			keys = append(keys, conditions[0].SettingsHash)
		}
		Expect(keys[0]).To(Equal(keys[1]))
	})

	It("cannot be the target of a fault, which would change the scores but not the answers", func() {
		for _, spec := range []string{"grader:timeout", "retrieval:timeout+grader:timeout@1"} {
			said := "fault \"" + spec + "\": the grader measures the answers: faults do not apply to it"
			for _, on := range []bool{false, true} {
				s := parse(library)
				s.GradeFacts, s.Faults = on, []string{spec}
				Expect(s.Check()).To(MatchError("faults: " + said))
				s.Faults, s.Variants[0].Faults = nil, []string{spec}
				Expect(s.Check()).To(MatchError("variants[0].faults: " + said))
			}
		}
	})

	It("is rejected in decision-only suites, which generate no answer", func() {
		s := parse(library)
		s.GradeFacts, s.DecisionOnly = true, true
		Expect(s.Check()).To(MatchError(
			"grade_facts: cannot be combined with decision_only, which generates no answer"))
	})
})
