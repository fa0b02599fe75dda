package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/docs"
)

var _ = Describe("evalctl help", func() {
	BeforeEach(func() { GinkgoT().Setenv("COLUMNS", "100") })

	for _, topic := range docs.Pages() {
		It("shows on the page "+topic.Name+" commands that work, and print what it says", func() {
			GinkgoT().Chdir(GinkgoT().TempDir())
			ran := 0
			for _, b := range blocksOf(topic.Text) {
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
			if topic.Name != "agent" && topic.Name != "fleet" { // there every command is of another process
				Expect(ran).To(BeNumerically(">=", 2))
			}
		})
	}

	It("shows a page without its Markdown, as wide as $COLUMNS says", func() {
		GinkgoT().Setenv("COLUMNS", "60")
		got := evalctl("help", "gate")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(HavePrefix("Gate a pull request\n\nA gate is a rule that a run must keep, or else the command\n"))
		Expect(got.stdout).NotTo(ContainSubstring("`"))
		Expect(got.stdout).NotTo(ContainSubstring("\x1b"), "a pipe has no colours")
	})

	It("lists the pages, whatever the case of topics", func() {
		for _, word := range []string{"topics", "TOPICS"} {
			got := evalctl("help", word)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			for _, topic := range docs.Pages() {
				Expect(got.stdout).To(ContainSubstring("  " + topic.Name))
			}
			Expect(strings.Count(got.stdout, "\n")).To(Equal(len(docs.Pages())))
		}
	})

	It("is cobra's for commands, and tells of the pages where none is named", func() {
		Expect(evalctl("help", "run").stdout).To(Equal(evalctl("run", "--help").stdout))
		Expect(evalctl("help", "dataset", "import").stdout).To(Equal(evalctl("dataset", "import", "--help").stdout))
		all := evalctl("help")
		Expect(all.stdout).To(HavePrefix(evalctl("--help").stdout))
		Expect(all.stdout).To(HaveSuffix(evalctl("help", "topics").stdout))
	})

	DescribeTable("says what may have been meant", func(want string, args ...string) {
		Expect(evalctl(append([]string{"help"}, args...)...)).To(Equal(played{exit.Usage, "", "evalctl: " + want + "\n"}))
	},
		Entry(nil, `unknown command or topic "promts", did you mean "prompts"?`, "promts"),
		Entry(nil, `unknown command or topic "rnu", did you mean "run"?`, "rnu"),
		Entry(nil, `unknown dataset command "imprt", did you mean "import"?`, "dataset", "imprt"))

	It("names in the pages only folders of the sources that there are", func() {
		named := 0
		for _, topic := range docs.Pages() {
			for _, m := range regexp.MustCompile("`((?:agent|eval|datasets|examples|mocks|reports|cmd)/[^`]*)`").FindAllStringSubmatch(topic.Text, -1) {
				if path := m[1]; !strings.Contains(path, "NAME") {
					Expect(filepath.Join("../..", path)).To(BeAnExistingFile(), topic.Name)
					named++
				}
			}
		}
		Expect(named).To(BeNumerically(">", 5))
	})

	It("shows Go that compiles, of a test that plays an agent which is a function", Label("long"), func() {
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
	"evalctl/eval/evaltest"
)

func desk(context.Context, agent.Turn, func(trace.Event)) (r agent.Reply, _ error) { return r, nil }

func Example(t *testing.T) {
` + blocks[0] + "}\n"
		root, err := filepath.Abs("../..")
		Expect(err).NotTo(HaveOccurred())
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "examples/onpage/desk.go"): write(filepath.Join(GinkgoT().TempDir(), "desk.go"), source)}})
		Expect(err).NotTo(HaveOccurred())
		build := exec.CommandContext(GinkgoT().Context(), "go", "build", "-overlay", write(filepath.Join(GinkgoT().TempDir(), "overlay.json"), string(overlay)), "./examples/onpage")
		build.Dir = root
		said, err := build.CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), string(said))
	})

	It("names in the pages only flags that there are", func() {
		known := evalctl("run", "--help").stdout + evalctl("dataset", "import", "--help").stdout + evalctl("mock", "serve", "--help").stdout + evalctl("proxy", "--help").stdout +
			evalctl("gate", "--help").stdout + evalctl("show", "--help").stdout + evalctl("power", "--help").stdout + evalctl("compare", "--help").stdout + evalctl("init", "--help").stdout +
			evalctl("worker", "--help").stdout + evalctl("broker", "--help").stdout
		for _, topic := range docs.Pages() {
			for _, word := range strings.FieldsFunc(topic.Text, func(r rune) bool { return strings.ContainsRune(" \n`=.,:;()", r) }) {
				if strings.HasPrefix(word, "--") && word != "--help" {
					Expect(known).To(ContainSubstring(word), topic.Name)
				}
			}
		}
	})
})
