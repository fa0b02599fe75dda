package suite_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/suite"
)

var _ = Describe("outcomes", func() {
	under := func(text string) (suite.Suite, error) { return parse(small).Under("faults.yaml", []byte(text)) }

	It("are of the first that fits the part, the kind and how the variant is set", func() {
		s, err := under(`
outcomes:
  - parts: [router]
    kinds: [timeout]
    with: {router: llm-first}
    because: there
    then: {source: [rules], served: [decided]}
  - parts: [router, chat]
    untold: nobody says
`)
		Expect(err).NotTo(HaveOccurred())
		first := suite.Variant{Settings: map[string]string{"router": "llm-first"}}
		o, ok := s.OutcomeOf(first, "router:timeout")
		Expect(ok).To(BeTrue())
		Expect(o.Then).To(HaveLen(1))
		o, _ = s.OutcomeOf(suite.Variant{Settings: map[string]string{"router": "llm"}}, "router:timeout")
		Expect(o.Untold).To(Equal("nobody says"))
		_, ok = s.OutcomeOf(first, "image:timeout")
		Expect(ok).To(BeFalse())
	})

	DescribeTable("are read strictly", func(text, message string) {
		_, err := under(text)
		Expect(err).To(MatchError(HavePrefix(message)))
	},
		Entry("an unknown field", "outcomes:\n  - parts: [router]\n    what: 1\n", `faults.yaml:3:5: unknown field "what"`),
		Entry("an unknown part", "outcomes:\n  - parts: [rooter]\n    untold: x\n", `faults.yaml:2:12: outcomes[0].parts: unknown part "rooter"`),
		Entry("an unknown label", "outcomes:\n  - parts: [router]\n    because: x\n    then: {served: [chit]}\n", `faults.yaml:4:11: outcomes[0].then[0].served: unknown served "chit"`),
		Entry("an unknown source", "outcomes:\n  - parts: [router]\n    because: x\n    then:\n      - {source: [me]}\n", `faults.yaml:5:18: outcomes[0].then[0].source: unknown source "me"`),
		Entry("no step", "outcomes:\n  - parts: [router]\n    because: x\n    then:\n      - {steps: [router]}\n", `faults.yaml:5:17: outcomes[0].then[0].steps: "router" is no FROM>TO`),
		Entry("nothing to come", "outcomes:\n  - parts: [router]\n", `faults.yaml:2:10: outcomes[0].then: is missing`),
		Entry("no ground", "outcomes:\n  - parts: [router]\n    then: {served: [chat]}\n", `faults.yaml:2:10: outcomes[0].because: is missing`),
		Entry("a foreign setting", "outcomes:\n  - parts: [router]\n    with: {profile: v1}\n    untold: x\n", `faults.yaml:3:21: outcomes[0].with.profile: toolrouter has none`),
	)
})
