package main

import (
	"regexp"
	"slices"
	"strings"

	"evalctl/cmd/evalctl/exit"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// codeBlock is a fenced block of a documentation page: its language, its file name if any, and its
// text.
type codeBlock struct{ language, file, text string }

var fence = regexp.MustCompile("(?ms)^```(\\w+)(?: (\\S+))?\n(.*?)^```$")

// word matches a quoted or plain word of a command line.
var word = regexp.MustCompile(`'([^']*)'|(\S+)`)

func blocksOf(text string) (list []codeBlock) {
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		list = append(list, codeBlock{language: m[1], file: m[2], text: m[3]})
	}
	return list
}

func textsOf(blocks []codeBlock, language string) (list []string) {
	for _, b := range blocks {
		if b.language == language {
			list = append(list, b.text)
		}
	}
	return list
}

// runBlocks checks the examples of a documentation page. It writes the files of the page to the
// current directory, runs its commands, and compares their output with the page. It returns the
// number of commands.
func runBlocks(text string) (ran int) {
	GinkgoHelper()
	for _, b := range blocksOf(text) {
		switch {
		case b.file != "":
			write(b.file, b.text)
		case b.language == "console":
			runConsole(b.text)
			ran++
		case b.language == "sh":
			ran += runShell(b.text)
		}
	}
	return ran
}

// runConsole runs the command of a console block and compares its output with the block.
func runConsole(block string) {
	GinkgoHelper()
	command, want, _ := strings.Cut(block, "\n")
	command, ours := strings.CutPrefix(command, "$ evalctl ")
	Expect(ours).To(BeTrue(), "%s: is not a call of evalctl", command)
	var p cliResult
	if command == readmeRunLine {
		p = readmeRun().cliResult
	} else {
		p = evalctl(words(command)...)
	}
	Expect(p.code).To(Equal(exit.Passed), "%s\n%s", command, p.stderr)
	Expect(linesMatch(plainLines(p.stdout), plainLines(want))).To(BeTrue(), "%s\nprints\n%s\nand not\n%s",
		command, p.stdout, want)
}

// needsOtherProcess lists texts of commands that need a second process, an API key or public data.
// Other tests cover them.
var needsOtherProcess = []string{":8123", ":8124", "DEEPSEEK_API_KEY", "python3 ", "run faults ", "clinc"}

// runShell runs the calls of evalctl in a shell block, which must succeed, and returns their
// number.
func runShell(block string) (ran int) {
	GinkgoHelper()
	for line := range strings.Lines(block) {
		command, ours := strings.CutPrefix(strings.TrimSpace(line), "evalctl ")
		if !ours || slices.ContainsFunc(needsOtherProcess,
			func(mark string) bool { return strings.Contains(command, mark) }) {
			continue
		}
		ran++
		args := words(command)
		if args[0] == "run" && !slices.ContainsFunc(args,
			func(arg string) bool { return slices.Contains([]string{"--gate", "--limit", "--sample"}, arg) }) {
			args = append(args, "--limit", "12") // their output is not compared
		}
		p := evalctl(args...)
		Expect(p.code).To(Equal(exit.Passed), "%s\n%s\n%s", command, p.stderr, p.stdout)
	}
	return ran
}

// words splits a command line into words as a shell does.
func words(line string) (args []string) {
	for _, m := range word.FindAllStringSubmatch(line, -1) {
		args = append(args, m[1]+m[2])
	}
	return args
}

func plainLines(s string) []string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// linesMatch reports whether the output has the expected lines. A line "…" in want matches any
// number of lines.
func linesMatch(got, want []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if strings.TrimSpace(want[0]) != "…" {
		return len(got) > 0 && got[0] == want[0] && linesMatch(got[1:], want[1:])
	}
	for i := range len(got) + 1 {
		if linesMatch(got[i:], want[1:]) {
			return true
		}
	}
	return false
}
