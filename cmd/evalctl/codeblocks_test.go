package main

import (
	"regexp"
	"slices"
	"strings"

	"evalctl/cmd/evalctl/exit"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// codeBlock is one of a page: its language, the file that it is, if it is named, and its
// text.
type codeBlock struct{ language, file, text string }

// fence is a code block of a page.
var fence = regexp.MustCompile("(?ms)^```(\\w+)(?: (\\S+))?\n(.*?)^```$")

// word is one of a command line: quoted or plain.
var word = regexp.MustCompile(`'([^']*)'|(\S+)`)

func blocksOf(text string) (list []codeBlock) {
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		list = append(list, codeBlock{language: m[1], file: m[2], text: m[3]})
	}
	return list
}

// textsOf are the code blocks of a language.
func textsOf(blocks []codeBlock, language string) (list []string) {
	for _, b := range blocks {
		if b.language == language {
			list = append(list, b.text)
		}
	}
	return list
}

// playBlocks writes the files of a page to the current folder, has its commands work and print
// what the page shows, and counts them.
func playBlocks(text string) (ran int) {
	GinkgoHelper()
	for _, b := range blocksOf(text) {
		switch {
		case b.file != "":
			write(b.file, b.text)
		case b.language == "console":
			playConsole(b.text)
			ran++
		case b.language == "sh":
			ran += playShell(b.text)
		}
	}
	return ran
}

// playConsole has a page's command print what the page shows.
func playConsole(block string) {
	GinkgoHelper()
	command, want, _ := strings.Cut(block, "\n")
	command, ours := strings.CutPrefix(command, "$ evalctl ")
	Expect(ours).To(BeTrue(), "%s: is no call of evalctl", command)
	var p played
	if command == firstLine {
		p = first().played
	} else {
		p = evalctl(words(command)...)
	}
	Expect(p.code).To(Equal(exit.Passed), "%s\n%s", command, p.stderr)
	Expect(agree(plainLines(p.stdout), plainLines(want))).To(BeTrue(), "%s\nprints\n%s\nand not\n%s", command, p.stdout, want)
}

// elsewhere marks what needs a second process, or a key: it has tests of its own.
var elsewhere = []string{":8123", ":8124", "DEEPSEEK_API_KEY", "python3 ", "run faults "}

// playShell has the calls of evalctl in a block work, and counts them.
func playShell(block string) (ran int) {
	GinkgoHelper()
	for line := range strings.Lines(block) {
		command, ours := strings.CutPrefix(strings.TrimSpace(line), "evalctl ")
		if !ours || slices.ContainsFunc(elsewhere, func(mark string) bool { return strings.Contains(command, mark) }) {
			continue
		}
		ran++
		args := words(command)
		if args[0] == "run" && !slices.ContainsFunc(args, func(arg string) bool { return slices.Contains([]string{"--gate", "--limit", "--sample"}, arg) }) {
			args = append(args, "--limit", "12") // what it prints is not shown
		}
		p := evalctl(args...)
		Expect(p.code).To(Equal(exit.Passed), "%s\n%s\n%s", command, p.stderr, p.stdout)
	}
	return ran
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
