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

var _ = Describe("L2: Count", func() {
	// From OpenAI's cookbook, How to count tokens with tiktoken.
	DescribeTable("returns the number of tokens in the encoding o200k_base", func(text string, n int) {
		Expect(tokens.Count(text)).To(Equal(n))
	},
		Entry(nil, "", 0),
		Entry(nil, "hello world", 2),
		Entry(nil, "tiktoken is great!", 6),
		Entry(nil, "antidisestablishmentarianism", 6),
		Entry(nil, "2 + 2 = 4", 7),
		Entry(nil, "お誕生日おめでとう", 8),
	)

	It("is exact for texts that contain spaces between words of any length", func() {
		prose, err := os.ReadFile("testdata/prose.txt")
		Expect(err).NotTo(HaveOccurred())
		text := strings.Repeat(string(prose), 100)
		whole, err := codec.NewO200kBase().Count(text)
		Expect(err).NotTo(HaveOccurred())
		Expect(tokens.Count(text)).To(Equal(whole))
	})

	It("has an error of at most 0.1 % for a text that is a single long word", func() {
		for _, begin := range []string{"a", "A", "图像分割的方法", "好", "-", "é"} {
			text := strings.Repeat(begin, 40_000/len(begin))
			whole, err := codec.NewO200kBase().Count(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(tokens.Count(text)).To(BeNumerically("~", whole, whole/1000+1), begin)
		}
	})

	It("takes linear time in the length of the text", func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			tokens.Count(strings.Repeat(" \n ", 60_000)) // the tokenizer alone would need most of a minute
		}()
		Eventually(done).WithTimeout(20 * time.Second).Should(BeClosed())
	})

	It("counts an invalid UTF-8 byte as the replacement character U+FFFD", func() {
		Expect(tokens.Count("a\xff\xfeb")).To(Equal(tokens.Count("a\uFFFD\uFFFDb")))
	})

	It("returns the same result in concurrent calls", func() {
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

var _ = Describe("L2: Truncate", func() {
	DescribeTable("returns a text with whole characters and at most the given number of tokens", func(text string) {
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
		Entry("a Chinese text", "图像分割，的方法。"),
		Entry("an English text", "It's a METHODology, don't you know? "),
		Entry("a single long word", "antidisestablishment"),
		Entry("a text in which each character has several tokens", "👩‍🔬𓀀𠮷"),
		Entry("source code", "\n\n    if x != nil {\n\t\treturn 12345\n"),
	)

	It("returns \"\" if the number of tokens is 0 or less", func() {
		Expect(tokens.Truncate("hello", 0)).To(BeEmpty())
		Expect(tokens.Truncate("hello", -1)).To(BeEmpty())
		Expect(tokens.Truncate("", 5)).To(BeEmpty())
	})

	It("does not change invalid UTF-8 bytes", func() {
		text := strings.Repeat("ab\xffcd ", 50)
		cut := tokens.Truncate(text, 20)
		Expect(text).To(HavePrefix(cut))
		Expect(cut).NotTo(BeEmpty())
		Expect(tokens.Count(cut)).To(BeNumerically("<=", 20))
	})
})
