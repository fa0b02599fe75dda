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

var _ = It("OneLine puts an error message on one line, without quoted source lines", func() {
	err := errors.Join(errors.New("s.yaml:2: unknown field \"foo\"\n   1 | rules:\n>  2 |   foo: 1\n         ^\n"),
		errors.New("and another"))
	Expect(terminal.OneLine(err)).To(Equal(`s.yaml:2: unknown field "foo"; and another`))
})

var _ = It("OneLine truncates a long error message", func() {
	text := terminal.OneLine(errors.New("unknown field " + strings.Repeat("长", 1<<20)))
	Expect(len(text)).To(BeNumerically("<=", 4003))
	Expect(text).To(HaveSuffix("长…"))
})

var _ = DescribeTable("the progress bar is not wider than the terminal", func(width int, want string) {
	Expect(terminal.Line(200, 50, 3, width)).To(Equal(want))
},
	Entry("a wide terminal", 100, "[#####...............] 50 of 200 trials, 3 without an answer"),
	Entry("a narrow terminal", 30, "[#####...............] 50 of 2"),
)
