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

var _ = DescribeTable("finds the known word closest to a misspelled one", func(word, want string) {
	near, ok := suggest.Closest(word, []string{"rules", "llm", "llm-first"})
	Expect(near).To(Equal(want))
	Expect(ok).To(Equal(want != ""))
},
	Entry("swapped letters", "ruels", "rules"),
	Entry("missing letter", "rule", "rules"),
	Entry("extra letter", "lllm", "llm"),
	Entry("wrong character", "llm_first", "llm-first"),
	Entry("unrelated word", "dice", ""),
	Entry("empty word", "", ""),
)

var _ = DescribeTable("names the closest known word or lists all in the error", func(word, want string) {
	Expect(suggest.CheckWord("router", word, []string{"rules", "llm"})).To(MatchError(want))
},
	Entry("close to one", "ruels", `unknown router "ruels", did you mean "rules"?`),
	Entry("close to none", "dice", `unknown router "dice" (known: rules, llm)`),
)

var _ = It("accepts a known word", func() {
	Expect(suggest.CheckWord("router", "llm", []string{"rules", "llm"})).To(Succeed())
})
