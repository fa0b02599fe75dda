package suggest_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/suggest"
)

func TestSuggest(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Suggest")
}

var _ = DescribeTable("a misspelt word finds the one that was meant", func(word, want string) {
	near, ok := suggest.Closest(word, []string{"rules", "llm", "llm-first"})
	Expect(near).To(Equal(want))
	Expect(ok).To(Equal(want != ""))
},
	Entry("a swap", "ruels", "rules"),
	Entry("a letter missing", "rule", "rules"),
	Entry("a letter too many", "lllm", "llm"),
	Entry("a wrong letter", "llm_first", "llm-first"),
	Entry("something else", "dice", ""),
	Entry("nothing", "", ""),
)

var _ = DescribeTable("an unknown word is told with what is known", func(word, want string) {
	Expect(suggest.CheckWord("router", word, []string{"rules", "llm"})).To(MatchError(want))
},
	Entry("near one", "ruels", `unknown router "ruels", did you mean "rules"?`),
	Entry("far from all", "dice", `unknown router "dice" (known: rules, llm)`),
)

var _ = It("passes a known word", func() {
	Expect(suggest.CheckWord("router", "llm", []string{"rules", "llm"})).To(Succeed())
})
