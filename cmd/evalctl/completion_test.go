package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

var _ = Describe("shell completion", func() {
	// asked returns the completions that evalctl offers for a command line.
	asked := func(line ...string) []string {
		GinkgoHelper()
		got := evalctl(append([]string{"__complete"}, line...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
		for i, l := range lines {
			lines[i], _, _ = strings.Cut(l, "\t")
		}
		return lines[:len(lines)-1] // the last line is a directive for the shell
	}

	It("is a command that the help lists", func() {
		Expect(evalctl("--help").stdout).To(MatchRegexp(`(?m)^  completion `))
	})

	It("completes commands, suites, systems and flag values", func() {
		Expect(asked("")).To(ContainElements("run", "report", "doctor", "init", "help"))
		Expect(asked("run", "")).To(ContainElements("toolrouter", "prompt"))
		Expect(asked("chat", "")).To(ContainElements("studio"))
		Expect(asked("run", "--format", "")).To(ContainElements("table", "markdown"))
		Expect(asked("run", "--router", "")).To(ContainElements("rules", "llm-first"))
		Expect(asked("doctor", "--router", "")).To(ContainElements("rules", "llm-first"))
		Expect(asked("doctor", "")).To(ContainElements("toolrouter", "prompt"))
		Expect(asked("gate", "x", "--undecided", "")).To(ContainElements("fail"))
		Expect(asked("help", "")).To(ContainElements("faults", "topics", "run"))
	})

	It("completes run directories, newest first", func() {
		GinkgoT().Chdir(GinkgoT().TempDir())
		for _, dir := range []string{"20260101-1", "20260102-1", "no-run"} {
			Expect(os.MkdirAll(filepath.Join("runs", dir), 0o755)).To(Succeed())
		}
		write("runs/20260101-1/manifest.json", "{}")
		write("runs/20260102-1/manifest.json", "{}")
		want := []string{"runs/20260102-1", "runs/20260101-1"}
		for _, verb := range []string{"report", "gate", "show", "compare", "tune", "power"} {
			Expect(asked(verb, "")).To(Equal(want), verb)
		}
		Expect(asked("run", "--baseline", "")).To(Equal(want))
		Expect(asked("run", "--resume", "")).To(Equal(want))
	})

	DescribeTable("generates a script that this shell can parse:", func(shell string, check ...string) {
		got := evalctl("completion", shell)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring("__complete"))
		program, err := exec.LookPath(shell)
		if err != nil {
			Skip("there is no " + shell + " here")
		}
		out, err := exec.Command(program, append(check, fileOf("completion", got.stdout))...).CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), string(out))
		Expect(out).To(BeEmpty())
	},
		Entry("bash", "bash", "-n"), Entry("zsh", "zsh", "-n"), Entry("fish", "fish", "--no-execute"))
})
