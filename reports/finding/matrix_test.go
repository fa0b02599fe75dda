package finding_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/finding"
)

var _ = DescribeTable("The state of a condition in the fault matrix",
	func(affected, judged, correct, missing int64, came finding.MatrixState) {
		share := func(k, n int64) eval.Estimate { return eval.Estimate{Value: new(float64(k) / float64(n)), N: n} }
		c := eval.ConditionSummary{Variant: "v", Fault: "router:timeout",
			Metrics: map[string]eval.Estimate{"fault.affected": share(affected, 10)}}
		if judged > 0 {
			e := share(correct, judged)
			e.Missing = missing
			c.Metrics[eval.FaultCorrectScore] = e
		}
		row := finding.FaultEffect{Variant: "v", Conditions: []eval.ConditionSummary{c}}
		Expect(row.State()).To(Equal(came))
	},
	Entry("is \"as expected\" if all affected trials had the expected outcome", int64(4), int64(4), int64(4), int64(0),
		finding.AsExpected),
	Entry("is \"partly unspecified\" if some trials have no expected outcome", int64(4), int64(3), int64(3), int64(0),
		finding.PartlyUnspecified),
	Entry("is \"unexpected\" if a trial had another outcome than expected", int64(4), int64(3), int64(2), int64(0),
		finding.Unexpected),
	Entry("is \"unexpected\" if a trial is unscored", int64(4), int64(3), int64(3), int64(1), finding.Unexpected),
	Entry("is \"unspecified\" if no trial has an expected outcome", int64(4), int64(0), int64(0), int64(0),
		finding.Unspecified),
	Entry("is \"not triggered\" if the fault affected no trial", int64(0), int64(0), int64(0), int64(0),
		finding.NotTriggered),
)
