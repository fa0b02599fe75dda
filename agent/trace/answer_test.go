package trace_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
)

var _ = Describe("a model's answer behind an event", func() {
	DescribeTable("comes back as it stood there, as far as it is kept", func(kind trace.Kind, raw, kept string) {
		Expect(trace.Event{Kind: kind, Data: trace.AnswerData(raw)}.Answer()).To(Equal(kept))
	},
		Entry("a decision's", trace.KindRoute, "{\"route\":\"chat\"}\n", "{\"route\":\"chat\"}\n"),
		Entry("a review's", trace.KindReview, "<b>", "<b>"),
		Entry("none", trace.KindRoute, "", ""),
		Entry("of an event that has other data", trace.KindGenUIComponent, "x", ""),
		Entry("the beginning of a long one, of whole characters", trace.KindRoute, "a"+strings.Repeat("画", trace.MaxAnswer), "a"+strings.Repeat("画", (trace.MaxAnswer-1)/3)),
	)

	It("is none where the data are no object", func() {
		Expect(trace.Event{Kind: trace.KindRoute, Data: []byte(`[1]`)}.Answer()).To(BeEmpty())
	})
})
