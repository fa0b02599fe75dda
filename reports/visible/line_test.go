package visible_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/reports/visible"
)

func TestVisible(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "visible")
}

var _ = DescribeTable("EscapeLine", func(text, want string) { Expect(visible.EscapeLine(text)).To(Equal(want)) },
	Entry("does not change text without control characters", "plain 画", "plain 画"),
	Entry("replaces line ends with spaces", "a\r\nb\u2028c", "a  b c"),
	Entry("replaces control characters with visible symbols", "\x1b[31m\u202e", "␛[31m\ufffd"),
	Entry("inserts a dotted circle before a combining mark that follows a space", "a \u0301", "a ◌\u0301"),
)

var _ = Describe("VisibleName", func() {
	It("replaces an empty name with \"(none)\" and shortens a long one", func() {
		Expect(visible.EscapeLabel("")).To(Equal("(none)"))
		Expect(visible.DisplayWidth(visible.EscapeLabel(string(make([]byte, 500))))).To(Equal(80))
	})
})
