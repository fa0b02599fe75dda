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

var _ = DescribeTable("a line", func(text, want string) { Expect(visible.EscapeLine(text)).To(Equal(want)) },
	Entry("is what it was", "plain 画", "plain 画"),
	Entry("has no line ends", "a\r\nb\u2028c", "a  b c"),
	Entry("shows what steers", "\x1b[31m\u202e", "␛[31m\ufffd"),
	Entry("has a circle under a mark that joins nothing", "a \u0301", "a ◌\u0301"),
)

var _ = Describe("a name", func() {
	It("is seen also where it is empty", func() {
		Expect(visible.VisibleName("")).To(Equal("(none)"))
		Expect(visible.DisplayWidth(visible.VisibleName(string(make([]byte, 500))))).To(Equal(80))
	})
})
