package evalctl_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/rhysd/actionlint"
)

// action is the format of an action.yml file with composite steps. Unknown fields are errors.
type action struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	Author      string `yaml:"author"`
	Branding    struct {
		Icon  string `yaml:"icon"`
		Color string `yaml:"color"`
	} `yaml:"branding"`
	Inputs map[string]struct {
		Description string  `yaml:"description"`
		Default     *string `yaml:"default"`
		Required    bool    `yaml:"required"`
	} `yaml:"inputs"`
	Outputs map[string]struct {
		Description string `yaml:"description"`
		Value       string `yaml:"value"`
	} `yaml:"outputs"`
	Runs struct {
		Using string       `yaml:"using"`
		Steps []actionStep `yaml:"steps"`
	} `yaml:"runs"`
}

type actionStep struct {
	Name  string            `yaml:"name"`
	ID    string            `yaml:"id"`
	If    string            `yaml:"if"`
	Uses  string            `yaml:"uses"`
	With  map[string]string `yaml:"with"`
	Env   map[string]string `yaml:"env"`
	Shell string            `yaml:"shell"`
	Run   string            `yaml:"run"`
}

// parseAction parses an action.yml file and returns what is wrong with it.
func parseAction(text string) (a action, problems []string) {
	if err := yaml.UnmarshalWithOptions([]byte(text), &a, yaml.Strict()); err != nil {
		return a, []string{err.Error()}
	}
	report := func(bad bool, problem string) {
		if bad {
			problems = append(problems, problem)
		}
	}
	report(a.Name == "" || a.Description == "", "no name or description")
	report(a.Runs.Using != "composite", "runs.using is not composite")
	for name, input := range a.Inputs {
		report(input.Description == "", "input "+name+" has no description")
		report(input.Default == nil && !input.Required, "input "+name+" has no default")
		report(!strings.Contains(text, "inputs."+name+" "), "input "+name+" is not used")
	}
	for _, use := range regexp.MustCompile(`inputs\.([A-Za-z_-]+)`).FindAllStringSubmatch(text, -1) {
		_, known := a.Inputs[use[1]]
		report(!known, "unknown input "+use[1])
	}
	ids := map[string]bool{}
	for _, s := range a.Runs.Steps {
		ids[s.ID] = true
		report(s.Name == "", "a step has no name")
		report((s.Uses == "") == (s.Run == ""), s.Name+": needs either uses or run")
		report(s.Run != "" && s.Shell != "bash", s.Name+": the shell is not bash")
		report(strings.Contains(s.Run, "${{"), s.Name+": an expression in a script")
		pinned := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`).MatchString(s.Uses)
		report(s.Uses != "" && !pinned, s.Name+": not pinned to a commit: "+s.Uses)
	}
	for name, output := range a.Outputs {
		of := regexp.MustCompile(`^\$\{\{ steps\.(\w+)\.outputs\.`).FindStringSubmatch(output.Value)
		report(of == nil || !ids[of[1]], "output "+name+" is of no step")
	}
	return a, problems
}

func textOf(path string) string {
	GinkgoHelper()
	text, err := os.ReadFile(path)
	Expect(err).NotTo(HaveOccurred())
	return string(text)
}

// checkBash fails the test if bash cannot parse the script.
func checkBash(script string) {
	GinkgoHelper()
	if _, err := exec.LookPath("bash"); err != nil {
		Skip("there is no bash here")
	}
	cmd := exec.Command("bash", "-n")
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
	Expect(out).To(BeEmpty())
}

var _ = Describe("28.11: action.yml", func() {
	It("has the format of a composite action, and its scripts contain no expressions", func() {
		a, problems := parseAction(textOf("action.yml"))
		Expect(problems).To(BeEmpty())
		Expect(len(a.Runs.Steps)).To(BeNumerically(">", 4))
		for _, s := range a.Runs.Steps {
			checkBash(s.Run)
		}
	})

	DescribeTable("is rejected by the checks of this spec if", func(old, replacement, want string) {
		text := textOf("action.yml")
		Expect(text).To(ContainSubstring(old))
		_, problems := parseAction(strings.Replace(text, old, replacement, 1))
		Expect(problems).To(ContainElement(ContainSubstring(want)))
	},
		Entry("it has an unknown field", "    shell: bash", "    shel: bash", "shel"),
		Entry("a script contains an input expression", `evalctl run "$SUITE"`, "evalctl run ${{ inputs.suite }}",
			"an expression in a script"),
		Entry("an input is misspelled", "inputs.baseline-gates", "inputs.baseline-gate", "unknown input baseline-gate"),
		Entry("an action that it uses is not pinned to a commit", "@ea165f8d65b6e75b540449e92b4886f43607fa02",
			"@v4", "not pinned"),
		Entry("an output refers to a step that does not exist", "steps.run.outputs.report", "steps.runs.outputs.report",
			"output report is of no step"),
	)
})

var _ = Describe("28.11: the GitHub workflows of this repository", func() {
	lint := func(path, text string) []*actionlint.Error {
		GinkgoHelper()
		linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
		Expect(err).NotTo(HaveOccurred())
		found, err := linter.Lint(path, []byte(text), nil)
		Expect(err).NotTo(HaveOccurred())
		return found
	}

	It("pass actionlint, pin all actions to commits, and have minimal permissions", func() {
		files, err := filepath.Glob(".github/workflows/*.yml")
		Expect(err).NotTo(HaveOccurred())
		Expect(files).To(ConsistOf(HaveSuffix("ci.yml"), HaveSuffix("release.yml")))
		for _, file := range files {
			text := textOf(file)
			Expect(lint(file, text)).To(BeEmpty(), file)
			for _, u := range regexp.MustCompile(`uses: (.*)`).FindAllStringSubmatch(text, -1) {
				Expect(u[1]).To(MatchRegexp(`^actions/[a-z/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`))
			}
			Expect(text).To(ContainSubstring("\npermissions:\n  contents: read\n"), file)
			Expect(text).NotTo(ContainSubstring("pull_request_target"))
			Expect(lint(file, strings.Replace(text, "runs-on", "run-on", 1))).NotTo(BeEmpty(), "the linter works")
		}
	})
})

var _ = Describe("28.10: the release of evalctl", func() {
	It("has the same platforms in make dist, .goreleaser.yaml and action.yml", func() {
		var config struct {
			Builds []struct {
				GOOS   []string `yaml:"goos"`
				GOARCH []string `yaml:"goarch"`
			} `yaml:"builds"`
		}
		Expect(yaml.Unmarshal([]byte(textOf(".goreleaser.yaml")), &config)).To(Succeed())
		Expect(config.Builds).To(HaveLen(1))
		var platforms []string
		for _, system := range config.Builds[0].GOOS {
			for _, processor := range config.Builds[0].GOARCH {
				platforms = append(platforms, system+"/"+processor)
				Expect(textOf("action.yml")).
					To(And(ContainSubstring("archive="+system), ContainSubstring("_"+processor+`"`)))
			}
		}
		Expect(platforms).To(HaveLen(6))
		Expect(textOf(".ci/dist")).To(ContainSubstring("platforms='" + strings.Join(platforms, " ") + "'"))
	})

	It("is built by scripts that bash can parse", func() {
		scripts, err := filepath.Glob(".ci/*")
		Expect(err).NotTo(HaveOccurred())
		Expect(len(scripts)).To(BeNumerically(">=", 4))
		for _, script := range scripts {
			if info, err := os.Stat(script); err == nil && info.IsDir() {
				continue // a command in Go
			}
			checkBash(textOf(script))
		}
	})
})
