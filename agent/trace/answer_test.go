package trace_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
)

var _ = Describe("A model's answer of an event", func() {
	DescribeTable("is returned unchanged, up to the size limit", func(kind trace.Kind, raw, kept string) {
		Expect(trace.Event{Kind: kind, Data: trace.AnswerData(raw)}.Answer()).To(Equal(kept))
	},
		Entry("of a decision", trace.KindRoute, "{\"route\":\"chat\"}\n", "{\"route\":\"chat\"}\n"),
		Entry("of a review", trace.KindReview, "<b>", "<b>"),
		Entry("none", trace.KindRoute, "", ""),
		Entry("of an event with other data", trace.KindGenUIComponent, "x", ""),
		Entry("a long one, truncated at a character", trace.KindRoute, "a"+strings.Repeat("画", trace.MaxAnswer),
			"a"+strings.Repeat("画", (trace.MaxAnswer-1)/3)),
	)

	It("is empty if the data are not an object", func() {
		Expect(trace.Event{Kind: trace.KindRoute, Data: []byte(`[1]`)}.Answer()).To(BeEmpty())
	})
})
