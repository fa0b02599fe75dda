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

	It("are of what strikes now and then only where they name it", func() {
		s, err := under(`
outcomes:
  - parts: [router]
    kinds: [reset@1]
    settled: so
    then: {served: [decided]}
  - parts: [router]
    because: there
    then: {served: [chat]}
`)
		Expect(err).NotTo(HaveOccurred())
		for fault, settled := range map[string]string{"router:reset@1": "so", "router:reset": ""} {
			o, ok := s.OutcomeOf(suite.Variant{}, fault)
			Expect(ok).To(BeTrue(), fault)
			Expect(o.Settled).To(Equal(settled), fault)
		}
		for _, fault := range []string{"router:auth@1", "router:reset%5", "router:reset+chat:reset"} {
			_, ok := s.OutcomeOf(suite.Variant{}, fault)
			Expect(ok).To(BeFalse(), fault)
		}
	})

	It("go by tables, of whole cases or of their turns", func() {
		_, err := under(`
cases: [a, b]
tables:
  rules_say: {chat: [a, "b#1"], image_gen: ["b#2"]}
outcomes:
  - parts: [router]
    because: there
    then: {decided: [rules_say], served: [rules_say], steps: [router>rules_say]}
`)
		Expect(err).NotTo(HaveOccurred())
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
		Entry("two grounds", "outcomes:\n  - parts: [router]\n    because: x\n    settled: y\n    then: {served: [chat]}\n", `faults.yaml:4:14: outcomes[0].settled: does not go with because`),
		Entry("a table of an unknown label", "cases: [a]\ntables:\n  mine: {chit: [a]}\n", `faults.yaml:3:16: tables.mine.chit: unknown label "chit"`),
		Entry("a table of an unknown case", "cases: [a]\ntables:\n  mine: {chat: [a, x]}\n", `faults.yaml:3:20: tables.mine.chat[1]: x: unknown case "x"`),
		Entry("a table that leaves a case out", "cases: [a, b]\ntables:\n  mine: {chat: [a]}\n", `faults.yaml:3:9: tables.mine: says nothing of case b`),
		Entry("a table that tells a case twice", "cases: [a]\ntables:\n  mine: {chat: [a], image_gen: [a]}\n", `faults.yaml:3:33: tables.mine.image_gen[0]: a: is told twice`),
		Entry("a table that tells a turn beside its case", "cases: [a]\ntables:\n  mine: {chat: [\"a#1\"], image_gen: [a]}\n", `faults.yaml:3:37: tables.mine.image_gen[0]: a: is told twice`),
		Entry("a table that is called like a label", "cases: [a]\ntables:\n  chat: {chat: [a]}\n", `faults.yaml:3:9: tables.chat: is a word of its own`),
		Entry("a word that is no table", "outcomes:\n  - parts: [router]\n    because: x\n    then: {decided: [mine]}\n", `faults.yaml:4:11: outcomes[0].then[0].decided: unknown decided "mine"`),
		Entry("a foreign setting", "outcomes:\n  - parts: [router]\n    with: {profile: v1}\n    untold: x\n", `faults.yaml:3:21: outcomes[0].with.profile: toolrouter has none`),
	)
})
