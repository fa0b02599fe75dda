package eval_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = Describe("Shard", func() {
	It("contains every nth case, and returns how many cases of a range it contains", func() {
		for of := 1; of <= 7; of++ {
			for first := int64(0); first < 10; first++ {
				for n := int64(0); n < 20; n++ {
					all := int64(0)
					for i := 1; i <= of; i++ {
						s, has := eval.Shard{Index: i, Count: of}, int64(0)
						for number := first; number < first+n; number++ {
							if s.Has(number) {
								has++
							}
						}
						Expect(s.CaseCount(first, n)).To(Equal(has), "%s of %d from %d", s, n, first)
						all += has
					}
					Expect(all).To(Equal(n))
				}
			}
		}
		Expect(eval.Shard{}.Has(3)).To(BeTrue())
		Expect(eval.Shard{}.CaseCount(3, 5)).To(BeEquivalentTo(5))
	})

	It("can be parsed from the text that String returns", func() {
		s, err := eval.ParseShard("2/8")
		Expect(err).NotTo(HaveOccurred())
		Expect(s).To(Equal(eval.Shard{Index: 2, Count: 8}))
		Expect(s.String()).To(Equal("2/8"))
	})

	DescribeTable("cannot be parsed from a text without a valid INDEX/OF", func(text string) {
		_, err := eval.ParseShard(text)
		Expect(err).To(MatchError(ContainSubstring("is not a part of a run: expected INDEX/OF, as 2/8")))
	}, Entry(nil, ""), Entry(nil, "2"), Entry(nil, "0/8"), Entry(nil, "9/8"), Entry(nil, "2/x"), Entry(nil, "-1/-1"),
		Entry(nil, "1/10001"), Entry(nil, "1/2/3"))
})
