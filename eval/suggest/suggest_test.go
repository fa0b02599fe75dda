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

var _ = DescribeTable("Closest finds the known word that is most similar to a misspelled one", func(word, want string) {
	near, ok := suggest.Closest(word, []string{"rules", "llm", "llm-first"})
	Expect(near).To(Equal(want))
	Expect(ok).To(Equal(want != ""))
},
	Entry("two letters in the wrong order", "ruels", "rules"),
	Entry("a missing letter", "rule", "rules"),
	Entry("an additional letter", "lllm", "llm"),
	Entry("a wrong character", "llm_first", "llm-first"),
	Entry("a word that resembles no known word", "dice", ""),
	Entry("an empty word", "", ""),
)

var _ = DescribeTable("CheckKnown suggests the most similar known word in its error, or lists all known words",
	func(word, want string) {
		Expect(suggest.CheckKnown("router", word, []string{"rules", "llm"})).To(MatchError(want))
	},
	Entry("a word that resembles a known one", "ruels", `unknown router "ruels", did you mean "rules"?`),
	Entry("a word that resembles no known word", "dice", `unknown router "dice" (known: rules, llm)`),
)

var _ = It("CheckKnown accepts a known word", func() {
	Expect(suggest.CheckKnown("router", "llm", []string{"rules", "llm"})).To(Succeed())
})
