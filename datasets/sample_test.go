package datasets_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
)

var _ = Describe("A sample", func() {
	// sized writes a dataset with this many cases of each label, the rare labels last.
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

	DescribeTable("has labels in proportion, and at least one of each", func(n int64, want map[string]int) {
		Expect(counts(ids(all(sized(all4), datasets.Filter{Sample: n, Seed: 1})))).To(Equal(want))
	},
		Entry("without a remainder", int64(200),
			map[string]int{"chat": 140, "image_gen": 40, "web_search": 19, "time_query": 1}),
		Entry("the largest remainder first", int64(37),
			map[string]int{"chat": 26, "image_gen": 7, "web_search": 3, "time_query": 1}),
		Entry("fewer of the others for the rare one", int64(10),
			map[string]int{"chat": 6, "image_gen": 2, "web_search": 1, "time_query": 1}),
		Entry("one each", int64(4), map[string]int{"chat": 1, "image_gen": 1, "web_search": 1, "time_query": 1}),
		Entry("fewer than labels", int64(2), map[string]int{"chat": 1, "image_gen": 1}),
		Entry("one", int64(1), map[string]int{"chat": 1}),
		Entry("all", int64(1000), all4),
		Entry("more than there are", int64(5000), all4),
		Entry("none", int64(0), all4),
	)

	It("has exactly the requested number of cases", func() {
		d := sized(map[string]int{"chat": 31, "image_gen": 1, "web_search": 7, "time_query": 1})
		for n := 1; n <= 40; n++ {
			drawn := ids(all(d, datasets.Filter{Sample: int64(n), Seed: 3}))
			Expect(drawn).To(HaveLen(n))
			if n >= 4 {
				Expect(counts(drawn)).To(HaveLen(4), "%d", n)
			}
		}
	})

	It("is deterministic for a seed, differs for another, and is in file order", func() {
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

	It("is drawn from the cases with the split and the tags", func() {
		d := shipped("toolrouter")
		for _, c := range all(d, datasets.Filter{Split: "test", Tags: []string{"en"}, Sample: 12, Seed: 1}) {
			Expect(c.Split).To(Equal("test"))
			Expect(c.Tags).To(ContainElement("en"))
		}
	})
})
