package llm_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
)

var _ = DescribeTable("X7: a prompt is rejected if filling it could run forever or exhaust memory",
	func(text, what string) {
		_, err := llm.NewPrompt("p.md", []byte("Answer. "+text))
		Expect(err).To(MatchError("load prompt p.md: " + what + " is not for prompts"))
	},
	Entry("counting", `{{range 999999999999}}{{end}}`, "999999999999"),
	Entry("counting in a variable", `{{$n := 999999999999}}{{range $n}}{{end}}`, "999999999999"),
	Entry("counting in an else", `{{if .A}}{{else}}{{with 5}}{{range .}}{{end}}{{end}}{{end}}`, "5"),
	Entry("nested lists", `{{range .A}}{{range $.A}}x{{end}}{{end}}`, "{{range $.A}}x{{end}}"),
	Entry("nested templates",
		`{{define "a"}}{{template "b"}}{{template "b"}}{{end}}{{define "b"}}x{{end}}{{template "a"}}`,
		`{{template "a"}}`),
	Entry("printing", `{{printf "%1000000d%1000000d" .A .A}}`, "printf"),
	Entry("nested printing", `{{.A | (print .A | html)}}`, "print"),
	Entry("a length", `{{range (len .A)}}{{end}}`, "len"),
)

var _ = DescribeTable("X7: a prompt may use fields, conditions and lists", func(text, want string) {
	p, err := llm.NewPrompt("p.md", []byte(text))
	Expect(err).NotTo(HaveOccurred())
	Expect(p.Fill(map[string]any{"A": "a", "L": []string{"x", "y"}})).To(Equal(want))
},
	Entry(nil, `{{/* a word */}}{{with .A}}{{.}}{{end}}{{if and .A (eq .A "a")}}!{{else}}?{{end}}`, "a!"),
	Entry(nil, `{{range .L}}- {{.}}{{end}} {{index . "A"}}`, "- x- y a"),
	Entry(nil, strings.Repeat("{{.A}}", 3), "aaa"),
)

var _ = It("X7: a filled prompt has a size limit", func() {
	p, err := llm.NewPrompt("p.md", []byte(strings.Repeat("{{.A}}", 1000)))
	Expect(err).NotTo(HaveOccurred())
	_, err = p.Fill(map[string]any{"A": strings.Repeat("x", 1<<20)})
	Expect(err).To(MatchError(ContainSubstring("is longer than 32 MiB")))
})
