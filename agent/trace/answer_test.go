package trace_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
)

var _ = Describe("Event.RawAnswer", func() {
	DescribeTable("returns the model's raw answer of an event, truncated to MaxRawAnswer",
		func(kind trace.Kind, raw, kept string) {
			Expect(trace.Event{Kind: kind, Data: trace.RawAnswerData(raw)}.RawAnswer()).To(Equal(kept))
		},
		Entry("a decision returns its answer unchanged", trace.KindRoute, "{\"route\":\"chat\"}\n",
			"{\"route\":\"chat\"}\n"),
		Entry("a review returns its answer unchanged", trace.KindReview, "<b>", "<b>"),
		Entry("a decision without an answer returns \"\"", trace.KindRoute, "", ""),
		Entry("an event that stores other data returns \"\"", trace.KindGenUIComponent, "x", ""),
		Entry("a long answer is truncated at a character boundary", trace.KindRoute,
			"a"+strings.Repeat("画", trace.MaxRawAnswer),
			"a"+strings.Repeat("画", (trace.MaxRawAnswer-1)/3)),
	)

	It("returns \"\" if the data of the event are not a JSON object", func() {
		Expect(trace.Event{Kind: trace.KindRoute, Data: []byte(`[1]`)}.RawAnswer()).To(BeEmpty())
	})
})
