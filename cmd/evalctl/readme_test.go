package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"evalctl/cmd/evalctl/exit"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("the README", Ordered, func() {
	var text string
	var blocks []codeBlock
	var here string

	BeforeAll(func() {
		var err error
		here, err = os.Getwd()
		Expect(err).NotTo(HaveOccurred())
		text = read("../../README.md")
		blocks = blocksOf(text)
		first() // others have read it, or will
		GinkgoT().Chdir(home)
		GinkgoT().Setenv("COLUMNS", "100")
		for name, b := range map[string]int{"cases.jsonl": 0, "full.jsonl": 1, "bank.jsonl": 2} {
			write(name, textsOf(blocks, "json")[b])
		}
		for name, b := range map[string]int{"terse.md": 0, "careful.md": 1} {
			write(name, textsOf(blocks, "md")[b])
		}
		for name, b := range map[string]int{"desk.yaml": 0, "answers.yaml": 1, "flaky.yaml": 2} {
			write(name, textsOf(blocks, "yaml")[b])
		}
		write("tickets.csv", textsOf(blocks, "csv")[0])
	})

	texts := func(language string) []string { return textsOf(blocks, language) }

	It("shows what its commands print", Label("long"), func() {
		shown := texts("console")
		Expect(len(shown)).To(BeNumerically(">=", 2))
		for _, block := range shown {
			playConsole(block)
		}
	})

	It("gives commands that work", Label("long"), func() {
		ran := 0
		for _, block := range texts("sh") {
			ran += playShell(block)
		}
		Expect(ran).To(BeNumerically(">=", 5))
	})

	It("shows the whole of the program that it names, which runs", Label("long"), func() {
		folder := filepath.Join(here, "../../examples/ownagent")
		Expect(texts("go")).To(Equal([]string{read(filepath.Join(folder, "main.go"))}))
		cmd := exec.Command("go", "run", ".")
		cmd.Dir = folder
		out, err := cmd.CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), string(out))
		Expect(string(out)).To(MatchRegexp(`(?m)^words +4 of 4 `))
	})

	It("names the files that a run leaves and the metrics that it finds", Label("long"), func() {
		Expect(evalctl("run", "prompt", "--limit", "3", "--out", "left").code).To(Equal(exit.Passed))
		files, err := os.ReadDir("left")
		Expect(err).NotTo(HaveOccurred())
		for _, f := range files {
			Expect(text).To(ContainSubstring("`" + f.Name() + "`"))
		}
		for name := range summaryOf("left").Suites[0].Variants[0].Metrics {
			family, _, _ := strings.Cut(name, ".")
			Expect(text).To(MatchRegexp("[`|]"+family+"[.|]"), name)
		}
	})
})
