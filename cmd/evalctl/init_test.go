package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/scaffold"
)

// step is a step of a GitHub workflow or action.
type step struct {
	Name string            `yaml:"name"`
	Uses string            `yaml:"uses"`
	With map[string]string `yaml:"with"`
	Run  string            `yaml:"run"`
	In   string            `yaml:"working-directory"`
	Env  map[string]string `yaml:"env"`
}

// stepsIn returns the steps of the workflow that evalctl init wrote to dir. Instead of the step
// that uses this repository's action it has the steps of the action, with the workflow's inputs.
func stepsIn(dir string) map[string]step {
	GinkgoHelper()
	var w struct {
		Jobs map[string]struct {
			Steps []step `yaml:"steps"`
		} `yaml:"jobs"`
	}
	Expect(yaml.Unmarshal([]byte(read(dir, ".github/workflows/evalctl.yml")), &w)).To(Succeed())
	var action struct {
		Inputs map[string]struct {
			Default string `yaml:"default"`
		} `yaml:"inputs"`
		Runs struct {
			Steps []step `yaml:"steps"`
		} `yaml:"runs"`
	}
	Expect(yaml.Unmarshal([]byte(read("../../action.yml")), &action)).To(Succeed())
	steps := map[string]step{}
	for _, s := range w.Jobs["evals"].Steps {
		if s.Uses != "./.evalctl" {
			steps[s.Name] = s
			continue
		}
		for input := range s.With {
			Expect(action.Inputs).To(HaveKey(input))
		}
		for _, part := range action.Runs.Steps {
			for name, value := range part.Env {
				input, ok := strings.CutPrefix(value, "${{ inputs.")
				if !ok {
					delete(part.Env, name) // set by the test
					continue
				}
				input = strings.TrimSuffix(input, " }}")
				given, ok := s.With[input]
				if !ok {
					given = action.Inputs[input].Default
				}
				part.Env[name] = given
			}
			delete(part.Env, "GH_TOKEN")
			steps[part.Name] = part
		}
	}
	return steps
}

// runner runs steps of a workflow in a shell, as GitHub does, with stubs for go and gh.
type runner struct {
	dir, bin string
	steps    map[string]step
	env      []string
}

func newRunner(dir string) *runner {
	GinkgoHelper()
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	temp := GinkgoT().TempDir()
	r := &runner{dir: dir, bin: filepath.Join(temp, "stand-ins"), steps: stepsIn(dir)}
	Expect(os.MkdirAll(r.bin, 0o755)).To(Succeed())
	program := "#!/bin/bash\n" + asCLI + "=1 exec '" + self + "' \"$@\"\n"
	r.script("go", `[ "$1 $2 $3 $4 $5 $7" = "build -trimpath -ldflags -s -w -o ./cmd/evalctl" ] || exit 9
printf '%s' "$PROGRAM" > "$6/evalctl" && chmod +x "$6/evalctl"`)
	r.script("gh", `printf '%s\n' "gh $*" >> "$GH_LOG"
case "$*" in *comments\ --paginate*) printf '%s' "$EARLIER" ;; esac`)
	r.env = append(os.Environ(), "PROGRAM="+program, "RUNNER_TEMP="+temp, "GITHUB_PATH="+filepath.Join(temp, "path"),
		"GITHUB_OUTPUT="+filepath.Join(temp, "output"), "GITHUB_ACTION_PATH="+filepath.Join(dir, ".evalctl"),
		"GH_LOG="+filepath.Join(temp, "gh.log"), "GITHUB_REPOSITORY=me/shop", "NUMBER=7", "EARLIER=", "GH_TOKEN=none",
		"PATH="+strings.Join([]string{r.bin, filepath.Join(temp, "evalctl-bin"), os.Getenv("PATH")}, ":"))
	return r
}

func (r *runner) script(name, text string) {
	GinkgoHelper()
	Expect(os.WriteFile(filepath.Join(r.bin, name), []byte("#!/bin/bash\n"+text+"\n"), 0o755)).To(Succeed())
}

func (r *runner) play(name string, env ...string) (string, int) {
	GinkgoHelper()
	s, ok := r.steps[name]
	Expect(ok).To(BeTrue(), name)
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
	cmd.Dir, cmd.Env = filepath.Join(r.dir, s.In), slices.Clone(r.env)
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Env = append(cmd.Env, env...)
	out, _ := cmd.CombinedOutput() // the exit code is checked
	return string(out), cmd.ProcessState.ExitCode()
}

// asked returns the gh commands that the steps ran.
func (r *runner) asked() string { return r.written("GH_LOG") }

func (r *runner) output() string { return r.written("GITHUB_OUTPUT") }

// written returns the text of the file that an environment variable names, or "" if there is none.
func (r *runner) written(variable string) string {
	for _, e := range r.env {
		if path, ok := strings.CutPrefix(e, variable+"="); ok {
			text, _ := os.ReadFile(path)
			return string(text)
		}
	}
	return ""
}

var _ = Describe("evalctl init", func() {
	var dir string
	BeforeEach(func() {
		dir = filepath.Join(GinkgoT().TempDir(), "shop")
		GinkgoT().Setenv("COLUMNS", "100")
	})

	It("writes a suite that runs offline and passes its gates, and prints the next steps", func() {
		got := evalctl("init", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				Expect(got.stdout).To(ContainSubstring("wrote  " + path + "\n"))
			}
			return err
		})).To(Succeed())
		suite := filepath.Join(dir, scaffold.SuiteFile)
		Expect(got.stdout).To(HaveSuffix("\nnext   evalctl run " + suite + "\n       set EVALCTL_REPOSITORY in " +
			filepath.Join(dir, ".github/workflows/evalctl.yml") +
			"; without it the workflow fails\nthen   evalctl help gate\n"))
		for _, file := range []string{suite, filepath.Join(dir, ".github/workflows/evalctl.yml")} {
			Expect(strings.Join(strings.Fields(strings.ReplaceAll(read(file), "#", "")), " ")).
				To(MatchRegexp("cannot catch a worse prompt"), "15.13")
		}
		out := newRunDir()
		run := evalctl("run", suite, "--out", out)
		Expect(run.code).To(Equal(exit.Passed), run.stderr)
		Expect(run.stdout).To(ContainSubstring("Gates: 3 passed"))
		sum := summaryOf(out)
		Expect(sum.Suites[0].Cases).To(Equal(int64(20)))
		Expect(run.stdout).To(MatchRegexp(`\nsure .* \+0/−1 `), "there is something to compare")
		Expect(evalctl("dataset", "check", filepath.Join(dir, "evals/cases.jsonl")).stdout).
			To(ContainSubstring("20 cases, no problem"))
	})

	It("28.7: writes a gate that an unchanged agent passes with the 20 starter cases", func() {
		Expect(evalctl("init", dir).code).To(Equal(exit.Passed))
		suite, before := filepath.Join(dir, scaffold.SuiteFile), newRunDir()
		Expect(evalctl("run", suite, "--out", before, "-q").code).To(Equal(exit.Passed))
		_, gates, found := strings.Cut(read(filepath.Join(dir, ".github/workflows/evalctl.yml")), "baseline-gates: |\n")
		Expect(found).To(BeTrue())
		rule, _, _ := strings.Cut(strings.TrimSpace(gates), "\n")
		got := evalctl("run", suite, "--out", newRunDir(), "--baseline", before, "--gate", rule, "--gate",
			"new_failures{fault=none} <= 0", "--undecided", "fail")
		Expect(got.code).To(Equal(exit.Passed), got.stdout+got.stderr)

		narrow := evalctl("gate", before, "--baseline", before, "drop(route.accuracy{fault=none}) <= 1pp")
		Expect(narrow.code).To(Equal(exit.Undecided))
		Expect(narrow.stdout).To(
			MatchRegexp("20 cases cannot resolve 1 point \\(about [0-9,]+\\s+are needed[^)]*\\)\\. They\\s+can\\s+decide `<= 15pp` or\\s+`new_failures <= 0`"))
		Expect(evalctl("gate", before, "--baseline", before, "drop(route.accuracy{fault=none}) <= 15pp",
			"new_failures <= 0").code).To(Equal(exit.Passed))
		unused := evalctl("gate", before, "--baseline", before, "route.accuracy{fault=none, variant=short} >= 75%")
		Expect(unused.code).To(Equal(exit.Passed))
		Expect(unused.stderr).To(ContainSubstring("--baseline is not used: no gate compares with it"))
	})

	// runStarter runs the suite that init wrote, and expects a score for all of its 20 cases.
	runStarter := func(code int, args ...string) string {
		GinkgoHelper()
		out := newRunDir()
		run := evalctl(append([]string{"run", filepath.Join(dir, scaffold.SuiteFile), "--out", out}, args...)...)
		Expect(run.code).To(Equal(code), run.stdout+run.stderr)
		Expect(summaryOf(out).Suites[0].Conditions[0].Metrics["route.accuracy"].N).To(Equal(int64(20)))
		return run.stdout
	}

	It("30.5: writes a suite for an agent that is a program, and the agent", func() {
		interpreter("python3")
		got := evalctl("init", "--target", "exec", "--evalctl-repo", "them/evalctl", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(And(ContainSubstring("wrote  "+filepath.Join(dir, "evals/agent.py")+"\n"),
			HaveSuffix("\nnext   evalctl run "+filepath.Join(dir, scaffold.SuiteFile)+
				" --trust\nthen   evalctl help gate\n")))
		Expect(runStarter(exit.Passed, "--trust")).To(ContainSubstring("Gates: 3 passed"))
		if _, err := exec.LookPath("bash"); err != nil {
			return
		}
		Expect(os.Mkdir(filepath.Join(dir, ".evalctl"), 0o755)).To(Succeed())
		r := newRunner(dir)
		out, code := r.play("build")
		Expect(code).To(BeZero(), out)
		out, code = r.play("run")
		Expect(code).To(BeZero(), out)
		Expect(out).To(ContainSubstring("Gates: 3 passed"))
	})

	It("30.5: writes a suite for an agent over HTTP, and the agent", func() {
		python := interpreter("python3")
		got := evalctl("init", "--target", "http", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		agent := filepath.Join(dir, "evals/agent.py")
		Expect(got.stdout).To(ContainSubstring("\nstart  python3 " + agent + " &\nnext   evalctl run " +
			filepath.Join(dir, scaffold.SuiteFile) + "\n"))
		suite := read(dir, scaffold.SuiteFile)
		Expect(suite).To(ContainSubstring("url: http://127.0.0.1:8124/\n"))
		url := serverAddress(python, agent, "0")
		Expect(runStarter(exit.Passed, "--url", url)).To(ContainSubstring("Gates: 3 passed"))
		Expect(read(dir, ".github/workflows/evalctl.yml")).
			To(ContainSubstring("run: python3 evals/agent.py & sleep 2\n"))
	})

	It("30.5: writes a suite for an endpoint with chat completions", func() {
		got := evalctl("init", "--target", "openai", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring(
			"\nset    OPENAI_API_KEY to your key. For another endpoint, edit the suite\n" +
				"next   evalctl run " + filepath.Join(dir, scaffold.SuiteFile) + " --trust\n"))
		path := filepath.Join(dir, scaffold.SuiteFile)
		const openAI = "https://api.openai.com/v1"
		Expect(read(path)).To(ContainSubstring(openAI))
		write(path, strings.Replace(read(path), openAI,
			modelAnswering(`{"role":"assistant","content":"{\"label\":\"other\",\"confidence\":1}"}`), 1))
		GinkgoT().Setenv("OPENAI_API_KEY", "sk-of-this-test")
		Expect(runStarter(exit.GateFailed, "--trust")).To(ContainSubstring("Gates: 1 failed"))
	})

	It("30.5: refuses an unknown target", func() {
		got := evalctl("init", "--target", "htp", dir)
		Expect(got).To(Equal(cliResult{exit.InvalidUsage, "",
			"evalctl: --target: unknown target \"htp\", did you mean \"http\"?\n"}))
		Expect(dir).NotTo(BeADirectory())
	})

	It("writes to the current directory, and overwrites files only with --force", func() {
		Expect(os.Mkdir(dir, 0o755)).To(Succeed())
		GinkgoT().Chdir(dir)
		Expect(evalctl("init").stdout).To(ContainSubstring("next   evalctl run evals/suite.yaml\n"))
		again := evalctl("init")
		Expect(again).To(Equal(cliResult{exit.InvalidUsage, "",
			"evalctl: init: evals/suite.yaml exists. To overwrite all files, use --force\n"}))
		Expect(evalctl("init", "--force").code).To(Equal(exit.Passed))
		Expect(evalctl("init", "--evalctl-repo", "nowhere").stderr).
			To(Equal("evalctl: --evalctl-repo: \"nowhere\" is not OWNER/NAME\n"))
		named := evalctl("init", "--force", "--evalctl-repo", "them/evalctl")
		Expect(named.code).To(Equal(exit.Passed))
		Expect(named.stdout).NotTo(ContainSubstring("red"))
		Expect(read(".github/workflows/evalctl.yml")).To(ContainSubstring("EVALCTL_REPOSITORY: them/evalctl "))
		Expect(evalctl("init", "a", "b").stderr).
			To(Equal("evalctl: init: requires at most one directory, got 2 arguments\n"))
	})

	It("prints commands that a shell accepts for any name of the directory", func() {
		for name, shown := range map[string]string{"-x": "./-x/evals/suite.yaml",
			"a b;c'": `'a b;c'\''/evals/suite.yaml'`, "k\x1b[31m\nx": `'k␛[31m x/evals/suite.yaml'`} {
			temp := GinkgoT().TempDir()
			GinkgoT().Chdir(temp)
			got := evalctl("init", "--evalctl-repo", "them/evalctl", "--", name)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stdout).To(HaveSuffix("\n\nnext   evalctl run " + shown + "\nthen   evalctl help gate\n"))
			Expect(strings.Count(got.stdout, "\n")).To(Equal(strings.Count(got.stdout, "wrote  ") + 3))
			Expect(evalctl("man", "--", name).stdout).
				To(HaveSuffix("man -l " + strings.Replace(shown, scaffold.SuiteFile, "evalctl.1", 1) + "\n"))
		}
	})

	It("does not follow links out of its directory, and does not wait for pipes", func() {
		outside := GinkgoT().TempDir()
		Expect(os.Mkdir(dir, 0o755)).To(Succeed())
		Expect(os.Symlink(outside, filepath.Join(dir, "evals"))).To(Succeed())
		Expect(evalctl("init", "--force", dir)).
			To(Equal(cliResult{exit.InvalidUsage, "",
				"evalctl: init: open " + filepath.Join(dir, "evals") + ": is not a folder, or a link to one\n"}))
		Expect(os.ReadDir(outside)).To(BeEmpty())
		Expect(os.Remove(filepath.Join(dir, "evals"))).To(Succeed())
		Expect(exec.Command("mkfifo", filepath.Join(dir, ".gitignore")).Run()).To(Succeed())
		Expect(evalctl("init", dir)).
			To(Equal(cliResult{exit.InvalidUsage, "",
				"evalctl: init: open " + filepath.Join(dir, ".gitignore") + ": is not a regular file\n"}))
		Expect(filepath.Join(dir, "evals")).NotTo(BeADirectory())
	})

	Describe("writes a workflow", func() {
		var r *runner
		BeforeEach(func() {
			if _, err := exec.LookPath("bash"); err != nil {
				Skip("there is no bash here")
			}
			Expect(evalctl("init", dir).code).To(Equal(exit.Passed))
			Expect(os.Mkdir(filepath.Join(dir, ".evalctl"), 0o755)).To(Succeed())
			r = newRunner(dir)
			out, code := r.play("build")
			Expect(code).To(BeZero(), out)
		})

		It("that fails if the location of the evalctl sources is missing", func() {
			out, code := r.play("check EVALCTL_REPOSITORY", "EVALCTL_REPOSITORY=")
			Expect(code).To(Equal(1))
			Expect(out).To(HavePrefix("::error file=.github/workflows/evalctl.yml::EVALCTL_REPOSITORY is empty."))
			_, code = r.play("check EVALCTL_REPOSITORY", "EVALCTL_REPOSITORY=them/evalctl")
			Expect(code).To(BeZero())
		})

		It("that stores the run of main and compares a pull request with it", func() {
			out, code := r.play("run")
			Expect(code).To(BeZero(), out)
			Expect(out).To(ContainSubstring("Gates: 3 passed"))
			_, code = r.play("keep the run of main")
			Expect(code).To(BeZero())
			out, code = r.play("run")
			Expect(code).To(BeZero(), out)
			Expect(out).To(ContainSubstring("Gates: 4 passed"))
		})

		It("28.11: whose action passes its inputs to evalctl unchanged, and returns the exit code", func() {
			out, code := r.play("run", "ARGS=--limit=5\n\n--gate\nroute.accuracy{variant=short, fault=none} >= 10%",
				"OUT=runs/a $(touch pwned) `touch pwned`")
			Expect(code).To(BeZero(), out)
			Expect(out).To(ContainSubstring("Gates: 4 passed"))
			Expect(filepath.Join(dir, "pwned")).NotTo(BeAnExistingFile())
			Expect(filepath.Join(dir, "runs", "a $(touch pwned) `touch pwned`", "manifest.json")).To(BeAnExistingFile())
			Expect(r.output()).To(Equal("exit-code=0\nreport=report.html\n"))
			out, code = r.play("run", "BASELINE=runs/nothing", "ARGS=--gate=route.accuracy{fault=none} >= 101%")
			Expect(code).To(Equal(exit.InvalidUsage), out)
			Expect(r.output()).To(HaveSuffix("exit-code=2\nreport=report.html\n"))
		})

		It("28.11: whose action downloads a release if one is named, and verifies its checksum", func() {
			release := GinkgoT().TempDir()
			pack := exec.Command("bash", "-ec",
				`mkdir evalctl_1.2.3_linux_amd64; echo '#!/bin/sh' > evalctl_1.2.3_linux_amd64/evalctl
tar -czf evalctl_1.2.3_linux_amd64.tar.gz evalctl_1.2.3_linux_amd64; sha256sum *.tar.gz > checksums.txt`)
			pack.Dir = release
			Expect(pack.Run()).To(Succeed())
			r.script("gh", `printf '%s\n' "gh $*" >> "$GH_LOG"; cp "$RELEASE"/*.tar.gz "$RELEASE"/checksums.txt .`)
			env := []string{"VERSION=v1.2.3", "REPOSITORY=them/evalctl", "RUNNER_OS=Linux", "RUNNER_ARCH=X64",
				"RELEASE=" + release}
			out, code := r.play("download", env...)
			Expect(code).To(BeZero(), out)
			Expect(r.asked()).To(ContainSubstring("gh release download v1.2.3 --repo them/evalctl "))
			Expect(read(filepath.Dir(r.bin), "evalctl-bin", "evalctl")).To(Equal("#!/bin/sh\n"))
			write(filepath.Join(release, "evalctl_1.2.3_linux_amd64.tar.gz"), "another archive")
			out, code = r.play("download", env...)
			Expect(code).NotTo(BeZero(), out)
			_, code = r.play("download", append(env, "RUNNER_ARCH=S390X")...)
			Expect(code).To(Equal(1))
		})

		It("that produces an HTML report", func() {
			out, code := r.play("run")
			Expect(code).To(BeZero(), out)
			Expect(read(dir, "report.html")).To(ContainSubstring("</html>"))
		})

		DescribeTable("that accepts a pull request with edited cases and reports which cases are not compared, if the edit",
			func(output string, edits ...string) {
				_, code := r.play("run")
				Expect(code).To(BeZero())
				_, code = r.play("keep the run of main")
				Expect(code).To(BeZero())
				for i := 0; i < len(edits); i += 3 {
					file := filepath.Join(dir, edits[i])
					Expect(read(file)).To(ContainSubstring(edits[i+1]))
					write(file, strings.ReplaceAll(read(file), edits[i+1], edits[i+2]))
				}
				out, code := r.play("run")
				Expect(code).To(BeZero(), out)
				Expect(read(dir, "report.md")).To(ContainSubstring(output))
			},
			Entry("adds a case", "left out: 1 not in the baseline", "evals/cases.jsonl", `{"id":"d01"`,
				`{"id":"d05","text":"where is my parcel?","label":"delivery","lang":"en"}`+"\n"+`{"id":"d01"`),
			Entry("changes a word of a text", "left out: 1 text changed", "evals/cases.jsonl", "Saturday", "Sunday"),
			Entry("changes a label", "left out: 1 label changed", "evals/cases.jsonl",
				`"d04","text":"any chance it gets here before Saturday? it's a birthday present","label":"delivery"`,
				`"d04","text":"any chance it gets here before Saturday? it's a birthday present","label":"other"`),
			Entry("renames a variant", "no case in common with the baseline run: 20 not in the baseline",
				"evals/suite.yaml", "sure", "doubtful"),
			Entry("renames all cases, which are still compared by their content", "over 20 cases in suite desk",
				"evals/cases.jsonl", `{"id":"`, `{"id":"x`),
		)

		It("that fails for a pull request with a lower accuracy", func() {
			_, code := r.play("run")
			Expect(code).To(BeZero())
			_, code = r.play("keep the run of main")
			Expect(code).To(BeZero())
			suite := filepath.Join(dir, scaffold.SuiteFile)
			write(suite, strings.Replace(read(suite), "accuracy: 0.9\n", "accuracy: 0.3\n", 1))
			out, code := r.play("run")
			Expect(code).To(Equal(exit.GateFailed), out)
			out, code = r.play("comment")
			Expect(code).To(BeZero(), out)
			Expect(read(dir, "comment.md")).
				To(And(HavePrefix("<!-- evalctl -->\n### evalctl"), ContainSubstring("drop(route.accuracy")))
		})

		It("that adds one comment to a pull request, and later updates it", func() {
			_, code := r.play("comment")
			Expect(code).To(BeZero())
			Expect(r.asked()).To(BeEmpty(), "there is no report yet")
			long := write(filepath.Join(dir, "report.md"), strings.Repeat("字", 30_000))
			_, code = r.play("comment")
			Expect(code).To(BeZero())
			Expect(r.asked()).To(HaveSuffix("gh pr comment 7 --repo me/shop --body-file comment.md\n"))
			comment := read(dir, "comment.md")
			Expect(len(comment)).To(BeNumerically("<", 65_536))
			Expect(len(comment)).To(BeNumerically("<", len(read(long))))
			Expect(strings.ToValidUTF8(comment, "?")).To(Equal(comment), "it is cut between characters")
			_, code = r.play("comment", "EARLIER=4711\n")
			Expect(code).To(BeZero())
			Expect(r.asked()).To(HaveSuffix(
				fmt.Sprintf("gh api --method PATCH repos/%s/issues/comments/4711 -F body=@comment.md\n", "me/shop")))
		})
	})
})
