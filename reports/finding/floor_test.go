package finding_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// floored are the three, and a floor that has so many of 100 right.
func floored(right int64, differences ...eval.Difference) eval.SuiteSummary {
	s := three(differences...)
	f := cell("learned", eval.NoFault, right, 100)
	f.Floor = true
	s.Variants = append(s.Variants, f)
	return s
}

var _ = Describe("who does not beat the floor", func() {
	It("is named with the difference, proven or not", func() {
		s := floored(75, versus("learned", "a", eval.Even, 0.05, -0.01, 0.1), versus("b", "learned", eval.Better, 0.05, 0.01, 0.1), versus("c", "learned", eval.Better, 0.06, 0.01, 0.1))
		Expect(said(s, finding.Floor)).To(Equal("a does not beat the floor (learned: 75.0 % of 100 right): −5.0 points (−10.0 to +1.0)."))
		s.Differences[0].State = eval.Better
		Expect(said(s, finding.Floor)).To(Equal("a does not beat the floor (learned: 75.0 % of 100 right): −5.0 points (−10.0 to +1.0)."))
	})

	It("are told together, with the best of them", func() {
		s := floored(80, versus("a", "learned", eval.Worse, -0.1, -0.2, -0.05), versus("b", "learned", eval.Alike, 0, 0, 0), versus("c", "learned", eval.Even, 0.01, -0.05, 0.06))
		Expect(said(s, finding.Floor)).To(Equal("c, b and a do not beat the floor (learned: 80.0 % of 100 right); the best of them, c: +1.0 points (−5.0 to +6.0)."))
		s.Variants = append(s.Variants, cell("d", eval.NoFault, 60, 100))
		s.Differences = append(s.Differences, versus("d", "learned", eval.Worse, -0.2, -0.3, -0.1))
		Expect(said(s, finding.Floor)).To(HavePrefix("c and 3 more do not beat the floor"))
	})

	It("is nobody where all are proven better, nothing is known, or only failing cases were played", func() {
		s := floored(60, versus("a", "learned", eval.Better, 0.1, 0.02, 0.2), versus("b", "learned", eval.Unknown, 0, 0, 0))
		Expect(said(s, finding.Floor)).To(BeEmpty())
		s.Differences[0].State = eval.Even
		Expect(said(s, finding.Floor)).NotTo(BeEmpty())
		s.FailedIn = "runs/first"
		Expect(said(s, finding.Floor)).To(BeEmpty())
		Expect(said(three(versus("c", "a", eval.Even, 0.11, -0.05, 0.17)), finding.Floor)).To(BeEmpty())
	})

	It("are all where the floor leads, which is a warning and no praise", func() {
		s := floored(90, versus("learned", "a", eval.Better, 0.2, 0.1, 0.3), versus("learned", "b", eval.Better, 0.1, 0.02, 0.2), versus("learned", "c", eval.Even, 0.09, -0.01, 0.2))
		found := finding.Of(s)
		Expect(found[0].String()).To(HavePrefix("learned, a floor, leads: 90.0 % of 100 right"))
		Expect(found[0].Warns()).To(BeTrue())
		Expect(found[1].String()).To(HavePrefix("c, b and a do not beat the floor (learned: 90.0 % of 100 right); the best of them, c: −9.0 points"))
		Expect(found[1].Warns()).To(BeTrue())
		Expect(said(s, finding.Winner)).To(BeEmpty())
	})
})
