package journal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/journal"
)

var _ = Describe("The prompts of a run", func() {
	It("30.2: are read from the directory of the run only, whatever ID its manifest names", func() {
		parent := GinkgoT().TempDir()
		run := filepath.Join(parent, "run")
		Expect(journal.WritePrompts(run, map[string]string{"0123456789ab": "inside"})).To(Succeed())
		Expect(os.WriteFile(filepath.Join(parent, "0123456789ab.txt"), []byte("outside"), 0o600)).To(Succeed())
		text, err := journal.ReadPrompt(run, "0123456789ab")
		Expect(err).NotTo(HaveOccurred())
		Expect(text).To(Equal("inside"))
		for _, id := range []string{"../../0123456789ab", "../prompts/0123456789ab", "0123456789ab.txt/..", ""} {
			_, err = journal.ReadPrompt(run, id)
			Expect(err).To(MatchError(ContainSubstring("is not the ID of a prompt")), id)
		}
	})

	It("30.2: are limited in number and in size", func() {
		run := GinkgoT().TempDir()
		texts := map[string]string{}
		for i := range 17 {
			texts[fmt.Sprintf("%012x", i)] = strings.Repeat("x", 4<<20)
		}
		Expect(journal.WritePrompts(run, texts)).To(Succeed())
		_, err := journal.ReadPrompts(run)
		Expect(err).To(MatchError(filepath.Join(run, "prompts") + ": has more than 64 MiB of prompts"))
		for i := range 10_001 {
			Expect(os.WriteFile(filepath.Join(run, "prompts", fmt.Sprintf("%012x.txt", i)), nil, 0o600)).To(Succeed())
		}
		_, err = journal.ReadPrompts(run)
		Expect(err).To(MatchError(filepath.Join(run, "prompts") + ": has 10001 prompts; at most 10000 are allowed"))
	})
})
