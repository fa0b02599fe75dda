package datasets_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
)

var _ = Describe("A random sample of a dataset", func() {
	// sized returns a dataset with this number of cases of each label, the rare labels last.
	sized := func(sizes map[string]int) *datasets.Dataset {
		var b strings.Builder
		for _, label := range []string{"chat", "image_gen", "web_search", "time_query"} {
			for i := range sizes[label] {
				fmt.Fprintf(&b, `{"id":"%s-%03d","text":"x","label":"%s"}`+"\n", label, i, label)
			}
		}
		return open(write(b.String()))
	}
	counts := func(names []string) map[string]int {
		n := map[string]int{}
		for _, id := range names {
			label, _, _ := strings.Cut(id, "-")
			n[label]++
		}
		return n
	}
	all4 := map[string]int{"chat": 700, "image_gen": 200, "web_search": 95, "time_query": 5}

	DescribeTable("contains labels in proportion to the dataset, and each label at least once",
		func(n int64, want map[string]int) {
			Expect(counts(ids(all(sized(all4), datasets.Filter{Sample: n, Seed: 1})))).To(Equal(want))
		},
		Entry("a size that divides evenly", int64(200),
			map[string]int{"chat": 140, "image_gen": 40, "web_search": 19, "time_query": 1}),
		Entry("a size with a remainder: the largest remainders are rounded up", int64(37),
			map[string]int{"chat": 26, "image_gen": 7, "web_search": 3, "time_query": 1}),
		Entry("a size at which cases of frequent labels are replaced by one of a rare label", int64(10),
			map[string]int{"chat": 6, "image_gen": 2, "web_search": 1, "time_query": 1}),
		Entry("as many cases as labels: one of each", int64(4),
			map[string]int{"chat": 1, "image_gen": 1, "web_search": 1, "time_query": 1}),
		Entry("fewer cases than labels: the most frequent labels", int64(2), map[string]int{"chat": 1, "image_gen": 1}),
		Entry("one case: the most frequent label", int64(1), map[string]int{"chat": 1}),
		Entry("as many cases as the dataset has: all cases", int64(1000), all4),
		Entry("more cases than the dataset has: all cases", int64(5000), all4),
		Entry("a size of 0: all cases", int64(0), all4),
	)

	It("contains exactly the requested number of cases", func() {
		d := sized(map[string]int{"chat": 31, "image_gen": 1, "web_search": 7, "time_query": 1})
		for n := 1; n <= 40; n++ {
			drawn := ids(all(d, datasets.Filter{Sample: int64(n), Seed: 3}))
			Expect(drawn).To(HaveLen(n))
			if n >= 4 {
				Expect(counts(drawn)).To(HaveLen(4), "%d", n)
			}
		}
	})

	It("is the same for the same seed, differs for another seed, and has file order", func() {
		d := sized(all4)
		draw := func(seed uint64) []string { return ids(all(d, datasets.Filter{Sample: 50, Seed: seed})) }
		first := draw(1)
		Expect(draw(1)).To(Equal(first))
		Expect(draw(2)).NotTo(Equal(first))
		at := map[string]int{}
		for i, id := range ids(all(d, datasets.Filter{})) {
			at[id] = i
		}
		for i := range len(first) - 1 {
			Expect(at[first[i]]).To(BeNumerically("<", at[first[i+1]]))
		}
	})

	It("is drawn only from cases with the split and the tags of the filter", func() {
		d := shipped("toolrouter")
		for _, c := range all(d, datasets.Filter{Split: "test", Tags: []string{"en"}, Sample: 12, Seed: 1}) {
			Expect(c.Split).To(Equal("test"))
			Expect(c.Tags).To(ContainElement("en"))
		}
	})
})
