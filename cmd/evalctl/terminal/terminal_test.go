package terminal_test

import (
	"errors"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/terminal"
)

func TestTerminal(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Terminal")
}

var _ = It("puts error messages on one line, without quoted source lines", func() {
	err := errors.Join(errors.New("s.yaml:2: unknown field \"foo\"\n   1 | rules:\n>  2 |   foo: 1\n         ^\n"),
		errors.New("and another"))
	Expect(terminal.OneLine(err)).To(Equal(`s.yaml:2: unknown field "foo"; and another`))
})

var _ = It("truncates long error messages", func() {
	text := terminal.OneLine(errors.New("unknown field " + strings.Repeat("长", 1<<20)))
	Expect(len(text)).To(BeNumerically("<=", 4003))
	Expect(text).To(HaveSuffix("长…"))
})

var _ = DescribeTable("the progress bar stays within the width of the terminal", func(width int, want string) {
	Expect(terminal.Line(200, 50, 3, width)).To(Equal(want))
},
	Entry("wide", 100, "[#####...............] 50 of 200 trials, 3 without an answer"),
	Entry("narrow", 30, "[#####...............] 50 of 2"),
)
