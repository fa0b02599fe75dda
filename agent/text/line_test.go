package text_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/text"
)

func TestText(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "text")
}

var _ = DescribeTable("EscapeLine", func(in, want string) { Expect(text.EscapeLine(in)).To(Equal(want)) },
	Entry("does not change text without control characters", "plain 画", "plain 画"),
	Entry("replaces line ends with spaces", "a\r\nb\u2028c", "a  b c"),
	Entry("replaces control characters with visible symbols", "\x1b[31m\u202e", "␛[31m\ufffd"),
	Entry("inserts a dotted circle before a combining mark that follows a space", "a \u0301", "a ◌\u0301"),
)

var _ = Describe("EscapeLabel", func() {
	It("replaces an empty name with \"(none)\" and shortens a long one", func() {
		Expect(text.EscapeLabel("")).To(Equal("(none)"))
		Expect(text.DisplayWidth(text.EscapeLabel(string(make([]byte, 500))))).To(Equal(80))
	})
})
