package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"evalctl/cmd/evalctl/exit"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// fence is a code block of the README: its language and its text.
var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// word is one of a command line: quoted or plain.
var word = regexp.MustCompile(`'([^']*)'|(\S+)`)

var _ = Describe("the README", Ordered, func() {
	var text string
	var blocks [][]string
	var here string

	BeforeAll(func() {
		var err error
		here, err = os.Getwd()
		Expect(err).NotTo(HaveOccurred())
		text = read("../../README.md")
		blocks = fence.FindAllStringSubmatch(text, -1)
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

	It("shows what its commands print", func() {
		shown := texts("console")
		Expect(len(shown)).To(BeNumerically(">=", 2))
		for _, block := range shown {
			command, want, _ := strings.Cut(block, "\n")
			command = strings.TrimPrefix(command, "$ evalctl ")
			p := first().played
			if command != firstLine {
				p = evalctl(words(command)...)
			}
			Expect(p.code).To(Equal(exit.Passed), "%s\n%s", command, p.stderr)
			Expect(agree(plainLines(p.stdout), plainLines(want))).To(BeTrue(), "%s\nprints\n%s\nand not\n%s", command, p.stdout, want)
		}
	})

	It("gives commands that work", func() {
		ran := 0
		for line := range strings.Lines(strings.Join(texts("sh"), "")) {
			command, ours := strings.CutPrefix(strings.TrimSpace(line), "evalctl ")
			if !ours || strings.Contains(command, ":8123") || strings.Contains(command, ":8124") || strings.Contains(command, "DEEPSEEK_API_KEY") {
				continue // what needs a second process, or a key, has tests of its own
			}
			ran++
			args := words(command)
			if args[0] == "run" && !slices.ContainsFunc(args, func(arg string) bool { return slices.Contains([]string{"--gate", "--limit", "--sample"}, arg) }) {
				args = append(args, "--limit", "12") // what it prints is not shown
			}
			p := evalctl(args...)
			Expect(p.code).To(Equal(exit.Passed), "%s\n%s", command, p.stderr)
		}
		Expect(ran).To(BeNumerically(">=", 5))
	})

	It("shows the whole of the program that it names, which runs", func() {
		folder := filepath.Join(here, "../../examples/ownagent")
		Expect(texts("go")).To(Equal([]string{read(filepath.Join(folder, "main.go"))}))
		cmd := exec.Command("go", "run", ".")
		cmd.Dir = folder
		out, err := cmd.CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), string(out))
		Expect(string(out)).To(MatchRegexp(`(?m)^words +4 of 4 `))
	})

	It("names the files that a run leaves and the metrics that it finds", func() {
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

// textsOf are the code blocks of a language.
func textsOf(blocks [][]string, language string) (list []string) {
	for _, b := range blocks {
		if b[1] == language {
			list = append(list, b[2])
		}
	}
	return list
}

// words splits a command line as a shell does.
func words(line string) (args []string) {
	for _, m := range word.FindAllStringSubmatch(line, -1) {
		args = append(args, m[1]+m[2])
	}
	return args
}

// plainLines are lines without the blanks at their ends.
func plainLines(s string) []string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// agree compares lines; a wanted line that is only … stands for any number.
func agree(got, want []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if strings.TrimSpace(want[0]) != "…" {
		return len(got) > 0 && got[0] == want[0] && agree(got[1:], want[1:])
	}
	for i := range len(got) + 1 {
		if agree(got[i:], want[1:]) {
			return true
		}
	}
	return false
}
