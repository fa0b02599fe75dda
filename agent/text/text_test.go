package text_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/text"
)

var _ = DescribeTable("Escape replaces unsafe characters with visible symbols",
	func(in, want string) { Expect(text.Escape(in)).To(Equal(want)) },
	Entry("a text without unsafe characters, which does not change", "plain 中文 👩‍👩‍👧", "plain 中文 👩‍👩‍👧"),
	Entry("C0 control characters", "a\x1b[31m\x00\n\t\x7f", "a␛[31m␀␊␉␡"),
	Entry("C1 control characters", "\u009b31m", "[U+009B]31m"),
	Entry("bidirectional and invisible characters", "a\u202eb\u2066c\ufeff\u200b",
		"a[U+202E]b[U+2066]c[U+FEFF][U+200B]"),
	Entry("invalid UTF-8", "a\xff\ufffd", "a\ufffd\ufffd"),
)

var _ = It("EscapeMultiline does not change line ends and tabs", func() {
	Expect(text.EscapeMultiline("a\tb\nc\x1b")).To(Equal("a\tb\nc␛"))
})

var _ = It("Excerpt returns the first characters of a text and an ellipsis", func() {
	Expect(text.Excerpt("长长长", 3)).To(Equal("长长长"))
	Expect(text.Excerpt("长长\u202e长", 3)).To(Equal("长长[U+202E]…"))
	Expect(text.Excerpt(strings.Repeat("x", 1<<20), 80)).To(HaveLen(80 + len("…")))
})
