package main

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

var _ = Describe("The prompts of an agent", func() {
	for _, of := range shippedSystems() {
		for _, set := range of.Settings {
			if !set.IsFile || set.Check == nil { // the system itself reads and checks a style library
				continue
			}
			It("X7: are files that run, chat and serve refuse in one line where they are broken: "+of.Name+
				" --"+set.Name, func() {
				broken := fileOf("broken.md", "{{if")
				for _, args := range [][]string{{"run", of.Name, "--out", newRunDir()}, {"chat", of.Name},
					{"serve", of.Name, "--addr", "127.0.0.1:0"}} {
					got := evalctl(append(args, "--"+set.Name, broken)...)
					Expect(got.code).To(Equal(exit.InvalidUsage))
					Expect(got.stderr).To(HavePrefix("evalctl: --" + set.Name + ": load prompt " + broken))
					Expect(strings.Count(got.stderr, "\n")).To(Equal(1))
					Expect(got.stdout).To(BeEmpty())
				}
			})
		}
	}

	It("X7: are refused, if invalid, with an error about the system that they belong to", func() {
		broken := fileOf("broken.md", "{{if")
		for _, args := range [][]string{{"run", "toolrouter", "--router", "llm", "--out", newRunDir()},
			{"run", "--target", "newsroom", "--out", newRunDir()}, {"chat", "newsroom"}} {
			Expect(evalctl(append(args, "--prompt", broken)...).stderr).NotTo(ContainSubstring("{{labels}}"))
		}
		Expect(evalctl("chat", "prompt", "--prompt", broken).stderr).To(ContainSubstring("{{labels}}"))
	})

	keys := func(args ...string) (list []string) {
		GinkgoHelper()
		dir := newRunDir()
		Expect(evalctl(append([]string{"run", "toolrouter", "--router", "rules", "--limit", "2", "--out", dir, "-q"},
			args...)...).code).To(Equal(exit.Passed))
		for r, err := range journal.ReadRunResults(dir) {
			Expect(err).NotTo(HaveOccurred())
			list = append(list, r.Key)
		}
		return list
	}

	It("X7, X8: are part of a trial's key if a flag gives them, by their content and not by their path", func() {
		one, same, other := fileOf("a.md", "好 {{.Query}}"), fileOf("a.md", "好 {{.Query}}"),
			fileOf("a.md", "别的 {{.Query}}")
		defaultValue := keys()
		Expect(defaultValue).To(HaveLen(2))
		Expect(keys()).To(ConsistOf(defaultValue))
		given := keys("--search-prompt", one)
		Expect(given).NotTo(ContainElement(BeElementOf(defaultValue)))
		Expect(keys("--search-fallback-prompt", one)).NotTo(ContainElement(BeElementOf(append(defaultValue, given...))))
		Expect(keys("--search-prompt", other)).NotTo(ContainElement(BeElementOf(append(defaultValue, given...))))
		Expect(keys("--search-prompt", same)).To(ConsistOf(given))
	})

	It("X7: can be named in a suite file relative to its directory", func() {
		path := fileOf("mine.yaml",
			"name: mine\ntarget: toolrouter\ndataset: toolrouter\nvariants:\n  - {name: a, router: rules, chat-prompt: terse.md}\n")
		write(strings.TrimSuffix(path, "mine.yaml")+"terse.md", "只用一个字回答")
		dir := newRunDir()
		Expect(evalctl("run", path, "--limit", "2", "--out", dir, "-q").code).To(Equal(exit.Passed))
		Expect(conditionsOf(dir)).To(Equal([]string{"a/none"}))
	})
})
