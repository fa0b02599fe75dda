package finding_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/finding"
)

var _ = DescribeTable("a cell of the fault matrix", func(struck, judged, correct, missing int64, came finding.MatrixState) {
	share := func(k, n int64) eval.Estimate { return eval.Estimate{Value: new(float64(k) / float64(n)), N: n} }
	c := eval.ConditionSummary{Name: "v", Fault: "router:timeout", Metrics: map[string]eval.Estimate{"fault.affected": share(struck, 10)}}
	if judged > 0 {
		e := share(correct, judged)
		e.Missing = missing
		c.Metrics[eval.FaultCorrectScore] = e
	}
	Expect(finding.StateOf(c)).To(Equal(came))
},
	Entry("is right where all that was struck came to what is demanded", int64(4), int64(4), int64(4), int64(0), finding.AsExpected),
	Entry("is right in part where of some nobody knows what should come", int64(4), int64(3), int64(3), int64(0), finding.PartlyUnspecified),
	Entry("is astray where something came to something else", int64(4), int64(3), int64(2), int64(0), finding.Unexpected),
	Entry("is astray where something has no verdict", int64(4), int64(3), int64(3), int64(1), finding.Unexpected),
	Entry("is untold where nobody knows anything", int64(4), int64(0), int64(0), int64(0), finding.Unspecified),
	Entry("is unfired where nothing was struck, whatever is demanded", int64(0), int64(0), int64(0), int64(0), finding.NotTriggered),
)
