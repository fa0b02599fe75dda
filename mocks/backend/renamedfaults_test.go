package backend_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

var _ = DescribeTable("28.3: a fault spec with an old name is rejected, and the error contains the new name",
	func(system, spec, want string) {
		of, ok := suite.FindSystem(system)
		Expect(ok).To(BeTrue())
		_, err := backend.ParseFaults(spec, of)
		Expect(err).To(MatchError(`fault "` + spec + `": unknown ` + want))
	},
	Entry(nil, "studio", "knowledge:timeout", `component "knowledge": it is now "style_library"`),
	Entry(nil, "newsroom", "illustrator:timeout", `component "illustrator": it is now "image_agent"`),
	Entry(nil, "scholar", "questions:timeout", `component "questions": it is now "sub_questions"`),
	Entry(nil, "scholar", "answer:timeout+recall:timeout@1", `component "recall": it is now "retrieval"`),
	Entry(nil, "newsroom", "router:residual_label@1", `kind "residual_label": it is now "fallback_label"`),
	Entry(nil, "toolrouter", "router:rate_limited_bare%5",
		`kind "rate_limited_bare": it is now "rate_limited_no_retry_after"`),
)

var _ = It("28.3: the system companion still has a component named knowledge", func() {
	of, _ := suite.FindSystem("companion")
	_, err := backend.ParseFaults("knowledge:timeout", of)
	Expect(err).NotTo(HaveOccurred())
})
