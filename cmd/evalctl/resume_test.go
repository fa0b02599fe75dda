package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

// killedCopy returns a copy of a run whose files are truncated to these sizes, as after a kill.
func killedCopy(dir string, results, traces int) string {
	GinkgoHelper()
	at := newRunDir()
	Expect(os.MkdirAll(at, 0o755)).To(Succeed())
	write(filepath.Join(at, journal.ManifestFile), read(dir, journal.ManifestFile))
	write(filepath.Join(at, journal.ResultsFile), read(dir, journal.ResultsFile)[:results])
	write(filepath.Join(at, journal.TracesFile), read(dir, journal.TracesFile)[:traces])
	return at
}

var _ = Describe("evalctl run --resume", func() {
	var cases, whole string
	BeforeEach(func() {
		cases, whole = fileOf("cases.jsonl", threeCases), newRunDir()
		got := evalctl("run", "--target", "toolrouter", "--router", "rules,llm-first", "--dataset", cases,
			"-j", "1", "--out", whole)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
	})

	resume := func(dir string, more ...string) cliResult {
		return evalctl(append([]string{"run", "--resume", dir}, more...)...)
	}

	It("leads to the same summary, wherever a crash has truncated the results and traces", func() {
		results, traces := read(whole, journal.ResultsFile), read(whole, journal.TracesFile)
		var offsets []int
		for at := 0; at < len(results); at += 97 {
			offsets = append(offsets, at)
		}
		for at, c := range results {
			if c == '\n' {
				offsets = append(offsets, at, at+1, min(at+2, len(results)))
			}
		}
		for _, at := range offsets {
			// A result is written after its trace, so at least the traces of all results exist.
			lines := strings.SplitAfter(traces, "\n")
			least := len(strings.Join(lines[:strings.Count(results[:at], "\n")], ""))
			dir := killedCopy(whole, at, least+rand.IntN(len(traces)-least+1))
			got := resume(dir)
			Expect(got.code).To(Equal(exit.Passed), "torn at byte %d: %s", at, got.stderr)
			Expect(read(dir, journal.SummaryFile)).To(Equal(read(whole, journal.SummaryFile)), "torn at byte %d", at)
			Expect(resultsOf(dir)).To(HaveLen(6), "torn at byte %d", at)
			Expect(os.RemoveAll(dir)).To(Succeed())
		}
	})

	It("resumes a run that was killed before it wrote any result", func() {
		dir := killedCopy(whole, 0, 0)
		Expect(os.Remove(filepath.Join(dir, journal.ResultsFile))).To(Succeed())
		Expect(os.Remove(filepath.Join(dir, journal.TracesFile))).To(Succeed())
		Expect(resume(dir).code).To(Equal(exit.Passed))
		Expect(read(dir, journal.SummaryFile)).To(Equal(read(whole, journal.SummaryFile)))
	})

	It("does not change the results of a finished run, and evaluates new gates", func() {
		before := read(whole, journal.SummaryFile)
		Expect(resume(whole).code).To(Equal(exit.Passed))
		Expect(read(whole, journal.SummaryFile)).To(Equal(before))
		Expect(resume(whole, "--gate", "route.accuracy > 1").code).To(Equal(exit.GateFailed))
	})

	It("counts a trial once if two processes have stored its result", func() {
		results := read(whole, journal.ResultsFile)
		write(filepath.Join(whole, journal.ResultsFile), results+results)
		before := read(whole, journal.SummaryFile)
		Expect(resume(whole).code).To(Equal(exit.Passed))
		Expect(read(whole, journal.SummaryFile)).To(Equal(before))
	})

	It("makes evalctl show print only the last trace of a trial that ran twice", func() {
		dir := killedCopy(whole, 0, len(read(whole, journal.TracesFile)))
		Expect(resume(dir).code).To(Equal(exit.Passed))
		got := evalctl("show", dir, "a", "--variant", "llm-first")
		Expect(got.code).To(Equal(exit.Passed))
		Expect(strings.Count(got.stdout, "variant llm-first")).To(Equal(1))
	})

	It("refuses a changed dataset or prompt", func() {
		dir := killedCopy(whole, 0, 0)
		write(cases, threeCases+`{"id":"d","text":"x","label":"chat"}`)
		Expect(resume(dir)).To(Equal(cliResult{exit.InvalidUsage, "",
			"evalctl: --resume: dataset " + cases + " has changed since the run began\n"}))

		prompt, dir := fileOf("p.md", "Route it, as json."), newRunDir()
		Expect(evalctl("run", "--router", "llm", "--limit", "2", "--prompt", prompt, "--out", dir).code).
			To(Equal(exit.Passed))
		write(prompt, "Route it otherwise, as json.")
		Expect(resume(dir)).To(Equal(cliResult{exit.InvalidUsage, "",
			"evalctl: --resume: the settings or prompts of toolrouter/llm prompt=p.md have changed since the run began\n"}))
	})

	DescribeTable("refuses in one line", func(spoil func(dir string), want string, args ...string) {
		dir := killedCopy(whole, 0, 0)
		spoil(dir)
		got := resume(dir, args...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(MatchRegexp(`^evalctl: ` + regexp.QuoteMeta(strings.ReplaceAll(want, "DIR", dir)) +
			`.*\n$`))
		Expect(got.stdout).To(BeEmpty())
		Expect(filepath.Join(dir, journal.SummaryFile)).NotTo(BeAnExistingFile())
	},
		Entry("a directory without a run", func(dir string) { _ = os.Remove(filepath.Join(dir, journal.ManifestFile)) },
			"--resume: DIR contains no run: it has no manifest.json"),
		Entry("a manifest without suites", func(dir string) { write(filepath.Join(dir, journal.ManifestFile), "{}") },
			"--resume: DIR/manifest.json: names 0 suites and 0 datasets"),
		Entry("a manifest that is not JSON", func(dir string) { write(filepath.Join(dir, journal.ManifestFile), "") },
			"--resume: DIR/manifest.json: "),
		Entry("a results file with invalid lines",
			func(dir string) { write(filepath.Join(dir, journal.ResultsFile), "{\n{\n") },
			"--resume: DIR/results.jsonl:1: "),
		Entry("flags that the manifest determines", func(string) {},
			"--resume: the run's manifest settles what is run; leave out --seed", "--seed", "2"),
		Entry("suites as arguments", func(string) {},
			"--resume: the run's manifest settles what is run; leave out the suites",
			"toolrouter"),
	)

	It("completes a run after any number of kills", Label("long", "concurrent"), func() {
		plain, dir := newRunDir(), newRunDir()
		args := []string{"run", "toolrouter", "--router", "rules,llm-first", "--limit", "200", "-j", "2", "--out"}
		Expect(evalctl(append(args, plain)...).code).To(Equal(exit.Passed))
		chance := rand.New(rand.NewPCG(1, 2))
		kills := 0
		for alive := 20 * time.Millisecond; ; alive += alive / 3 {
			line := append(args, dir)
			if _, err := os.Stat(filepath.Join(dir, journal.ManifestFile)); err == nil {
				line = []string{"run", "--resume", dir}
			}
			p := start(line...)
			end := time.AfterFunc(alive+time.Duration(chance.Int64N(int64(alive))), func() { _ = p.Process.Kill() })
			code := p.code()
			end.Stop()
			if code >= 0 {
				Expect(code).To(Equal(exit.Passed), p.stderr.String())
				break
			}
			kills++
		}
		GinkgoWriter.Println("killed", kills, "times")
		Expect(kills).To(BeNumerically(">", 2))
		Expect(read(dir, journal.SummaryFile)).To(Equal(read(plain, journal.SummaryFile)))
	})
})
