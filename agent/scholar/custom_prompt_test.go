package scholar_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/scholar"
	"evalctl/agent/system"
)

var _ = Describe("a custom prompt of the scholar", func() {
	check := func(setting, text string) error {
		GinkgoHelper()
		path := filepath.Join(GinkgoT().TempDir(), "own.md")
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
		set, ok := scholar.System().Setting(setting)
		Expect(ok).To(BeTrue())
		return set.Check(path)
	}

	DescribeTable("is rejected if it does not use its required field", func(place string, settings ...string) {
		for _, setting := range settings {
			Expect(check(setting, "Answer well. {{.Question}} {{.Gaps}}")).
				To(MatchError(And(ContainSubstring("it lacks {{."+place+"}}"),
					ContainSubstring("has places for {{."+place+"}}"))), setting)
			Expect(check(setting, "Answer well.\n{{if ."+place+"}}{{."+place+"}}{{end}}")).To(Succeed(), setting)
		}
	},
		Entry("prompts that require the content of documents", "Context", "single-summary-prompt",
			"summary-synthesis-prompt",
			"summary-merge-prompt", "survey-prompt", "survey-synthesis-prompt",
			"survey-merge-prompt", "paper-review-prompt", "qa-prompt"),
		Entry("prompts that require the list of documents", "Documents", "sub-questions-prompt"),
		Entry("prompts that require the web results", "Web", "chat-prompt"),
	)

	It("may omit all fields if the model receives the data as messages instead", func() {
		for _, setting := range []string{"prompt", "multi-summary-prompt", "condensed-summary-prompt",
			"compression-prompt", "grader-prompt"} {
			Expect(check(setting, "Answer well.")).To(Succeed(), setting)
		}
		Expect(check("condensed-summary-prompt", "{{.Nothing}}")).To(MatchError(ContainSubstring("has no places")))
	})
})

var _ = Describe("a context window that is too small for prompts and answer", func() {
	It("is rejected before any turn, with an error that contains the numbers", func() {
		s := scholar.System()
		_, err := s.Open(system.Options{SettingValues: s.WithDefaults(
			system.SettingValues{"max-context-tokens": "300"})})
		Expect(err).To(MatchError(
			ContainSubstring("max-context-tokens: 300 tokens leave no room next to the prompts' 2000 (system-tokens) and the answer's 8000 (reserved-answer-tokens)")))
	})
})
