package scholar_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/scholar"
	"evalctl/agent/system"
)

var _ = Describe("a prompt of one's own", func() {
	check := func(setting, text string) error {
		GinkgoHelper()
		path := filepath.Join(GinkgoT().TempDir(), "own.md")
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
		set, ok := scholar.System().Setting(setting)
		Expect(ok).To(BeTrue())
		return set.Check(path)
	}

	DescribeTable("is refused without the place that it cannot do without", func(place string, settings ...string) {
		for _, setting := range settings {
			Expect(check(setting, "Answer well. {{.Question}} {{.Gaps}}")).To(MatchError(And(ContainSubstring("it lacks {{."+place+"}}"), ContainSubstring("has places for {{."+place+"}}"))), setting)
			Expect(check(setting, "Answer well.\n{{if ."+place+"}}{{."+place+"}}{{end}}")).To(Succeed(), setting)
		}
	},
		Entry("what documents say", "Context", "single-summary-prompt", "summary-synthesis-prompt", "summary-merge-prompt", "survey-prompt", "survey-synthesis-prompt",
			"survey-merge-prompt", "paper-review-prompt", "qa-prompt"),
		Entry("which documents there are", "Documents", "sub-questions-prompt"),
		Entry("what the web says", "Web", "chat-prompt"),
	)

	It("may do without any where the model is shown everything else besides", func() {
		for _, setting := range []string{"prompt", "multi-summary-prompt", "condensed-summary-prompt", "compression-prompt", "grader-prompt"} {
			Expect(check(setting, "Answer well.")).To(Succeed(), setting)
		}
		Expect(check("condensed-summary-prompt", "{{.Nothing}}")).To(MatchError(ContainSubstring("has no places")))
	})
})

var _ = Describe("a context window that prompts and answer fill", func() {
	It("is refused before any turn, with the figures", func() {
		s := scholar.System()
		_, err := s.Open(system.Options{Values: s.WithDefaults(system.Values{"max-context-tokens": "300"})})
		Expect(err).To(MatchError(ContainSubstring("max-context-tokens: 300 tokens leave no room next to the prompts' 2000 (system-tokens) and the answer's 8000 (reserved-answer-tokens)")))
	})
})
