package fulltext_test

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/fulltext"
)

func TestFulltext(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "fulltext")
}

var _ = DescribeTable("Normalize converts a text", func(text, want string) {
	Expect(fulltext.Normalize(text)).To(Equal(want))
},
	Entry("to half width and lower case without accents", "ＡＢ１ Café", " ab1 caf "),
	Entry("to the stems of its words", "running benchmarks, studies", " run benchmark studi "),
	Entry("to words of one script each", "用ResNet-50模型", " 用 resnet 50 模型 "),
	Entry("to a space if it has only punctuation", " …！", " "),
)

var _ = DescribeTable("Terms returns the search terms of a word or of a run of Chinese characters",
	func(run string, want ...string) {
		Expect(fulltext.Terms(run)).To(Equal(want))
	},
	Entry("the word itself", "resnet", "resnet"),
	Entry("the only character", "火", "火"),
	Entry("both characters and their pair", "火锅", "火", "锅", "火锅"),
	Entry("all three characters and both pairs", "火锅店", "火", "锅", "店", "火锅", "锅店"),
)

var _ = It("Bigrams returns all pairs of neighboring characters", func() {
	Expect(fulltext.Bigrams("")).To(BeEmpty())
	Expect(fulltext.Bigrams("火")).To(BeEmpty())
	Expect(fulltext.Bigrams("甲乙丙丁")).To(Equal([]string{"甲乙", "乙丙", "丙丁"}))
})

func Example() {
	for run := range strings.FieldsSeq(fulltext.Normalize("火锅 Hotpots")) {
		fmt.Println(fulltext.Terms(run))
	}
	// Output:
	// [火 锅 火锅]
	// [hotpot]
}
