package metric_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = Describe("The confusion matrix", func() {
	// with returns the summary of trials with the given number of classes. besides is the number of
	// other labels that are predicted.
	with := func(classes, besides int) eval.ConditionSummary {
		GinkgoHelper()
		var rows []eval.Result
		for i := range classes {
			label := fmt.Sprint("class ", i)
			rows = append(rows, scoredTrial(label, label, label))
		}
		for i := range besides {
			rows = append(rows, scoredTrial(fmt.Sprint("wrong ", i), fmt.Sprint("other ", i), "class 0"))
		}
		return of(rows...)
	}

	It("contains up to 500 classes and 100 additional labels", func() {
		c := with(500, 100)
		Expect(c.Confusion.Labels).To(HaveLen(600))
		Expect(c.Confusion.ExpectedLabels).To(Equal(500))
		Expect(c.Confusion.Counts).To(HaveLen(600))
	})

	DescribeTable("is absent beyond these limits, and the other metrics and the confused pairs are still present",
		func(classes, besides int) {
			c := with(classes, besides)
			Expect(c.Confusion).To(BeNil())
			Expect(c.ConfusedPairs).To(HaveLen(min(besides, 10)))
			expectRatio(c.Metrics["route.recall.class 0"], 1, 1+besides, 0)
		},
		Entry("501 classes", 501, 1), Entry("101 additional labels", 2, 101),
		Entry("4,000 classes and 4,000 additional labels", 4000, 4000),
	)
})
