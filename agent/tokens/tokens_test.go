package tokens_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/tiktoken-go/tokenizer/codec"

	"evalctl/agent/clock"
	"evalctl/agent/tokens"
)

var _ = Describe("L2: the tokens of a text", func() {
	// From OpenAI's cookbook, How to count tokens with tiktoken.
	DescribeTable("are those of o200k_base", func(text string, n int) {
		Expect(tokens.Count(text)).To(Equal(n))
	},
		Entry(nil, "", 0),
		Entry(nil, "hello world", 2),
		Entry(nil, "tiktoken is great!", 6),
		Entry(nil, "antidisestablishmentarianism", 6),
		Entry(nil, "2 + 2 = 4", 7),
		Entry(nil, "お誕生日おめでとう", 8),
	)

	It("are exact for texts of words of any length", func() {
		prose, err := os.ReadFile("testdata/prose.txt")
		Expect(err).NotTo(HaveOccurred())
		text := strings.Repeat(string(prose), 100)
		whole, err := codec.NewO200kBase().Count(text)
		Expect(err).NotTo(HaveOccurred())
		Expect(tokens.Count(text)).To(Equal(whole))
	})

	It("are at most 0.1 % off for a text that is a single word", func() {
		for _, begin := range []string{"a", "A", "图像分割的方法", "好", "-", "é"} {
			text := strings.Repeat(begin, 40_000/len(begin))
			whole, err := codec.NewO200kBase().Count(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(tokens.Count(text)).To(BeNumerically("~", whole, whole/1000+1), begin)
		}
	})

	It("take linear time", func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			tokens.Count(strings.Repeat(" \n ", 60_000)) // with the tokenizer alone: most of a minute
		}()
		Eventually(done).WithTimeout(20 * time.Second).Should(BeClosed())
	})

	It("count the replacement character for invalid UTF-8", func() {
		Expect(tokens.Count("a\xff\xfeb")).To(Equal(tokens.Count("a\uFFFD\uFFFDb")))
	})

	It("can be counted concurrently", func() {
		g, _ := clock.NewGroup(GinkgoT().Context(), 0)
		for range 8 {
			g.Go("counter", func(ctx context.Context) error {
				if n := tokens.Count("hello world"); n != 2 {
					return fmt.Errorf("counted %d", n)
				}
				return nil
			})
		}
		Expect(g.Wait()).To(Succeed())
	})
})

var _ = Describe("L2: a truncated text", func() {
	DescribeTable("has whole characters and never too many tokens", func(text string) {
		text = strings.Repeat(text, 3000/len(text)+1)
		n := tokens.Count(text)
		for most := range 60 {
			cut := tokens.Truncate(text, most)
			Expect(text).To(HavePrefix(cut))
			Expect(tokens.Count(cut)).To(BeNumerically("<=", most))
			Expect(utf8.ValidString(cut)).To(Equal(utf8.ValidString(text) || cut == ""))
		}
		Expect(tokens.Truncate(text, n)).To(Equal(text))
		Expect(tokens.Truncate(text, n-1)).NotTo(Equal(text))
		Expect(tokens.Count(tokens.Truncate(text, n/2))).To(BeNumerically("~", n/2, 8), "nor much less")
	},
		Entry("Chinese", "图像分割，的方法。"),
		Entry("English", "It's a METHODology, don't you know? "),
		Entry("one word", "antidisestablishment"),
		Entry("characters of several tokens", "👩‍🔬𓀀𠮷"),
		Entry("code", "\n\n    if x != nil {\n\t\treturn 12345\n"),
	)

	It("is empty without room", func() {
		Expect(tokens.Truncate("hello", 0)).To(BeEmpty())
		Expect(tokens.Truncate("hello", -1)).To(BeEmpty())
		Expect(tokens.Truncate("", 5)).To(BeEmpty())
	})

	It("keeps invalid UTF-8 bytes unchanged", func() {
		text := strings.Repeat("ab\xffcd ", 50)
		cut := tokens.Truncate(text, 20)
		Expect(text).To(HavePrefix(cut))
		Expect(cut).NotTo(BeEmpty())
		Expect(tokens.Count(cut)).To(BeNumerically("<=", 20))
	})
})
