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
		for _, e := range dates.Rows() {
			Expect(e.Matches(e.Yes, today)).To(BeTrue(), "%s: %s", e.Ask, e.Yes)
			Expect(e.Matches(e.No, today)).To(BeFalse(), "%s: %s", e.Ask, e.No)
		}
	})

	It("C5: have start words in every row that cover all its matches", func() {
		var texts []string
		for _, e := range dates.Rows() {
			texts = append(texts, e.Yes, e.No)
		}
		for _, e := range dates.Rows() {
			for _, text := range texts {
				Expect(e.StartWordsCover(text)).To(BeTrue(), "%s: %s", e.Ask, text)
			}
		}
	})
})
