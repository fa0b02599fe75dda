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

var _ = DescribeTable("a text is normalized", func(text, want string) {
	Expect(fulltext.Normalize(text)).To(Equal(want))
},
	Entry("to half width, lower case and no accents", "ＡＢ１ Café", " ab1 caf "),
	Entry("to stems", "running benchmarks, studies", " run benchmark studi "),
	Entry("to runs of one script", "用ResNet-50模型", " 用 resnet 50 模型 "),
	Entry("to an empty text", " …！", " "),
)

var _ = DescribeTable("a run is split into terms", func(run string, want ...string) {
	Expect(fulltext.Terms(run)).To(Equal(want))
},
	Entry("a word", "resnet", "resnet"),
	Entry("one character", "火", "火"),
	Entry("two characters", "火锅", "火", "锅", "火锅"),
	Entry("three characters", "火锅店", "火", "锅", "店", "火锅", "锅店"),
)

var _ = It("bigrams are all pairs of neighbors", func() {
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
