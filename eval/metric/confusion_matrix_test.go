package metric_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = Describe("The confusion matrix", func() {
	// with has trials of this many classes. The first class is predicted as this many other labels.
	with := func(classes, besides int) eval.ConditionSummary {
		GinkgoHelper()
		var rows []eval.Result
		for i := range classes {
			label := fmt.Sprint("class ", i)
			rows = append(rows, isReviewed(label, label, label))
		}
		for i := range besides {
			rows = append(rows, isReviewed(fmt.Sprint("wrong ", i), fmt.Sprint("other ", i), "class 0"))
		}
		return of(rows...)
	}

	It("has up to 500 classes and 100 additional labels", func() {
		c := with(500, 100)
		Expect(c.Confusion.Labels).To(HaveLen(600))
		Expect(c.Confusion.ExpectedLabels).To(Equal(500))
		Expect(c.Confusion.Counts).To(HaveLen(600))
	})

	DescribeTable("is absent beyond these limits, without loss of metrics or confused pairs",
		func(classes, besides int) {
			c := with(classes, besides)
			Expect(c.Confusion).To(BeNil())
			Expect(c.ConfusedPairs).To(HaveLen(min(besides, 10)))
			expectRatio(c.Metrics["route.recall.class 0"], 1, 1+besides, 0)
		},
		Entry("classes", 501, 1), Entry("additional labels", 2, 101),
		Entry("thousands, without delay", 4000, 4000),
	)
})
