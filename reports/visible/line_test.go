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
	Entry("does not change plain text", "plain 画", "plain 画"),
	Entry("replaces line ends", "a\r\nb\u2028c", "a  b c"),
	Entry("shows control characters", "\x1b[31m\u202e", "␛[31m\ufffd"),
	Entry("adds a circle below a mark after a space", "a \u0301", "a ◌\u0301"),
)

var _ = Describe("VisibleName", func() {
	It("shows empty names and shortens long ones", func() {
		Expect(visible.VisibleName("")).To(Equal("(none)"))
		Expect(visible.DisplayWidth(visible.VisibleName(string(make([]byte, 500))))).To(Equal(80))
	})
})
