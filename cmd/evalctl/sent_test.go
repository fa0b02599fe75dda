package main

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

var _ = Describe("The prompts of a run", func() {
	classify := func(prompt string, args ...string) (dir string) {
		GinkgoHelper()
		dir = newRunDir()
		got := evalctl(append([]string{"run", "-q", "--target", "prompt", "--dataset", "prompt", "--split",
			"test", "--limit", "8",
			"--prompt", prompt, "--out", dir}, args...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		return dir
	}
	prompt := func(text string) string { return fileOf("p1.md", text) }
	const first = "Choose a label.\n{{labels}}\n{{examples}}\nReply with JSON: {\"label\": …}."

	It("30.2: are stored with few-shot examples, and show prints what was sent", func() {
		dir := classify(prompt(first), "--examples", "1")
		var names []string
		for _, note := range manifestIn(dir).Prompts {
			text, err := journal.ReadPrompt(dir, note.ID)
			Expect(err).NotTo(HaveOccurred())
			names = append(names, note.Setting+" "+note.File)
			if note.Setting == "prompt" {
				Expect(text).To(Equal(first))
			} else {
				Expect(text).To(ContainSubstring(" => "))
			}
		}
		Expect(names).To(ConsistOf("prompt p1.md", "examples "))
		html := filepath.Join(GinkgoT().TempDir(), "report.html")
		Expect(evalctl("report", dir, "--html="+html).code).To(Equal(exit.Passed))
		Expect(read(filepath.Split(html))).To(And(ContainSubstring("<summary>Prompt prompt: p1.md"),
			ContainSubstring("Reply with JSON: {&#34;label&#34;: …}.</pre>")))
		id := resultsOf(dir)[0].Case
		got := evalctl("show", dir, id)
		Expect(got.stdout).To(ContainSubstring("sent to deepseek-chat (model) at 0 s\n  system (prompt "))
		Expect(got.stdout).To(MatchRegexp(`… \d+ more lines`))
		full := evalctl("show", dir, id, "--sent").stdout
		Expect(full).To(ContainSubstring("    Choose a label.\n"))
		Expect(full).NotTo(MatchRegexp(`more lines?\n`))
		Expect(full).To(ContainSubstring("  user\n    " + resultsOf(dir)[0].Text + "\n"))
	})

	It("30.2: are stored without a literal password", func() {
		dir := classify(prompt(first + "\npassword=hunter2hunter2"))
		text, err := journal.ReadPrompt(dir, manifestIn(dir).Prompts[0].ID)
		Expect(err).NotTo(HaveOccurred())
		Expect(text).To(And(HavePrefix(first), Not(ContainSubstring("hunter2"))))
	})

	It("30.2: are neither stored nor shown for a baseline model, which reads none", func() {
		dir := classify(prompt(first), "--baseline-model", "linear")
		var variants []string
		for _, note := range manifestIn(dir).Prompts {
			variants = append(variants, note.Variant)
		}
		Expect(variants).To(And(Not(BeEmpty()), Not(ContainElement("linear"))))
		got := evalctl("show", dir, resultsOf(dir)[0].Case, "--variant", "linear")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).NotTo(ContainSubstring("sent to"))
	})

	It("30.2: of the shipped systems are stored too, and a call that sends one refers to it", func() {
		dir := newRunDir()
		Expect(evalctl("run", "toolrouter", "-q", "--limit", "3", "--out", dir).code).To(Equal(exit.Passed))
		note := manifestIn(dir).Prompts[0]
		Expect(note).To(HaveField("File", ""))
		text, err := journal.ReadPrompt(dir, note.ID)
		Expect(err).NotTo(HaveOccurred())
		Expect(text).NotTo(BeEmpty())
		Expect(evalctl("show", dir, resultsOf(dir)[0].Case, "--variant", "llm").stdout).
			To(MatchRegexp(`system \(prompt [0-9a-f]{12}\)`))
	})

	It("30.2: are compared: an edited prompt is named, with a diff", func() {
		before := classify(prompt(first))
		after := classify(prompt("Choose one label.\n{{labels}}\n{{examples}}\nReply with JSON: {\"label\": …}."))
		got := evalctl("compare", before, after)
		Expect(got.stdout).To(ContainSubstring("· The prompt p1.md was edited.\n"))
		Expect(got.stdout).To(ContainSubstring("\n-Choose a label.\n+Choose one label.\n {{labels}}\n"))
		Expect(evalctl("compare", before, before).stdout).NotTo(ContainSubstring("edited"))
	})

	It("30.2: that only one side has are named", func() {
		got := evalctl("compare", classify(prompt(first)), classify(prompt(first), "--examples", "1"))
		Expect(got.stdout).To(ContainSubstring("· The text of --examples is only in B.\n"), got.stderr)
	})

	It("30.2: survive merge, and are removed with the run; other files in their directory stay", func() {
		file := prompt(first)
		shards := []string{classify(file, "--shard", "1/2"), classify(file, "--shard", "2/2")}
		out := filepath.Join(GinkgoT().TempDir(), "runs", "merged")
		Expect(os.MkdirAll(filepath.Dir(out), 0o755)).To(Succeed())
		Expect(merged(shards, "--out", out).code).To(Equal(exit.Passed))
		texts, err := journal.ReadPrompts(out)
		Expect(err).NotTo(HaveOccurred())
		Expect(texts).To(ContainElement(first))
		own := filepath.Join(out, journal.PromptsDir, "mine.txt")
		Expect(os.WriteFile(own, nil, 0o600)).To(Succeed())
		got := evalctl("runs", "rm", "merged", "--dir", filepath.Dir(out))
		Expect(got.stdout + got.stderr).To(ContainSubstring("prompts/mine.txt"))
		Expect(own).To(BeAnExistingFile())
		Expect(filepath.Join(out, journal.ManifestFile)).NotTo(BeAnExistingFile())
	})
})
