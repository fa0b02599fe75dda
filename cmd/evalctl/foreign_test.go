package main

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval/journal"
)

// customCases are cases in two languages with labels that no system declares. In one conversation
// the second turn depends on the first.
const customCases = `{"id":"1","text":"give me my money","label":"refund","tags":["en"]}
{"id":"2","text":"我要退款 \"now\" \\","label":"refund"}
{"id":"3","text":"where is my parcel?\n\"{{text}}\"","label":"delivery"}
{"id":"4","turns":[{"input":{"text":"money, please"},"expect":{"label":"refund"}},{"input":{"text":"well?","options":{"lang":"en"}},"expect":{"label":"refund"}}]}
`

// example returns the command line of a program in examples/agents. The spec is skipped if the
// language is not installed, unless it is required.
func example(language, name string) []string {
	GinkgoHelper()
	file, err := filepath.Abs(filepath.Join("../../examples/agents", name))
	Expect(err).NotTo(HaveOccurred())
	return []string{interpreter(language), file}
}

// interpreter returns the path of the interpreter of a language. The spec is skipped if it is not
// installed, unless EVALCTL_NEED_AGENTS requires it.
func interpreter(language string) string {
	GinkgoHelper()
	path, err := exec.LookPath(language)
	if err != nil && os.Getenv("EVALCTL_NEED_AGENTS") == "1" {
		Fail("EVALCTL_NEED_AGENTS: " + err.Error())
	}
	if err != nil {
		Skip(language + " is not installed")
	}
	return path
}

// exampleServer starts an example agent as an HTTP server and returns its URL.
func exampleServer(argv []string) string {
	GinkgoHelper()
	return serverAddress(append(argv, "serve")...)
}

// serverAddress starts a server that prints its address on the first line, and returns the address.
func serverAddress(argv ...string) string {
	GinkgoHelper()
	cmd := exec.Command(argv[0], argv[1:]...)
	out, err := cmd.StdoutPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(cmd.Start()).To(Succeed())
	DeferCleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	Expect(lines.Scan()).To(BeTrue())
	return lines.Text()
}

// agentAnswering starts an HTTP agent that always returns the same answer, and returns its URL.
func agentAnswering(answer string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprint(w, answer)
	}))
	DeferCleanup(s.Close)
	return s.URL
}

var _ = Describe("An agent in another language", func() {
	for language, name := range map[string]string{"python3": "agent.py", "node": "agent.mjs"} {
		It("is evaluated as a program and as an HTTP service, with custom labels: "+language, func() {
			argv, cases := example(language, name), fileOf("cases.jsonl", customCases)
			for _, args := range [][]string{append([]string{"exec", "--"}, argv...),
				{"http", "--url", exampleServer(argv)}} {
				dir := newRunDir()
				got := evalctl(append([]string{"run", "--dataset", cases, "--epochs", "5", "-j", "3", "--out", dir,
					"-q", "--target"}, args...)...)
				Expect(got.code).To(Equal(exit.Passed), got.stderr)
				m := summaryOf(dir).Suites[0].Conditions[0].Metrics
				Expect(*m["route.accuracy"].Value).To(Equal(1.0))
				Expect(m["route.accuracy"].N).To(Equal(int64(20)))
				Expect(m["confidence.brier"].Missing).To(BeZero())
				if language == "python3" {
					Expect(*m["tokens.out_total"].Value).To(Equal(25.0))
				} else {
					Expect(m["tokens.out_total"].Value).To(BeNil(), "it does not tell")
					Expect(m["tokens.out_total"].Missing).To(Equal(int64(20)))
				}
				Expect(m["cost.total_usd"].Value).To(BeNil(), "nobody knows the price")
			}
		})
	}
})

var _ = Describe("An external target", func() {
	cases := func() string { return fileOf("cases.jsonl", customCases) }
	play := func(args ...string) (cliResult, string) {
		dir := newRunDir()
		return evalctl(append([]string{"run", "--dataset", cases(), "--out", dir, "-q", "--target"}, args...)...), dir
	}

	It("can report a confidence of zero, which differs from no confidence", func() {
		got, dir := play("http", "--url", agentAnswering(`{"label":"refund","confidence":0}`))
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(read(dir, journal.ResultsFile)).To(ContainSubstring(`"confidence":0,`))
		Expect(*summaryOf(dir).Suites[0].Conditions[0].Metrics["confidence.brier"].Value).To(Equal(0.8))
	})

	It("is wrong if it returns invalid data, and its confidence and tokens are then missing", func() {
		got, dir := play("http", "--url", agentAnswering(`{"label":"cake"}`))
		Expect(got.code).To(Equal(exit.Incomplete), got.stderr)
		Expect(got.stderr).To(MatchRegexp(
			`none of 4 answers was one of the labels: the agent answered "cake"; the labels are \w+(, \w+)*\n`), "28.4")
		m := summaryOf(dir).Suites[0].Conditions[0].Metrics
		Expect(*m["route.accuracy"].Value).To(BeZero())
		Expect(*m["missing.rate"].Value).To(BeZero())
		Expect(m["tokens.in_total"].Missing).To(Equal(int64(4)))
		Expect(m["calls.mean"]).To(And(HaveField("Value", BeNil()), HaveField("Missing", int64(4))), "it does not tell")
		Expect(evalctl("gate", dir, "calls.mean <= 1", "fallback.rate <= 0%").stdout).
			To(MatchRegexp(`(?s)✗ calls\.mean.*no value.*✗ fallback\.rate.*no value`))
		for r, err := range journal.ReadRunResults(dir) {
			Expect(err).NotTo(HaveOccurred())
			Expect(r.Predicted).To(Equal("invalid"))
			Expect(r.Error).To(BeNil())
		}
		Expect(read(dir, journal.ResultsFile)).To(ContainSubstring(`"confidence":null`))
		Expect(read(dir, journal.TracesFile)).NotTo(ContainSubstring(`"confidence"`))
	})

	It("may report impossible token counts: token metrics then lack the trial, and the run stays readable", func() {
		spans := strings.TrimSuffix(strings.Repeat(`{"kind":"span","in":1000000000,"out":0},`, 1_200), ",")
		for _, billed := range []string{`"usage":{"in":1090000000000,"out":1}`, `"events":[` + spans + `]`} {
			got, dir := play("http", "--url", agentAnswering(`{"label":"refund",`+billed+`}`))
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(summaryOf(dir).Suites[0].Conditions[0].Metrics["tokens.in_total"].Missing).To(Equal(int64(4)))
			again := evalctl("report", dir)
			Expect(again.code).To(Equal(exit.Passed), again.stderr)
		}
	})

	DescribeTable("makes no HTTP requests if it is a command, and therefore refuses HTTP flags:",
		func(flag, value string) {
			if flag == "record" || flag == "cache" {
				value = filepath.Join(GinkgoT().TempDir(), value)
			}
			if flag == "replay" {
				value = fileOf("tape.jsonl",
					`{"cassette_version":2,"started":"2026-11-20T12:00:00Z","created_by":"evalctl"}`+"\n")
			}
			got, dir := play("exec", "--"+flag, value, "--", "false")
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(Equal("evalctl: --" + flag + ": requires an HTTP endpoint, and the run has none\n"))
			Expect(dir).NotTo(BeAnExistingFile())
			if flag == "record" {
				Expect(value).NotTo(BeAnExistingFile())
			}
		},
		Entry(nil, "record", "tape.jsonl"), Entry(nil, "replay", ""), Entry(nil, "cache", "kept"),
		Entry(nil, "rpm", "60"), Entry(nil, "tpm", "exec.local=60"), Entry(nil, "max-requests", "2"),
	)

	It("can have a time limit for a turn if it is a command", func() {
		got, _ := play("exec", "--max-time", "1h", "--", "false")
		Expect(got.code).To(Equal(exit.Incomplete))
	})

	It("receives the same requests and session ids when its cassette is replayed", func() {
		tape, url := filepath.Join(GinkgoT().TempDir(), "tape.jsonl"), agentAnswering(`{"label":"refund"}`)
		got, _ := play("http", "--url", url, "--record", tape)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		got, _ = play("http", "--url", url, "--replay", tape)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		got, _ = play("http", "--url", url, "--replay", tape, "--session-ids", "random")
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(ContainSubstring("with --session-ids seeded and the same --seed"))
	})

	DescribeTable("ends the run early, with advice for the user, if it is", func(want string, args ...string) {
		var many strings.Builder
		for i := range 60 {
			fmt.Fprintf(&many, "{\"id\":\"c%d\",\"text\":\"money %d\",\"label\":%q}\n", i, i,
				[]string{"refund", "delivery"}[i%2])
		}
		dir := newRunDir()
		got := evalctl(append([]string{"run", "--dataset", fileOf("many.jsonl", many.String()), "--circuit-breaker",
			"5", "-j", "2", "--out", dir, "-q", "--target"}, args...)...)
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(And(ContainSubstring("gave up: agent at"), ContainSubstring(want)))
		Expect(read(dir, journal.ResultsFile)).To(Not(BeEmpty()))
		Expect(strings.Count(read(dir, journal.ResultsFile), "\n")).To(BeNumerically("<", 30))
	},
		Entry("an address that refuses connections", "refused the connection", "http", "--url", "http://127.0.0.1:1/x",
			"--retries", "0"),
		Entry("a missing program", "cannot start the program", "exec", "--", "/nonexistent/agent"),
		Entry("a program that exits at once", "exit status 1", "exec", "--", "false"),
		Entry("a program whose output is not JSON", "is not JSON", "exec", "--", "yes"),
		Entry("a program whose output has no label", "has no label under a usual name", "exec", "--", "cat"),
		Entry("a program that hangs", "timeout", "exec", "--turn-timeout", "100ms", "--", "sleep", "100"),
	)

	It("receives headers from environment variables, whose values no file contains", func() {
		GinkgoT().Setenv("FOREIGN_TEST_TOKEN", "s3cr3ts3cr3t")
		got, dir := play("http", "--url", agentAnswering(`{"label":"refund","text":"you sent s3cr3ts3cr3t"}`),
			"--header", "Authorization=Bearer $FOREIGN_TEST_TOKEN", "--header", "X-Team=a")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		for _, name := range journal.FileNames() {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				Expect(string(text)).NotTo(ContainSubstring("s3cr3t"), name)
			}
		}
		Expect(read(dir, journal.ManifestFile)).
			To(And(ContainSubstring(`$FOREIGN_TEST_TOKEN`), ContainSubstring("X-Team=a")))
	})

	It("is stored in the manifest as a command, and resuming the run requires --trust", func() {
		got, dir := play("exec", "--", "false")
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(read(dir, journal.ManifestFile)).To(ContainSubstring(`"false"`))
		Expect(got.stderr).NotTo(ContainSubstring("panic"))
		got = evalctl("run", "--resume", dir, "-q")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(`runs ["false"]. To allow this, add --trust`))
		Expect(evalctl("run", "--resume", dir, "-q", "--trust").code).To(Equal(exit.Incomplete))
	})

	It("is contacted at the address in the suite file, which is printed", func() {
		url := agentAnswering(`{"label":"refund"}`)
		file := write(filepath.Join(filepath.Dir(cases()), "own.yaml"),
			"name: s\ntarget: http\ndataset: cases.jsonl\nvariants: [{name: a, url: "+url+"}]\n")
		output := "hosts that the suite file names: " + strings.TrimPrefix(url, "http://") + "\n"
		Expect(evalctl("run", file, "--out", newRunDir()).stderr).To(ContainSubstring(output))
		Expect(evalctl("run", file, "--url", url, "--out", newRunDir()).stderr).NotTo(ContainSubstring("hosts that"),
			"the user says so")
	})

	It("requires --trust if a suite file names the command, or a key to send", func() {
		GinkgoT().Setenv("FOREIGN_TEST_TOKEN", "s3cr3ts3cr3t")
		dir := filepath.Dir(cases())
		for target, setting := range map[string]string{"exec": "command: [cat, x]",
			"http": "url: http://127.0.0.1:1/x\n    header: Authorization=$FOREIGN_TEST_TOKEN"} {
			file := write(filepath.Join(dir, target+".yaml"),
				"name: s\ntarget: "+target+"\ndataset: cases.jsonl\nvariants:\n  - name: a\n    "+setting+"\n")
			got := evalctl("run", file, "--out", newRunDir(), "-q")
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(ContainSubstring("add --trust"))
			Expect(evalctl("run", file, "--out", newRunDir(), "-q", "--trust", "--retries", "0").code).
				NotTo(Equal(exit.Passed))
		}
	})

	DescribeTable("is refused in one line", func(want string, args ...string) {
		for i, a := range args {
			if a == "CASES" {
				args[i] = cases()
			}
		}
		got := evalctl(args...)
		Expect(got.code).To(Equal(exit.InvalidUsage), got.stdout)
		Expect(got.stderr).To(And(HavePrefix("evalctl: "), ContainSubstring(want)))
		Expect(strings.Count(got.stderr, "\n")).To(Equal(1))
	},
		Entry("without cases", "http has no shipped cases: set --dataset FILE", "run", "--target", "http", "--url",
			"http://127.0.0.1:1"),
		Entry("without an address", "say where the agent is with --url URL", "run", "--target", "http",
			"--dataset", "CASES"),
		Entry("without a command", "say what to run behind --", "run", "--target", "exec", "--dataset", "CASES"),
		Entry("with two addresses in one value", "--url: takes one address: give each its own --url", "run", "--target",
			"http", "--dataset", "CASES", "--url", "http://127.0.0.1:1,http://127.0.0.1:2"),
		Entry("with --decision-only, which it cannot support",
			"exec does not decide before it acts: remove decision_only (--decision-only)", "run",
			"--target", "exec", "--dataset", "CASES", "--decision-only", "--", "cat"),
		Entry("with an invalid address", `--url: "ftp://x" is not an address like`, "run", "--target", "http",
			"--dataset", "CASES", "--url", "ftp://x"),
		Entry("with a request that is not JSON", "--request: is not valid JSON", "run", "--target", "http", "--dataset",
			"CASES", "--url", "http://127.0.0.1:1", "--request", `{"a":{{text}}`),
		Entry("with a secret in a header", "--header: Authorization: its value is a secret", "run", "--target", "http",
			"--dataset", "CASES", "--url", "http://127.0.0.1:1", "--header", "Authorization=abc"),
		Entry("with a variable that is not set", "the environment has no NOBODY_SETS_THIS", "run", "--target", "http",
			"--dataset", "CASES", "--url", "http://127.0.0.1:1", "--header", "Authorization=$NOBODY_SETS_THIS"),
		Entry("together with a model", "no component of exec calls it", "run", "--target", "exec", "--dataset", "CASES",
			"--model", "deepseek:x", "--base-url", "http://127.0.0.1:1/v1", "--", "cat"),
		Entry("with faults, which cannot be injected", "is a real endpoint", "run", "--target", "exec", "--dataset",
			"CASES", "--fault", "agent:timeout", "--", "cat"),
		Entry("with a simulated clock", "cannot be waited for in simulated time", "run", "--target",
			"exec", "--dataset",
			"CASES", "--clock", "simulated", "--", "cat"),
		Entry("with a command for a system that runs none", "--command: toolrouter does not have it; exec has", "run",
			"toolrouter", "--", "cat"),
		Entry("for chat without labels", "http requires labels to choose from: --labels A,B,C", "chat", "http", "--url",
			"http://127.0.0.1:1"),
		Entry("for serve without labels", "exec requires labels to choose from: --labels A,B,C", "serve",
			"exec", "--", "cat"),
	)

	It("can be used in evalctl chat", func() {
		got := evalctl("chat", "http", "--labels", "refund,delivery", "--url",
			agentAnswering(`{"label":"refund","text":"gern!"}`))
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).NotTo(ContainSubstring("simulated"))
	})

	It("is not part of the default run: it runs only if named", func() {
		Expect(evalctl("run", "--help").stdout).To(ContainSubstring(" --url "))
		Expect(datasets.BuiltInNames()).NotTo(ContainElement(BeElementOf("http", "exec")))
		Expect(datasets.DetectSystem(fileOf("own.jsonl", customCases)).IsExternal()).To(BeFalse())
	})
})
