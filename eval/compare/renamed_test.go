package compare_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/compare"
)

var _ = Describe("30.6: comparing runs of datasets whose cases have other IDs", func() {
	// run returns a run of cases, each with its ID, a hexadecimal digit for its content, and + if it
	// was answered correctly or else -.
	run := func(name string, cases ...string) compare.RunData {
		var list []eval.Result
		for _, c := range cases {
			part := strings.Fields(c)
			got := "no"
			if part[2] == "+" {
				got = "yes"
			}
			r := trial("v", eval.NoFault, part[0], 1, got)
			digits := strings.Repeat(part[1], 8)
			r.CaseHash = eval.CaseHash(digits + "." + digits + "." + digits)
			list = append(list, r)
		}
		return source(name, list...)
	}
	fixedAndBroken := func(list []compare.Comparison) (ids []string) {
		v := list[0].Pairs[0]
		for _, c := range append(v.FixedCases, v.BrokenCases...) {
			ids = append(ids, c.Case)
		}
		return ids
	}

	It("pairs cases with the same content, under the IDs of the first run", func() {
		list := between(compare.Selection{}, run("old", "csv-1 a +", "csv-2 b -", "csv-3 c +"),
			run("new", "z b +", "y a +", "x c -"))
		Expect(fixedAndBroken(list)).To(Equal([]string{"csv-2", "csv-3"}))
		Expect(list[0].Pairs[0].Cases).To(BeEquivalentTo(3))
		Expect(list[0].Notes).To(BeEmpty())
	})

	It("pairs the cases around an inserted row", func() {
		runs := []compare.RunData{run("old", "csv-1 a +", "csv-2 b -"), run("new", "x a +", "y d -", "z b +")}
		Expect(comparisonError(compare.Selection{}, runs...)).To(ContainSubstring("only 2 of 3 cases are in all of them"))
		list := between(compare.Selection{CommonCases: true}, runs...)
		Expect(fixedAndBroken(list)).To(Equal([]string{"csv-2"}))
		Expect(list[0].Pairs[0].Cases).To(BeEquivalentTo(2))
		Expect(list[0].Notes).To(ContainElement(HavePrefix("2 of 3 cases are compared")))
	})

	It("pairs no different contents if an inserted row shifts numbers", func() {
		runs := []compare.RunData{run("old", "1 a +", "2 b -", "3 c -"), run("new", "1 a +", "2 d +", "3 b +", "4 c +")}
		Expect(comparisonError(compare.Selection{}, runs...)).To(ContainSubstring("2 of 4 cases changed between the runs"))
		list := between(compare.Selection{CommonCases: true}, runs...)
		Expect(fixedAndBroken(list)).To(BeEmpty())
		Expect(list[0].Pairs[0].Cases).To(BeEquivalentTo(1))
	})

	It("pairs no cases whose content several cases have", func() {
		for _, runs := range [][]compare.RunData{
			{run("old", "1 a +", "2 a -", "3 b -"), run("new", "x a -", "y a +", "z b +")},
			{run("old", "1 a +", "3 b -"), run("new", "x a -", "y a +", "z b +")},
			{run("old", "1 a +", "2 a -", "3 b -"), run("new", "x a -", "z b +")},
		} {
			list := between(compare.Selection{CommonCases: true}, runs...)
			Expect(fixedAndBroken(list)).To(Equal([]string{"3"}))
			Expect(list[0].Pairs[0].Cases).To(BeEquivalentTo(1))
		}
	})
})
