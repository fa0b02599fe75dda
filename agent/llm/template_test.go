package llm_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
)

var _ = DescribeTable("X7: NewPrompt rejects a template that could run forever or exhaust memory",
	func(text, what string) {
		_, err := llm.NewPrompt("p.md", []byte("Answer. "+text))
		Expect(err).To(MatchError("load prompt p.md: " + what + " is not for prompts"))
	},
	Entry("a range over a large number", `{{range 999999999999}}{{end}}`, "999999999999"),
	Entry("a range over a large number in a variable", `{{$n := 999999999999}}{{range $n}}{{end}}`, "999999999999"),
	Entry("a range over a number in an else branch", `{{if .A}}{{else}}{{with 5}}{{range .}}{{end}}{{end}}{{end}}`,
		"5"),
	Entry("nested ranges", `{{range .A}}{{range $.A}}x{{end}}{{end}}`, "{{range $.A}}x{{end}}"),
	Entry("nested templates",
		`{{define "a"}}{{template "b"}}{{template "b"}}{{end}}{{define "b"}}x{{end}}{{template "a"}}`,
		`{{template "a"}}`),
	Entry("the function printf", `{{printf "%1000000d%1000000d" .A .A}}`, "printf"),
	Entry("the function print inside a pipeline", `{{.A | (print .A | html)}}`, "print"),
	Entry("the function len", `{{range (len .A)}}{{end}}`, "len"),
)

var _ = DescribeTable("X7: NewPrompt accepts templates with fields, conditions and ranges", func(text, want string) {
	p, err := llm.NewPrompt("p.md", []byte(text))
	Expect(err).NotTo(HaveOccurred())
	Expect(p.Fill(map[string]any{"A": "a", "L": []string{"x", "y"}})).To(Equal(want))
},
	Entry(nil, `{{/* a word */}}{{with .A}}{{.}}{{end}}{{if and .A (eq .A "a")}}!{{else}}?{{end}}`, "a!"),
	Entry(nil, `{{range .L}}- {{.}}{{end}} {{index . "A"}}`, "- x- y a"),
	Entry(nil, strings.Repeat("{{.A}}", 3), "aaa"),
)

var _ = It("X7: Prompt.Fill returns an error if the filled prompt exceeds 32 MiB", func() {
	p, err := llm.NewPrompt("p.md", []byte(strings.Repeat("{{.A}}", 1000)))
	Expect(err).NotTo(HaveOccurred())
	_, err = p.Fill(map[string]any{"A": strings.Repeat("x", 1<<20)})
	Expect(err).To(MatchError(ContainSubstring("is longer than 32 MiB")))
})
