package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/docs"
	"evalctl/eval/suite"
)

// pagesWithFewCommands are the documentation pages with fewer than two commands that a test can
// run. Their other commands need a second process or do not exist.
var pagesWithFewCommands = []string{"agent", "classifier", "fleet", "serving", "real-models", "install", "studio",
	"companion", "scholar", "suites", "gates", "files", "windows", "security", "glossary", "renamed", "metrics"}

// foreignFlags are flags in the pages that belong to other programs, and flags that every command
// has.
var foreignFlags = []string{"--help", "--json", "--api-key"}

var _ = Describe("evalctl help", func() {
	BeforeEach(func() { GinkgoT().Setenv("COLUMNS", "100") })

	for _, topic := range docs.Pages() {
		It("has a page "+topic.Name+" whose commands work and print the output that it shows", func() {
			GinkgoT().Chdir(GinkgoT().TempDir())
			ran := runBlocks(topic.Text)
			if !slices.Contains(pagesWithFewCommands, topic.Name) {
				Expect(ran).To(BeNumerically(">=", 2))
			}
		})
	}

	It("shows a page without Markdown markup, as wide as $COLUMNS", func() {
		GinkgoT().Setenv("COLUMNS", "60")
		got := evalctl("help", "gate")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(HavePrefix(
			"Gate a pull request\n\nA gate is a rule about a metric. If a run breaks the rule,\n"))
		Expect(got.stdout).NotTo(ContainSubstring("`"))
		Expect(got.stdout).NotTo(ContainSubstring("\x1b"), "a pipe has no colours")
	})

	It("28.2: shows the page of a system followed by all its settings, and only the settings if the system has no page",
		func() {
			for _, of := range suite.Systems() {
				got := evalctl("help", of.Name)
				Expect(got.code).To(Equal(exit.Passed), got.stderr)
				Expect(got.stdout).To(HavePrefix(of.Name + ": "))
				for _, s := range of.Settings {
					Expect(got.stdout).To(ContainSubstring("\n--"+s.Name), of.Name)
				}
			}
		})

	It("lists the pages for the argument topics in any capitalization", func() {
		for _, word := range []string{"topics", "TOPICS"} {
			got := evalctl("help", word)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			for _, topic := range docs.Pages() {
				Expect(got.stdout).To(ContainSubstring("  " + topic.Name))
			}
			Expect(strings.Count(got.stdout, "\n")).To(Equal(len(docs.Pages())+3), "two headings and an empty line")
		}
	})

	It("shows cobra's help for a command, and lists the pages without an argument", func() {
		Expect(evalctl("help", "run").stdout).To(Equal(evalctl("run", "--help").stdout))
		Expect(evalctl("help", "dataset", "import").stdout).To(Equal(evalctl("dataset", "import", "--help").stdout))
		all := evalctl("help")
		Expect(all.stdout).To(HavePrefix(evalctl("--help").stdout))
		Expect(all.stdout).To(HaveSuffix(evalctl("help", "topics").stdout))
	})

	DescribeTable("suggests similar words for a misspelled one", func(want string, args ...string) {
		Expect(evalctl(append([]string{"help"}, args...)...)).
			To(Equal(cliResult{exit.InvalidUsage, "", "evalctl: " + want + "\n"}))
	},
		Entry(nil, `unknown command or topic "promts", did you mean "prompts"?`, "promts"),
		Entry(nil, `unknown command or topic "rnu", did you mean "run"?`, "rnu"),
		Entry(nil, `unknown dataset command "imprt", did you mean "import"?`, "dataset", "imprt"))

	It("has pages that refer only to existing source directories", func() {
		named := 0
		for _, topic := range docs.Pages() {
			for _, m := range regexp.MustCompile("`((?:agent|eval|datasets|examples|mocks|reports|cmd)/[^`]*)`").
				FindAllStringSubmatch(topic.Text, -1) {
				if path := m[1]; !strings.Contains(path, "NAME") {
					Expect(filepath.Join("../..", path)).To(BeAnExistingFile(), topic.Name)
					named++
				}
			}
		}
		Expect(named).To(BeNumerically(">", 5))
	})

	It("has a page with Go code that compiles: a test that runs a function as an agent", Label("long"), func() {
		page, _ := docs.Find("agent")
		blocks := textsOf(blocksOf(page.Text), "go")
		Expect(blocks).To(HaveLen(1))
		source := `package desk

import (
	"context"
	"testing"

	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/evaltest"
)

func desk(context.Context, agent.Turn, func(trace.Event)) (r agent.Reply, _ error) { return r, nil }

func Example(t *testing.T) {
` + blocks[0] + "}\n"
		root, err := filepath.Abs("../..")
		Expect(err).NotTo(HaveOccurred())
		overlay, err := json.Marshal(
			map[string]any{"Replace": map[string]string{filepath.Join(root,
				"examples/onpage/desk.go"): write(filepath.Join(GinkgoT().TempDir(), "desk.go"), source)}})
		Expect(err).NotTo(HaveOccurred())
		build := exec.CommandContext(GinkgoT().Context(), "go", "build", "-overlay",
			write(filepath.Join(GinkgoT().TempDir(), "overlay.json"), string(overlay)), "./examples/onpage")
		build.Dir = root
		said, err := build.CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), string(said))
	})

	It("has pages that name only existing flags", func() {
		split := func(text string) []string {
			return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n`=.,:;()|", r) })
		}
		known := map[string]bool{}
		learn := func(args ...string) {
			for _, word := range split(evalctl(args...).stdout) {
				known[word] = true
			}
		}
		for _, command := range []string{"run", "report", "gate", "merge", "show", "view", "compare", "tune", "power",
			"runs", "runs trend", "runs since", "runs rm", "curve",
			"dataset import", "style-library create", "chat", "serve", "mock serve", "proxy", "worker", "broker",
			"init", "doctor", "prices"} {
			learn(append(strings.Fields(command), "--help")...)
			learn(append(strings.Fields(command), "--help-all")...)
		}
		for _, of := range suite.Systems() {
			learn("help", of.Name)
		}
		for _, topic := range docs.Pages() {
			if topic.Name == "renamed" { // lists old names
				continue
			}
			for _, word := range split(topic.Text) {
				if strings.HasPrefix(word, "--") && strings.Trim(word, "-") != "" &&
					!slices.Contains(foreignFlags, word) {
					Expect(known[word]).To(BeTrue(), "%s: %s", topic.Name, word)
				}
			}
		}
	})
})
