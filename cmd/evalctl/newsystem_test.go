package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

// withSystem builds evalctl with an additional system. The directories of testdata/NAME become
// agent/NAME and datasets/NAME, and the list of systems gets one more line.
func withSystem(name string) (program string) {
	GinkgoHelper()
	root, err := filepath.Abs("../..")
	Expect(err).NotTo(HaveOccurred())
	overlay := map[string]string{}
	for _, part := range []string{"agent", "datasets"} {
		files, err := filepath.Glob(filepath.Join("testdata", name, part, "*"))
		Expect(err).NotTo(HaveOccurred())
		Expect(files).NotTo(BeEmpty())
		for _, f := range files {
			overlay[filepath.Join(root, part, name, filepath.Base(f))] = filepath.Join(root, "cmd", "evalctl", f)
		}
	}
	list := filepath.Join(root, "eval", "suite", "systems.go")
	text := read(list)
	more := strings.Replace(text, "return []system.System{\n", "return []system.System{\n\t\t"+name+".System(),\n", 1)
	more = regexp.MustCompile(`(?m)^(\t".*/agent/)system"\n`).ReplaceAllString(more, "$0${1}"+name+"\"\n")
	Expect(strings.Count(more, "\n")-strings.Count(text, "\n")).To(Equal(2), "a line and its import")
	overlay[list] = fileOf("systems.go", more)
	replace, err := json.Marshal(map[string]any{"Replace": overlay})
	Expect(err).NotTo(HaveOccurred())
	program = filepath.Join(GinkgoT().TempDir(), "evalctl")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", fileOf("overlay.json", string(replace)),
		"-o", program, ".")
	out, err := build.CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
	return program
}

var _ = Describe("A new system, added as two packages and one line of registration,", Ordered, Label("long"), func() {
	var program string
	BeforeAll(func() {
		program = withSystem("compass")
	})

	call := func(stdin string, args ...string) cliResult {
		GinkgoHelper()
		var stdout, stderr bytes.Buffer
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), "GITHUB_STEP_SUMMARY=")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
		_ = cmd.Run() // the exit code is checked
		return cliResult{code: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
	}

	It("runs with its own cases, scorers, components, faults, settings and decision sources", func() {
		dir := newRunDir()
		got := call("", "run", "compass", "--out", dir, "-q", "-v")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring("pick: simulated, stock answers, labeled, accuracy 1, constant:1s"))
		Expect(conditionsOf(dir)).To(Equal([]string{"calm/none", "calm/pick:timeout", "eager/none"}))
		conditions := summaryOf(dir).Suites[0].Conditions
		Expect(*conditions[0].Metrics["route.accuracy"].Value).To(Equal(1.0))
		Expect(*conditions[0].Metrics["latency.p50"].Value).To(Equal(1000.0))
		Expect(*conditions[0].Metrics["router.by.llm"].Value).To(Equal(1.0))
		Expect(*conditions[1].Metrics["router.by.word"].Value).To(Equal(1.0))
		Expect(*conditions[1].Metrics["fallback.correct"].Value).To(Equal(1.0))
		Expect(conditions[0].Metrics).NotTo(HaveKey("router.by.rules"))
	})

	It("reports the confidence of its deciding component", func() {
		dir := newRunDir()
		Expect(call("", "run", "compass", "--out", dir, "-q").code).To(Equal(exit.Passed))
		Expect(call("", "report", dir, "--by", "confidence").stdout).
			To(ContainSubstring("accuracy 100 % [51.0, 100] of 4"))
		Expect(call("", "report", dir, "--by", "confidence").stdout).NotTo(ContainSubstring("No confidence is known"))
	})

	It("has its settings as flags with several values, and errors name the systems that have a setting", func() {
		dir := newRunDir()
		Expect(call("", "run", "compass", "--mood", "eager,calm", "--out", dir, "-q").code).To(Equal(exit.Passed))
		Expect(conditionsOf(dir)).To(Equal([]string{"eager/none", "calm/none"}))
		Expect(call("", "run", "toolrouter", "--mood", "calm").stderr).
			To(Equal("evalctl: --mood: toolrouter does not have it; compass has\n"))
		Expect(call("", "run", "compass", "--mood", "eagr").stderr).
			To(Equal("evalctl: --mood: unknown mood \"eagr\", did you mean \"eager\"?\n"))
		suite := fileOf("s.yaml",
			"name: s\ntarget: toolrouter\ndataset: toolrouter\nvariants:\n  - {name: a, mood: calm}\n")
		Expect(call("", "run", suite).stderr).
			To(Equal("evalctl: " + suite + ":5:21: variants[0].mood: toolrouter does not have it; compass has\n"))
		Expect(call("", "run", "compass", "--help-all").stdout).
			To(MatchRegexp(`--mood HOW +axis: compass: HOW it answers: calm, eager`))
		Expect(call("", "run", "compass", "--decision-only").stderr).
			To(ContainSubstring("compass does not decide before it acts"))
	})

	It("leads to an incomplete run if its endpoint refuses every call", func() {
		got := call("", "run", "compass", "--base-url", refusingServer(), "--model", "m", "--out", newRunDir())
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(ContainSubstring("pick answered none of 4 trials"))
	})

	It("does not change the trial keys of other systems", func() {
		keys := func(dir string) (list []string) {
			for r, err := range journal.ReadRunResults(dir) {
				Expect(err).NotTo(HaveOccurred())
				list = append(list, r.Key)
			}
			slices.Sort(list)
			return list
		}
		with, without := newRunDir(), newRunDir()
		for _, name := range datasets.BuiltInNames() {
			Expect(call("", "run", name, "--limit", "1", "--out", filepath.Join(with, name), "-q").code).
				To(Equal(exit.Passed))
			Expect(evalctl("run", name, "--limit", "1", "--out", filepath.Join(without, name), "-q").code).
				To(Equal(exit.Passed))
			Expect(keys(filepath.Join(with, name))).To(Equal(keys(filepath.Join(without, name))))
		}
	})

	It("can resume an interrupted run", func() {
		whole, torn := newRunDir(), newRunDir()
		args := []string{"run", "compass", "--epochs", "60", "-q", "--out"}
		Expect(call("", append(args, whole)...).code).To(Equal(exit.Passed))
		Expect(call("", append(args, torn)...).code).To(Equal(exit.Passed))
		results := filepath.Join(torn, journal.ResultsFile)
		text := read(results)
		write(results, text[:len(text)/3])
		Expect(call("", "run", "--resume", torn, "-q").code).To(Equal(exit.Passed))
		Expect(read(torn, journal.SummaryFile)).To(Equal(read(whole, journal.SummaryFile)))
	})

	It("can be used in chat, and guesses a label for unlabeled texts", func() {
		got := call("to the pole\n", "chat", "compass", "--mood", "eager")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring("south!"))
		Expect(call("hello\n", "chat", "compass", "--fault", "pick:auth").stdout).To(ContainSubstring("north"))
	})

	It("can be served by evalctl serve", func() {
		cmd := exec.Command(program, "serve", "compass", "--addr", "127.0.0.1:0")
		out, err := cmd.StdoutPipe()
		Expect(err).NotTo(HaveOccurred())
		Expect(cmd.Start()).To(Succeed())
		DeferCleanup(func() {
			Expect(cmd.Process.Signal(syscall.SIGTERM)).To(Succeed())
			Expect(cmd.Wait()).To(Succeed())
		})
		lines := bufio.NewScanner(out)
		Expect(lines.Scan()).To(BeTrue())
		client := http.Client{Timeout: 20 * time.Second}
		res, err := client.Post(lines.Text()+"/v1/agents/compass/chat", "application/json",
			strings.NewReader(`{"text":"to the pole"}`))
		Expect(err).NotTo(HaveOccurred())
		defer res.Body.Close()
		var body bytes.Buffer
		_, err = body.ReadFrom(res.Body)
		Expect(err).NotTo(HaveOccurred())
		Expect(body.String()).To(And(ContainSubstring("event: done"), ContainSubstring("south")))
	})

	It("is refused with a clear error if its setting has the name of a flag", func() {
		GinkgoT().Setenv("COMPASS_SETTING", "trust")
		got := call("", "version")
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(Equal(
			"evalctl: system compass: its setting \"trust\" is called like a flag of evalctl run: call it something else\n"))
	})

	It("has trials that evalctl show prints and cases that evalctl dataset check accepts", func() {
		dir := newRunDir()
		Expect(call("", "run", "compass", "--out", dir, "-q").code).To(Equal(exit.Passed))
		Expect(call("", "show", dir, "co-1", "--variant", "calm", "--fault", "pick:timeout").stdout).
			To(ContainSubstring("fallback pick → word (timeout)"))
		Expect(call("", "dataset", "check", "compass").stdout).To(ContainSubstring("compass: 5 cases, no problem"))
		own := fileOf("own.jsonl", `{"id":"x","text":"to Oslo","label":"north"}`+"\n")
		Expect(call("", "dataset", "show", own).code).To(Equal(exit.Passed))
		Expect(call("", "run", "--dataset", own, "--out", newRunDir(), "-q").stdout).
			To(ContainSubstring("compass · 1 case of own.jsonl"), "the labels tell whose cases they are")
	})
})

var _ = Describe("A system with a setting that has the name of a flag", func() {
	DescribeTable("is refused with an error, whichever command has that flag:", func(verb, name string) {
		of := suite.Systems()[0]
		none := &secret.Set{}
		err := settingClash([]suite.Setting{{Name: name, Systems: []system.System{of}}}, runCommand(nil, none, nil),
			curveCommand(nil, none, nil), chatCommand(none, nil), serveCommand(none, nil))
		Expect(err).To(MatchError(
			fmt.Sprintf("system %s: its setting %q is called like a flag of evalctl %s: call it something else",
				of.Name, name, verb)))
	},
		Entry(nil, "run", "trust"), Entry(nil, "run", "help"), Entry(nil, "curve", "train-sizes"),
		Entry(nil, "curve", "setting"), Entry(nil, "chat", "real"), Entry(nil, "serve", "addr"),
	)
})
