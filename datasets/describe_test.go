package datasets_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
	"evalctl/eval"
)

var _ = Describe("Describe", func() {
	It("counts cases by label, language, split and tag, the most frequent values first", func() {
		d := open(write(
			`{"id":"a","text":"1","label":"web_search","tags":["zh","typo"]}`, "\n",
			`{"id":"b","text":"2","label":"chat","tags":["en","typo"],"split":"dev"}`, "\n",
			`{"id":"c","text":"3","label":"chat","tags":["en"]}`, "\n"))
		got, err := d.Describe(0)
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal(datasets.Description{
			Name: d.Name, Hash: d.Hash, Cases: 3,
			Labels:    []datasets.Count{{Name: "chat", N: 2}, {Name: "web_search", N: 1}},
			Languages: []datasets.Count{{Name: "en", N: 2}, {Name: "zh", N: 1}},
			Splits:    []datasets.Count{{Name: "", N: 2}, {Name: "dev", N: 1}},
			Tags:      []datasets.Count{{Name: "en", N: 2}, {Name: "typo", N: 2}, {Name: "zh", N: 1}},
			Examples:  []eval.Case{},
		}))
	})

	It("returns the same sample of cases every time, in file order and from the whole dataset", func() {
		var lines []string
		for i := range 300 {
			lines = append(lines, short(fmt.Sprintf("c%03d", i), fmt.Sprint(i)))
		}
		d := open(write(lines...))
		sample := func(n int) []string {
			got, err := d.Describe(n)
			Expect(err).NotTo(HaveOccurred())
			return ids(got.Examples)
		}
		Expect(sample(9)).To(HaveLen(9))
		Expect(sample(9)).To(Equal(sample(9)))
		Expect(sample(9)).To(ContainElements(sample(4)))
		Expect(sample(400)).To(HaveLen(300))
		Expect(sample(9)[0] < "c150").To(BeTrue())
		Expect(sample(9)[8] > "c150").To(BeTrue())
	})
})
