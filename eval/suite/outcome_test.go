package suite_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/suite"
)

var _ = Describe("The expected outcomes of a suite", func() {
	under := func(text string) (suite.Suite, error) {
		return parse(small).WithFaultMatrix("faults.yaml", []byte(text))
	}

	It("apply by component, fault kind and settings; the first match is used", func() {
		s, err := under(`
expected_outcomes:
  - components: [router]
    kinds: [timeout]
    when: {router: llm-first}
    specified_by: there
    expect: {decided_by: [rules], answered_by: [predicted]}
  - components: [router, chat]
    unspecified: nobody says
`)
		Expect(err).NotTo(HaveOccurred())
		first := suite.Variant{Settings: map[string]string{"router": "llm-first"}}
		o, ok := s.ExpectationFor(first, "router:timeout")
		Expect(ok).To(BeTrue())
		Expect(o.Expect).To(HaveLen(1))
		o, _ = s.ExpectationFor(suite.Variant{Settings: map[string]string{"router": "llm"}}, "router:timeout")
		Expect(o.UnspecifiedReason).To(Equal("nobody says"))
		_, ok = s.ExpectationFor(first, "image:timeout")
		Expect(ok).To(BeFalse())
	})

	It("apply to an intermittent fault only if they name it", func() {
		s, err := under(`
expected_outcomes:
  - components: [router]
    kinds: [reset@1]
    our_decision: so
    expect: {answered_by: [predicted]}
  - components: [router]
    specified_by: there
    expect: {answered_by: [chat]}
`)
		Expect(err).NotTo(HaveOccurred())
		for fault, settled := range map[string]string{"router:reset@1": "so", "router:reset": ""} {
			o, ok := s.ExpectationFor(suite.Variant{}, fault)
			Expect(ok).To(BeTrue(), fault)
			Expect(o.OurDecisionReason).To(Equal(settled), fault)
		}
		for _, fault := range []string{"router:auth@1", "router:reset%5", "router:reset+chat:reset"} {
			_, ok := s.ExpectationFor(suite.Variant{}, fault)
			Expect(ok).To(BeFalse(), fault)
		}
	})

	It("can refer to label tables, for whole cases or for single turns", func() {
		_, err := under(`
cases: [a, b]
label_tables:
  rules_say: {chat: [a, "b#1"], image_gen: ["b#2"]}
expected_outcomes:
  - components: [router]
    specified_by: there
    expect: {predicted: [rules_say], answered_by: [rules_say], fallbacks: [router>rules_say]}
`)
		Expect(err).NotTo(HaveOccurred())
	})

	DescribeTable("are rejected with an error if they are invalid", func(text, message string) {
		_, err := under(text)
		Expect(err).To(MatchError(HavePrefix(message)))
	},
		Entry("an unknown field", "expected_outcomes:\n  - components: [router]\n    what: 1\n",
			`faults.yaml:3:5: unknown field "what"`),
		Entry("an unknown component", "expected_outcomes:\n  - components: [rooter]\n    unspecified: x\n",
			`faults.yaml:2:17: expected_outcomes[0].components: unknown part "rooter"`),
		Entry("a fallback that does not have the form FROM>TO",
			"expected_outcomes:\n  - components: [router]\n    specified_by: x\n    expect: {answered_by: [chit]}\n",
			`faults.yaml:4:13: expected_outcomes[0].expect[0].answered_by: unknown answered_by "chit"`),
		Entry("an unknown decision source",
			"expected_outcomes:\n  - components: [router]\n    specified_by: x\n    expect:\n      - {decided_by: [me]}\n", `faults.yaml:5:22: expected_outcomes[0].expect[0].decided_by: unknown decided_by "me"`),
		Entry("a fallback that is not FROM>TO",
			"expected_outcomes:\n  - components: [router]\n    specified_by: x\n    expect:\n      - {fallbacks: [router]}\n", `faults.yaml:5:21: expected_outcomes[0].expect[0].fallbacks: "router" is not FROM>TO`),
		Entry("neither an expected outcome nor a reason why there is none",
			"expected_outcomes:\n  - components: [router]\n",
			`faults.yaml:2:15: expected_outcomes[0].expect: is missing`),
		Entry("an expected outcome with neither specified_by nor our_decision",
			"expected_outcomes:\n  - components: [router]\n    expect: {answered_by: [chat]}\n",
			`faults.yaml:2:15: expected_outcomes[0].specified_by: is missing`),
		Entry("an expected outcome with both specified_by and our_decision",
			"expected_outcomes:\n  - components: [router]\n    specified_by: x\n    our_decision: y\n    expect: {answered_by: [chat]}\n", `faults.yaml:4:19: expected_outcomes[0].our_decision: cannot be combined with specified_by`),
		Entry("a label table with an unknown label", "cases: [a]\nlabel_tables:\n  mine: {chit: [a]}\n",
			`faults.yaml:3:16: label_tables.mine.chit: unknown label "chit"`),
		Entry("a label table with an unknown case", "cases: [a]\nlabel_tables:\n  mine: {chat: [a, x]}\n",
			`faults.yaml:3:20: label_tables.mine.chat[1]: x: unknown case "x"`),
		Entry("a label table that lacks a case", "cases: [a, b]\nlabel_tables:\n  mine: {chat: [a]}\n",
			`faults.yaml:3:9: label_tables.mine: has no entry for case b`),
		Entry("a label table that contains a case twice",
			"cases: [a]\nlabel_tables:\n  mine: {chat: [a], image_gen: [a]}\n",
			`faults.yaml:3:33: label_tables.mine.image_gen[0]: a: is given twice`),
		Entry("a label table that contains a case and one of its turns",
			"cases: [a]\nlabel_tables:\n  mine: {chat: [\"a#1\"], image_gen: [a]}\n",
			`faults.yaml:3:37: label_tables.mine.image_gen[0]: a: is given twice`),
		Entry("a label table that has the name of a label", "cases: [a]\nlabel_tables:\n  chat: {chat: [a]}\n",
			`faults.yaml:3:9: label_tables.chat: is a word of its own`),
		Entry("a name that is neither a label nor a label table",
			"expected_outcomes:\n  - components: [router]\n    specified_by: x\n    expect: {predicted: [mine]}\n",
			`faults.yaml:4:13: expected_outcomes[0].expect[0].predicted: unknown predicted "mine"`),
		Entry("a condition (when) on a setting of another system",
			"expected_outcomes:\n  - components: [router]\n    when: {profile: v1}\n    unspecified: x\n",
			`faults.yaml:3:21: expected_outcomes[0].when.profile: toolrouter does not have it`),
	)
})
