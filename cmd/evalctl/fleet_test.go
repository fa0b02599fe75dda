package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

var fleetFull = flag.Bool("fleet", false, "kill a fleet of 4 workers over 20,000 trials")

// fleetProcesses are the processes of a run with a broker: coordinator, broker and workers. Each
// can be killed and restarted.
type fleetProcesses struct {
	dir, url string
	run      []string // arguments of evalctl run, without --out
	killed   map[string]int
	procs    map[string]*process
	restart  map[string]func() *process
}

// restartBroker starts a broker again at its previous address.
func restartBroker(dir, addr string) *process {
	GinkgoHelper()
	return start("broker", "--addr", addr, "--dir", filepath.Join(dir, "broker"))
}

func beginBroker(dir string) (p *process, url string) {
	GinkgoHelper()
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	p = &process{Cmd: command(self, "broker", "--addr", "127.0.0.1:0", "--dir", filepath.Join(dir, "broker"))}
	out, err := p.StdoutPipe()
	Expect(err).NotTo(HaveOccurred())
	p.Stderr = &p.stderr
	Expect(p.Start()).To(Succeed())
	line, err := bufio.NewReader(out).ReadString('\n')
	Expect(err).NotTo(HaveOccurred(), "%s", &p.stderr)
	return p, strings.TrimSpace(line)
}

func newMachines(dir string, workers int, run ...string) *fleetProcesses {
	GinkgoHelper()
	m := &fleetProcesses{dir: dir, run: run, killed: map[string]int{}, procs: map[string]*process{},
		restart: map[string]func() *process{}}
	m.procs["broker"], m.url = beginBroker(dir)
	m.restart["broker"] = func() *process { return restartBroker(dir, m.url[strings.LastIndex(m.url, "@")+1:]) }
	for i := range workers {
		name := fmt.Sprintf("worker %d", i)
		m.restart[name] = func() *process { return start("worker", m.url, "-j", "2") }
		m.procs[name] = m.restart[name]()
	}
	m.restart["coordinator"] = m.startRun
	m.procs["coordinator"] = m.startRun()
	return m
}

func (m *fleetProcesses) out() string { return filepath.Join(m.dir, "run") }

// startRun starts the coordinator of the run, or resumes the run if it exists.
func (m *fleetProcesses) startRun() *process {
	GinkgoHelper()
	line := append(append([]string{}, m.run...), "--out", m.out())
	if _, err := os.Stat(filepath.Join(m.out(), journal.ManifestFile)); err == nil {
		line = []string{"run", "--resume", m.out()}
	}
	return start(append(line, "--broker", m.url, "--worker-timeout", "1s")...)
}

// kill kills the named process and restarts it. It returns false once the run has ended.
func (m *fleetProcesses) kill(name string) bool {
	GinkgoHelper()
	if hasSummary(m.out()) {
		return false
	}
	p := m.procs[name]
	Expect(p.Process.Kill()).To(Succeed())
	_ = p.code()
	m.killed[name]++
	m.procs[name] = m.restart[name]()
	return true
}

func hasSummary(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, journal.SummaryFile))
	return err == nil
}

// end waits until the run has ended and stops all other processes.
func (m *fleetProcesses) end() (code int, stderr string) {
	GinkgoHelper()
	done := make(chan int, 1)
	lead := m.procs["coordinator"]
	go func() { done <- lead.code() }()
	select {
	case code = <-done:
	case <-time.After(2 * time.Minute):
		_ = lead.Process.Kill()
		code = <-done
	}
	m.stop()
	return code, lead.stderr.String()
}

func (m *fleetProcesses) stop() {
	for name, p := range m.procs {
		if name != "coordinator" && p.ProcessState == nil {
			_ = p.Process.Kill()
			_ = p.code()
		}
	}
}

func codeOf(code int, _ time.Duration) int { return code }

// countTrials returns the number of lines in a run's results, and of distinct trials in them.
func countTrials(dir string) (lines, keys int) {
	GinkgoHelper()
	seen := map[string]bool{}
	for line := range bytes.Lines([]byte(read(dir, journal.ResultsFile))) {
		lines++
		seen[journal.LineKey(line)] = true
	}
	return lines, len(seen)
}

// compareWithKills runs the same trials on one machine, and on several with random kills. It fails
// unless the results are the same, and returns a summary line.
func compareWithKills(dir string, workers, kills int, chance *rand.Rand, args ...string) string {
	GinkgoHelper()
	plain := filepath.Join(dir, "plain")
	p := start(append(append([]string{}, args...), "--out", plain)...)
	Expect(p.code()).To(Equal(exit.Passed), p.stderr.String())
	began := time.Now()
	m := newMachines(dir, workers, args...)
	defer m.stop()
	names := []string{"broker", "coordinator"}
	for i := range workers {
		names = append(names, fmt.Sprintf("worker %d", i))
	}
	total := 0
	for time.Sleep(500 * time.Millisecond); total < kills && m.kill(names[chance.IntN(len(names))]); total++ {
		time.Sleep(time.Duration(50+chance.IntN(250)) * time.Millisecond)
	}
	code, stderr := m.end()
	Expect(code).To(Equal(exit.Passed), stderr)
	lines, keys := countTrials(plain)
	gotLines, gotKeys := countTrials(m.out())
	Expect([]int{gotLines, gotKeys}).To(Equal([]int{lines, keys}))
	Expect(read(m.out(), journal.SummaryFile)).To(Equal(read(plain, journal.SummaryFile)))
	return fmt.Sprintf("%d trials, %d kills %v, %v", keys, total, m.killed, time.Since(began).Round(time.Millisecond))
}

var _ = Describe("evalctl run --broker", Label("concurrent"), func() {
	It("is interrupted by Ctrl-C and resumes with other workers, including custom files", func() {
		dir := GinkgoT().TempDir()
		cases, prompt := fileOf("cases.jsonl", threeCases), fileOf("p.md", "Route it, as json.")
		args := []string{"run", "--target", "toolrouter", "--router", "rules,llm", "--dataset",
			cases, "--prompt", prompt}
		plain := filepath.Join(dir, "plain")
		Expect(evalctl(append(args, "--out", plain)...).code).To(Equal(exit.Passed))
		broker, url := beginBroker(dir)
		defer func() { Expect(codeOf(broker.interrupt())).To(Equal(exit.Passed)) }()
		run := start(append(args, "--out", filepath.Join(dir, "run"), "--broker", url)...)
		Eventually(func() bool {
			_, err := os.Stat(filepath.Join(dir, "run",
				journal.ManifestFile))
			return err == nil
		}).Should(BeTrue())
		Expect(codeOf(run.interrupt())).To(Equal(exit.Interrupted), run.stderr.String())

		worker := start("worker", url, "--once", "-q")
		again := evalctl("run", "--resume", filepath.Join(dir, "run"), "--broker", url)
		Expect(again.code).To(Equal(exit.Passed), again.stderr)
		Expect(worker.code()).To(Equal(exit.Passed), worker.stderr.String())
		Expect(read(dir, "run", journal.SummaryFile)).To(Equal(read(plain, journal.SummaryFile)))
	})

	It("makes workers refuse endpoints and keys that their user has not allowed", func() {
		dir := GinkgoT().TempDir()
		broker, url := beginBroker(dir)
		defer broker.interrupt()
		run := start("run", "--target", "prompt", "--limit", "3", "--model", "m", "--base-url", "http://127.0.0.1:9/v1",
			"--broker", url, "--out", filepath.Join(dir, "run"))
		worker := start("worker", url, "--once")
		Expect(worker.code()).To(Equal(exit.InvalidUsage))
		Expect(worker.stderr.String()).
			To(ContainSubstring("contacts 127.0.0.1:9. To allow it, start the worker with --allow-endpoint 127.0.0.1:9 or --trust"))
		Expect(codeOf(run.interrupt())).To(Equal(exit.Interrupted))
		Expect(run.stderr.String()).To(ContainSubstring("does not run it: suite prompt: contacts 127.0.0.1:9"))
	})

	It("makes workers refuse commands unless their user trusts the run", func() {
		f := workerFlags{}
		for _, v := range []suite.Variant{{Settings: map[string]string{"command": "rm -rf /"}},
			{Settings: map[string]string{"mcp": "rm -rf /"}}} {
			target := map[bool]string{true: "exec", false: "tool-calling"}[v.Settings["command"] != ""]
			err := f.checkTrust(suite.Suite{Name: "s", Target: target, Variants: suite.Variants{v}})
			Expect(err).To(MatchError(
				ContainSubstring("suite s: runs the command rm -rf /. To allow it, start the worker with --trust")))
		}
	})

	DescribeTable("refuses, as evalctl worker does,", func(want string, args ...string) {
		got := evalctl(args...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(want))
	},
		Entry("an invalid broker address", `--broker: "localhost:4222" is not a broker URL`, "run", "--broker",
			"localhost:4222"),
		Entry("an invalid address with a secret, which is redacted",
			`--broker: "http://[redacted]@h" is not a broker URL`, "run",
			"--broker", "http://hush-hush@h"),
		Entry("--parallel, which is a flag of workers",
			"--parallel: cannot be combined with --broker: set it on each worker",
			"run", "-j", "3", "--broker", "nats://127.0.0.1:1"),
		Entry("a worker timeout that is too short", "--worker-timeout: 1ms is not within 1s and 1h",
			"run", "--worker-timeout",
			"1ms", "--broker", "nats://127.0.0.1:1"),
		Entry("a worker timeout without a broker", "--worker-timeout: goes with --broker", "run",
			"--worker-timeout", "2s"),
		Entry("a worker without a broker URL", "requires one broker URL, as in evalctl worker nats://127.0.0.1:4222",
			"worker"),
	)
})

// TestFleet kills processes of a run on several machines at full size: make fleet.
func TestFleet(t *testing.T) {
	if !*fleetFull {
		t.Skip("make fleet")
	}
	RegisterTestingT(t)
	t.Log(compareWithKills(t.TempDir(), 4, 50, rand.New(rand.NewPCG(14, 2)), "run", "toolrouter", "--router",
		"rules,llm-first", "--limit", "500", "--epochs", "20"))
}
