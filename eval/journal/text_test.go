package journal_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/eval"
	"evalctl/eval/journal"
)

var _ = Describe("a text that was cut", func() {
	It("ends in no half of a secret", func() {
		const key = "sk-0123456789abcdef"
		text := strings.Repeat("a", eval.MaxText-8)
		dir := GinkgoT().TempDir()
		w, err := journal.Resume(dir, func(string) {})
		Expect(err).NotTo(HaveOccurred())
		w.Secrets = secret.Of(key, "")
		Expect(w.Add(eval.Result{Key: "1", Text: text + key[:8]})).To(Succeed())
		Expect(w.Add(eval.Result{Key: "2", Text: "short " + key})).To(Succeed())
		Expect(w.Close()).To(Succeed())
		var texts []string
		for r, err := range journal.Results(dir) {
			Expect(err).NotTo(HaveOccurred())
			texts = append(texts, r.Text)
		}
		Expect(texts).To(Equal([]string{text, "short [secret]"}))
	})
})
