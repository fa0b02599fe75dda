package llm_test

import (
	"os"
	"path/filepath"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
)

var _ = Describe("A Prompt", func() {
	files := fstest.MapFS{
		"p/route.txt":  {Data: []byte("问题：{{.Query}}")},
		"p/plain.txt":  {Data: []byte("\uFEFFSay {\"json\"}.")},
		"p/empty.txt":  {Data: []byte(" \n\u3000")},
		"p/latin.txt":  {Data: []byte("caf\xe9")},
		"p/broken.txt": {Data: []byte("{{.Query")},
	}

	It("X7: has a hash that changes with its content", func() {
		p, err := llm.LoadPrompt(files, "p/plain.txt")
		Expect(err).NotTo(HaveOccurred())
		Expect(p.Name).To(Equal("plain"))
		Expect(p.Text).To(Equal(`Say {"json"}.`))
		Expect(p.Hash).To(MatchRegexp(`^[0-9a-f]{12}$`))
		other, err := llm.NewPrompt("plain.txt", []byte("Say it."))
		Expect(err).NotTo(HaveOccurred())
		Expect(other.Hash).NotTo(Equal(p.Hash))
	})

	It("X7: can be loaded from a file on disk", func() {
		path := filepath.Join(GinkgoT().TempDir(), "mine.txt")
		Expect(os.WriteFile(path, []byte("{{.Query}}!"), 0o600)).To(Succeed())
		p, err := llm.LoadPromptFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(p.Name).To(Equal("mine"))
		Expect(p.Fill(map[string]string{"Query": "{{.Now}} <b>"})).To(Equal("{{.Now}} <b>!"))
	})

	It("X7: returns an error from Fill if the data lacks a name of the template", func() {
		p, err := llm.LoadPrompt(files, "p/route.txt")
		Expect(err).NotTo(HaveOccurred())
		_, err = p.Fill(map[string]string{"query": "x"})
		Expect(err).To(MatchError(ContainSubstring("fill prompt route")))
	})

	DescribeTable("X7: cannot be loaded from an invalid file; the error names the file",
		func(name, why string) {
			_, err := llm.LoadPrompt(files, name)
			Expect(err).To(MatchError(And(ContainSubstring(name), ContainSubstring(why))))
		},
		Entry(nil, "p/empty.txt", "empty"),
		Entry(nil, "p/latin.txt", "not UTF-8"),
		Entry(nil, "p/broken.txt", "unclosed action"),
		Entry(nil, "p/none.txt", "not exist"),
	)
})
