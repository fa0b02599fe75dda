package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

// runOnFullDisk runs evalctl in a process that cannot write files larger than kib KiB, as on a full
// disk.
func runOnFullDisk(kib int, args ...string) cliResult {
	GinkgoHelper()
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	var stdout, stderr strings.Builder
	cmd := exec.Command("sh",
		append([]string{"-c", fmt.Sprintf(`ulimit -f %d; exec "$0" "$@"`, 2*kib), self}, args...)...)
	cmd.Env = append(os.Environ(), asCLI+"=1")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the exit code is checked
	return cliResult{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

var _ = Describe("a damaged run", func() {
	var dir string
	BeforeEach(func() {
		dir = newRunDir()
		got := evalctl("run", "--target", "toolrouter", "--router", "rules", "--dataset",
			fileOf("cases.jsonl", threeCases), "-j", "1", "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
	})

	edit := func(name, old, now string) {
		GinkgoHelper()
		text := read(dir, name)
		Expect(text).To(ContainSubstring(old))
		write(filepath.Join(dir, name), withChecksums(strings.Replace(text, old, now, 1)))
	}

	refused := func(want string) {
		GinkgoHelper()
		before := read(dir, journal.SummaryFile)
		Expect(evalctl("run", "--resume", dir)).
			To(Equal(cliResult{exit.InvalidUsage, "",
				"evalctl: --resume: " + strings.ReplaceAll(want, "DIR", dir) + "\n"}))
		Expect(read(dir, journal.SummaryFile)).To(Equal(before))
	}

	It("is not resumed if a digit of a trial key has changed", func() {
		key := read(dir, journal.ResultsFile)[len(`{"key":"`):][:24]
		digit := map[bool]string{true: "1", false: "0"}[key[0] == '0']
		edit(journal.ResultsFile, key, digit+key[1:])
		refused(fmt.Sprintf(`DIR/results.jsonl:1: is the result of no trial of this run: key %q, case "a"`,
			digit+key[1:]))
	})

	DescribeTable("is not resumed if a result was moved to another", func(old, now string) {
		edit(journal.ResultsFile, old, now)
		Expect(evalctl("run", "--resume", dir).stderr).
			To(ContainSubstring("results.jsonl:1: is the result of no trial of this run"))
	},
		Entry("case", `"case":"a"`, `"case":"b"`),
		Entry("variant", `"variant":"rules"`, `"variant":"llm"`),
		Entry("fault", `"fault":"none"`, `"fault":"router:timeout"`),
		Entry("epoch", `"epoch":1`, `"epoch":2`),
	)

	DescribeTable("is not resumed if a result differs from its case in", func(pattern, edited string) {
		text := read(dir, journal.ResultsFile)
		changed := regexp.MustCompile(pattern).ReplaceAllString(text, edited)
		Expect(changed).NotTo(Equal(text))
		write(filepath.Join(dir, journal.ResultsFile), withChecksums(changed))
		Expect(evalctl("run", "--resume", dir).stderr).
			To(MatchRegexp(`results\.jsonl:\d+: its text, language, tags or labels are not those of case "\w+": the line was edited`))
	},
		Entry("the expected label", `"(expected|predicted|actual)":"\w+"`, `"$1":"edited"`),
		Entry("the tags", `"tags":\[[^]]*\]`, `"tags":["edited"]`),
		Entry("the text", `"text":"[^"]*"`, `"text":"edited"`),
		Entry("the language", `"language":"\w+"`, `"language":"other"`),
	)

	DescribeTable("is refused by every command if a result contradicts itself in", func(pattern, edited, want string) {
		text := read(dir, journal.ResultsFile)
		changed := regexp.MustCompile(pattern).ReplaceAllString(text, edited)
		Expect(changed).NotTo(Equal(text))
		write(filepath.Join(dir, journal.ResultsFile), withChecksums(changed))
		for _, args := range [][]string{{"run", "--resume", dir}, {"report", dir, "--format", "junit"},
			{"gate", dir, "route.accuracy >= 0"}} {
			got := evalctl(args...)
			Expect(got.code).To(Equal(exit.InvalidUsage), "%s", args)
			Expect(got.stderr).To(MatchRegexp(`results\.jsonl:\d+: `+want), "%s", args)
		}
	},
		Entry("the predicted label", `"predicted":"\w+"`, `"predicted":"edited"`,
			`predicted is "edited", where scores.actual is "`),
		Entry("the actual label", `"actual":"\w+"`, `"actual":"edited"`,
			`predicted is "\w+", where scores.actual is "edited"`),
		Entry("the verdict", `"verdict":"pass"`, `"verdict":"fail"`,
			`scores.verdict is "fail", where actual is "\w+" and expected \["\w+"\]`),
		Entry("a score without a decision", `"correct":(true|false)`, `"correct":null`,
			`correct is null, where the scores come to`),
	)

	DescribeTable("is not resumed if its manifest was edited in the", func(old, now string) {
		edit(journal.ManifestFile, old, now)
		refused("DIR/manifest.json has changed since the run began: its seal does not fit")
	},
		Entry("seed", `"seed": 1`, `"seed": 2`),
		Entry("version", `"version": "`, `"version": "0`),
		Entry("dataset hash", `"hash": "`, `"hash": "0`),
		Entry("clock", `"clock": "simulated"`, `"clock": "real"`),
	)

	DescribeTable("is refused by commands that compute metrics if its manifest was edited", func(args ...string) {
		edit(journal.ManifestFile, `"seed": 1`, `"seed": 2`)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "DIR", dir)
		}
		got := evalctl(args...)
		Expect(got.stderr).To(MatchRegexp(
			`^evalctl: .*manifest\.json has changed since the run began: its seal does not fit\n$`))
		Expect([]any{got.code, got.stdout}).To(Equal([]any{exit.InvalidUsage, ""}))
	},
		Entry(nil, "report", "DIR"), Entry(nil, "compare", "DIR", "DIR"),
		Entry(nil, "gate", "DIR", "route.accuracy >= 0"),
		Entry(nil, "power", "DIR"), Entry(nil, "curve", "DIR"), Entry(nil, "tune", "DIR", "--setting", "threshold"),
		Entry("when a results file next to the manifest is named", "tune", "DIR/results.jsonl",
			"--setting", "threshold"),
		Entry("when the run is named as a baseline", "run", "toolrouter", "--router", "rules", "--limit", "1",
			"--baseline", "DIR", "--gate",
			"drop(route.accuracy) <= 1pp"),
		Entry("when the run is named in --only-failing", "run", "--only-failing", "DIR"),
	)

	It("is reported with its truncated data, and with the traces that a crash lost", func() {
		traces := read(dir, journal.TracesFile)
		write(filepath.Join(dir, journal.TracesFile), traces[:len(traces)-1])
		got := evalctl("run", "--resume", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed))
		Expect(got.stderr).To(MatchRegexp(`^evalctl: .*/traces.jsonl: \d+ bytes of a last line that was torn are cut off
evalctl: .*/traces.jsonl: lacks the traces of at least 1 of 3 results
$`))
	})

	It("ends as incomplete, not with a usage error, if the disk is full on resume, and can be resumed once there is room", func() {
		whole := read(dir, journal.SummaryFile)
		for _, kib := range []int{0, 3} { // no room for the manifest; no room for a trace
			Expect(os.Truncate(filepath.Join(dir, journal.ResultsFile), 0)).To(Succeed())
			got := runOnFullDisk(kib, "run", "--resume", dir)
			Expect(got.code).To(Equal(exit.Incomplete), got.stderr)
			Expect(got.stderr).To(ContainSubstring("file too large"))
		}
		Expect(evalctl("run", "--resume", dir).code).To(Equal(exit.Passed))
		Expect(read(dir, journal.SummaryFile)).To(Equal(whole))
	})

	It("ends as incomplete if the disk is full when it starts", Label("long"), func() {
		at := newRunDir()
		got := runOnFullDisk(0, "run", "--limit", "1", "--out", at)
		Expect(got.code).To(Equal(exit.Incomplete), got.stderr)
		Expect(at).NotTo(BeADirectory())
	})

	DescribeTable("cannot result from a report, because evalctl refuses to replace", func(name string) {
		path := filepath.Join(dir, name)
		before := read(path)
		for _, args := range [][]string{{"--resume", dir}, {"toolrouter", "--limit", "1", "--out", dir}} {
			got := evalctl(append([]string{"run", "--format", "json=" + path}, args...)...)
			Expect(got.code).To(Equal(exit.InvalidUsage))
		}
		Expect(read(path)).To(Equal(before))
		at := newRunDir()
		got := evalctl("run", "toolrouter", "--router", "rules", "--limit", "1", "--format",
			"json="+filepath.Join(at, name), "--out", at)
		Expect(got.code).To(Equal(exit.InvalidUsage), got.stderr)
		Expect(at).NotTo(BeADirectory())
	}, Entry(nil, journal.ManifestFile), Entry(nil, journal.ResultsFile), Entry(nil, journal.TracesFile),
		Entry(nil, journal.SummaryFile))
})

var _ = Describe("the output of a run (--out, --format)", func() {
	It("goes to a directory that belongs to one run, even if many start with it at once", Label("concurrent"), func() {
		dir := newRunDir()
		var all []*process
		for i := range 6 {
			all = append(all, start("run", "toolrouter", "--router", "rules", "--limit", "20", "--seed",
				fmt.Sprint(i+1), "--out", dir, "-q"))
		}
		passed := 0
		for _, p := range all {
			if p.code() == exit.Passed {
				passed++
				continue
			}
			Expect(p.ProcessState.ExitCode()).To(Equal(exit.InvalidUsage))
			Expect(p.stderr.String()).
				To(MatchRegexp(`^evalctl: --out: .*(already holds a run|another process is writing to it)`))
		}
		Expect(passed).To(Equal(1))
		Expect(strings.Count(read(dir, journal.ResultsFile), "\n")).To(Equal(20))
		Expect(evalctl("run", "--resume", dir).code).To(Equal(exit.Passed), "its manifest is that of its results")
	})

	It("does not overwrite files through links in its directory", func() {
		dir := GinkgoT().TempDir()
		theirs := fileOf("theirs", "keep")
		for _, name := range journal.FileNames() {
			path := filepath.Join(dir, name)
			Expect(os.Symlink(theirs, path)).To(Succeed())
			Expect(evalctl("run", "toolrouter", "--router", "rules", "--limit", "1", "--out", dir).code).
				To(Equal(exit.InvalidUsage), name)
			Expect(os.Remove(path)).To(Succeed())
		}
		Expect(read(theirs)).To(Equal("keep"))
	})

	It("does not include a report that would replace a file of the run, even through a link", func() {
		dir := filepath.Join(GinkgoT().TempDir(), "run")
		for _, name := range journal.FileNames() {
			link := filepath.Join(GinkgoT().TempDir(), "link")
			Expect(os.Symlink(filepath.Join(dir, name), link)).To(Succeed())
			for _, path := range []string{link, filepath.Join(dir, name)} {
				got := evalctl("run", "toolrouter", "--router", "rules", "--limit", "1", "--out", dir,
					"--format", "json="+path)
				Expect(got).To(Equal(cliResult{exit.InvalidUsage, "",
					"evalctl: --format json=" + path + ": is read by this command; choose another file\n"}))
			}
		}
		Expect(dir).NotTo(BeADirectory())
	})

	It("does not include a report that would replace a suite file", func() {
		suite := fileOf("s.yaml",
			"name: mine\ntarget: toolrouter\ndataset: toolrouter\nlimit: 3\nvariants: [{name: r, router: rules}]\n")
		refuses("--format json="+suite+": is read by this command; choose another file", "run", suite, "--format", "json="+suite)
	})
})
