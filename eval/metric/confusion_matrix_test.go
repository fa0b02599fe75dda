package metric_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = Describe("The matrix of what is taken for what", func() {
	// with are trials of so many classes, the first of which is taken for so many other labels.
	with := func(classes, besides int) eval.ConditionSummary {
		GinkgoHelper()
		var rows []eval.Result
		for i := range classes {
			label := fmt.Sprint("class ", i)
			rows = append(rows, judged(label, label, label))
		}
		for i := range besides {
			rows = append(rows, judged(fmt.Sprint("wrong ", i), fmt.Sprint("other ", i), "class 0"))
		}
		return of(rows...)
	}

	It("has up to 500 classes and 100 labels besides", func() {
		c := with(500, 100)
		Expect(c.Confusion.Labels).To(HaveLen(600))
		Expect(c.Confusion.ExpectedLabels).To(Equal(500))
		Expect(c.Confusion.Counts).To(HaveLen(600))
	})

	DescribeTable("is not there with more, which takes neither the figures nor the pairs away", func(classes, besides int) {
		c := with(classes, besides)
		Expect(c.Confusion).To(BeNil())
		Expect(c.ConfusedPairs).To(HaveLen(min(besides, 10)))
		expectRatio(c.Metrics["route.recall.class 0"], 1, 1+besides, 0)
	},
		Entry("classes", 501, 1), Entry("labels besides", 2, 101),
		Entry("thousands, in a moment", 4000, 4000),
	)
})
