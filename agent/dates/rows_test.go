package dates_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/dates"
)

var _ = Describe("C5: the tables of date patterns", func() {
	today := dates.DayOf(at("2026-11-18 10:00"))

	It("C5: have an example and a counterexample in every row", func() {
		Expect(dates.Rows()).NotTo(BeEmpty())
		for _, r := range dates.Rows() {
			Expect(r.Matches(r.Example, today)).To(BeTrue(), "%s: %s", r.Pattern, r.Example)
			Expect(r.Matches(r.Counterexample, today)).To(BeFalse(), "%s: %s", r.Pattern, r.Counterexample)
		}
	})

	It("C5: have start words in every row that cover all its matches", func() {
		var texts []string
		for _, r := range dates.Rows() {
			texts = append(texts, r.Example, r.Counterexample)
		}
		for _, r := range dates.Rows() {
			for _, text := range texts {
				Expect(r.StartWordsCover(text)).To(BeTrue(), "%s: %s", r.Pattern, text)
			}
		}
	})
})
