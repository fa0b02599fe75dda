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
			if !set.IsFile || set.Check == nil { // a library is read by its system, broken or not
				continue
			}
			It("X7: are files that run, chat and serve refuse in one line where they are broken: "+of.Name+" --"+set.Name, func() {
				broken := fileOf("broken.md", "{{if")
				for _, args := range [][]string{{"run", of.Name, "--out", folder()}, {"chat", of.Name}, {"serve", of.Name, "--addr", "127.0.0.1:0"}} {
					got := evalctl(append(args, "--"+set.Name, broken)...)
					Expect(got.code).To(Equal(exit.Usage))
					Expect(got.stderr).To(HavePrefix("evalctl: --" + set.Name + ": load prompt " + broken))
					Expect(strings.Count(got.stderr, "\n")).To(Equal(1))
					Expect(got.stdout).To(BeEmpty())
				}
			})
		}
	}

	It("X7: are refused in the words of the system whose they are", func() {
		broken := fileOf("broken.md", "{{if")
		for _, args := range [][]string{{"run", "toolrouter", "--router", "llm", "--out", folder()}, {"run", "--target", "newsroom", "--out", folder()}, {"chat", "newsroom"}} {
			Expect(evalctl(append(args, "--prompt", broken)...).stderr).NotTo(ContainSubstring("{{labels}}"))
		}
		Expect(evalctl("chat", "prompt", "--prompt", broken).stderr).To(ContainSubstring("{{labels}}"))
	})

	keys := func(args ...string) (list []string) {
		GinkgoHelper()
		dir := folder()
		Expect(evalctl(append([]string{"run", "toolrouter", "--router", "rules", "--limit", "2", "--out", dir, "-q"}, args...)...).code).To(Equal(exit.Passed))
		for r, err := range journal.ReadRunResults(dir) {
			Expect(err).NotTo(HaveOccurred())
			list = append(list, r.Key)
		}
		return list
	}

	It("X7, X8: stand in a trial's key where they are given, by what they hold and not by where they are", func() {
		one, same, other := fileOf("a.md", "好 {{.Query}}"), fileOf("a.md", "好 {{.Query}}"), fileOf("a.md", "别的 {{.Query}}")
		defaultValue := keys()
		Expect(defaultValue).To(HaveLen(2))
		Expect(keys()).To(ConsistOf(defaultValue))
		given := keys("--search-prompt", one)
		Expect(given).NotTo(ContainElement(BeElementOf(defaultValue)))
		Expect(keys("--search-fallback-prompt", one)).NotTo(ContainElement(BeElementOf(append(defaultValue, given...))))
		Expect(keys("--search-prompt", other)).NotTo(ContainElement(BeElementOf(append(defaultValue, given...))))
		Expect(keys("--search-prompt", same)).To(ConsistOf(given))
	})

	It("X7: may be named by a suite, beside it", func() {
		path := fileOf("mine.yaml", "name: mine\ntarget: toolrouter\ndataset: toolrouter\nvariants:\n  - {name: a, router: rules, chat-prompt: terse.md}\n")
		write(strings.TrimSuffix(path, "mine.yaml")+"terse.md", "只用一个字回答")
		dir := folder()
		Expect(evalctl("run", path, "--limit", "2", "--out", dir, "-q").code).To(Equal(exit.Passed))
		Expect(conditionsOf(dir)).To(Equal([]string{"a/none"}))
	})
})
