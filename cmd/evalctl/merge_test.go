package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

// twoSuites returns the arguments of a run that tests split: two suites, two epochs, a fault and a
// gate.
func twoSuites() []string {
	return []string{"run", "toolrouter", "prompt", "--sample", "9", "--epochs", "2", "--decision-only", "-q",
		"--gate", "route.accuracy{suite=toolrouter, fault=none} > 0.1", "--gate",
		"[tag=zh] calls.mean{suite=toolrouter} <= 100"}
}

// sharded runs each shard of a run and returns their directories.
func sharded(of string, args ...string) (dirs []string) {
	GinkgoHelper()
	for _, index := range strings.Split("1234567"[:of[0]-'0'], "") {
		dir := newRunDir()
		got := evalctl(append(args, "--shard", index+"/"+of, "--out", dir)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		dirs = append(dirs, dir)
	}
	return dirs
}

func merged(dirs []string, more ...string) cliResult {
	return evalctl(append(append([]string{"merge"}, dirs...), more...)...)
}

var _ = Describe("evalctl merge", func() {
	It("combines shards into a run whose summary is byte for byte that of an unsplit run", func() {
		whole, dirs, out := newRunDir(), sharded("3", twoSuites()...), newRunDir()
		Expect(evalctl(append(twoSuites(), "--out", whole)...).code).To(Equal(exit.Passed))
		got := merged([]string{dirs[2], dirs[0], dirs[1]}, "--out", out)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(And(HavePrefix("evalctl merge\n"), ContainSubstring("Gates: 2 passed")))
		Expect(read(out, journal.SummaryFile)).To(Equal(read(whole, journal.SummaryFile)))
		Expect(resultKeys(out)).To(Equal(resultKeys(whole)))
		Expect(traceKeys(out)).To(Equal(traceKeys(whole)))
		Expect(manifestIn(out).ManifestHash).To(Equal(manifestIn(whole).ManifestHash))
		Expect(manifestIn(out).Gates).To(HaveLen(2))
		Expect(evalctl("run", "--resume", out, "-q").code).To(Equal(exit.Passed), "there is nothing left to play")
		Expect(read(out, journal.SummaryFile)).To(Equal(read(whole, journal.SummaryFile)))
		Expect(evalctl("gate", out, "route.accuracy{fault=none} > 0").code).To(Equal(exit.Passed))
		for _, dir := range dirs {
			Expect(evalctl("run", "--resume", dir, "-q").code).To(Equal(exit.Passed), "a shard stays one")
		}
	})

	It("evaluates the gates of a fault matrix", func() {
		dirs := sharded("2", "run", "toolrouter", "--router", "rules", "--fault", "all", "--limit", "2", "--gate",
			"fault.correct >= 1%", "-q")
		got := merged(dirs, "--out", newRunDir())
		Expect(got.code).NotTo(Equal(exit.InvalidUsage), got.stderr)
		Expect(got.stdout).To(ContainSubstring("Gates: "))
	})

	It("evaluates other gates if given, and compares with a baseline", func() {
		args := []string{"run", "toolrouter", "--router", "rules", "--limit", "20", "--decision-only", "-q"}
		base, dirs := newRunDir(), sharded("2", args...)
		Expect(evalctl(append(args, "--out", base)...).code).To(Equal(exit.Passed))
		Expect(merged(dirs, "--out", newRunDir(), "--gate", "route.accuracy > 1").code).To(Equal(exit.GateFailed))
		got := merged(dirs, "--out", newRunDir(), "--gate", "new_failures <= 0", "--baseline", base, "--format", "json")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring(`"verdict": "pass"`))
		Expect(merged(dirs, "--out", newRunDir(), "--gate", "no.such > 1").stderr).
			To(HavePrefix(`evalctl: merge: --gate: "no.such > 1", column 1: unknown metric`))
	})

	It("evaluates the gates of the shards if some shards have gates, and refuses shards with different gates", func() {
		args := []string{"run", "toolrouter", "--router", "rules", "--limit", "6", "--decision-only", "-q"}
		shard := func(more ...string) (dir string) {
			dir = newRunDir()
			Expect(evalctl(append(append(args, "--out", dir), more...)...).code).To(Equal(exit.Passed))
			return dir
		}
		plain := []string{shard("--shard", "1/2"), shard("--shard", "2/2")}
		first := shard("--shard", "1/2", "--gate", "route.accuracy > 0", "--gate", "calls.mean > 99")
		last := shard("--shard", "2/2", "--gate", "calls.mean > 99")
		for _, dirs := range [][]string{{plain[0], last}, {first, plain[1]}} {
			got := merged(dirs, "--out", newRunDir())
			Expect(got.code).To(Equal(exit.GateFailed), got.stderr)
			Expect(got.stdout).To(ContainSubstring("calls.mean > 99"))
		}
		Expect(merged([]string{first, last}, "--out", newRunDir())).
			To(Equal(cliResult{exit.InvalidUsage, "", "evalctl: merge: " + first +
				" was started with --gate calls.mean > 99, route.accuracy > 0, and " + last +
				" with calls.mean > 99: choose with merge --gate\n"}))
		Expect(merged([]string{first, last}, "--out", newRunDir(), "--gate", "route.accuracy > 0").code).
			To(Equal(exit.Passed))
	})

	Context("of several shards of a run", func() {
		args := []string{"run", "toolrouter", "--router", "rules", "--limit", "6", "--decision-only", "-q"}
		var dirs []string
		BeforeEach(func() { dirs = sharded("3", args...) })

		refusedWith := func(want string, dirs ...string) {
			GinkgoHelper()
			out := newRunDir()
			got := merged(dirs, "--out", out)
			Expect(got.stderr).To(HavePrefix("evalctl: merge: " + want))
			Expect(strings.Count(got.stderr, "\n")).To(Equal(1))
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(out).NotTo(BeADirectory())
			Expect(out + ".merging").NotTo(BeADirectory())
		}

		It("reports missing ones, and with --partial writes a run that can be resumed", func() {
			refusedWith("shard 1/3, 3/3 is missing: give all 3, or --partial to merge those that there are", dirs[1])
			out, whole := newRunDir(), newRunDir()
			got := merged(dirs[1:2], "--out", out, "--partial")
			Expect(got.code).To(Equal(exit.Incomplete))
			Expect(got.stderr).To(Equal(
				"evalctl: merged without shard 1/3, 3/3: run the missing trials with evalctl run --resume " +
					out + "\n"))
			Expect(got.stdout).To(ContainSubstring("PARTIAL"))
			Expect(evalctl("run", "--resume", out, "-q").code).To(Equal(exit.Passed))
			Expect(evalctl(append(args, "--out", whole)...).code).To(Equal(exit.Passed))
			Expect(read(out, journal.SummaryFile)).To(Equal(read(whole, journal.SummaryFile)))
		})

		It("is refused if they do not belong to one run", func() {
			other, whole := sharded("2", args...), newRunDir()
			Expect(evalctl(append(args, "--out", whole)...).code).To(Equal(exit.Passed))
			seeded := newRunDir()
			Expect(evalctl(append(args, "--shard", "3/3", "--seed", "9", "--out", seeded)...).code).
				To(Equal(exit.Passed))
			refusedWith(whole+" is a whole run, not a shard", dirs[0], whole)
			refusedWith(dirs[0]+" is shard 1/3, and "+other[1]+" 2/2: a run is split in one way", dirs[0], other[1])
			refusedWith(dirs[0]+" and "+dirs[0]+" are both shard 1/3", dirs[0], dirs[0], dirs[1], dirs[2])
			refusedWith(dirs[0]+" and "+seeded+" are of different runs: ", dirs[0], dirs[1], seeded)
			refusedWith(filepath.Join(GinkgoT().TempDir(), "no")[:4], filepath.Join(GinkgoT().TempDir(), "no"))
		})

		It("is refused if one is incomplete, lacks a result or is damaged", func() {
			short := copyOf(dirs[0])
			_, rest, _ := strings.Cut(read(short, journal.ResultsFile), "\n")
			write(filepath.Join(short, journal.ResultsFile), rest)
			refusedWith("suite toolrouter, variant rules, fault none: the shards hold 5 of 6 trials",
				short, dirs[1], dirs[2])
			both := copyOf(dirs[0])
			write(filepath.Join(both, journal.ResultsFile), rest+read(dirs[1], journal.ResultsFile))
			refusedWith(filepath.Join(both, journal.ResultsFile)+":2: it is of another run", both, dirs[1], dirs[2])
			spoilt := copyOf(dirs[0])
			write(filepath.Join(spoilt, journal.ResultsFile),
				strings.Replace(read(spoilt, journal.ResultsFile), `"epoch":1`, `"epoch":2`, 1))
			refusedWith(filepath.Join(spoilt, journal.ResultsFile)+":1: its checksum is wrong",
				spoilt, dirs[1], dirs[2])
			running := copyOf(dirs[0])
			write(filepath.Join(running, journal.ManifestFile),
				strings.Replace(read(running, journal.ManifestFile), `"status": "done"`, `"status": "running"`, 1))
			refusedWith(running+" did not end: continue with evalctl run --resume "+running, running, dirs[1], dirs[2])
		})

		DescribeTable("is refused if their results differ from the cases in", func(pattern, edited string) {
			one := copyOf(dirs[0])
			text := read(one, journal.ResultsFile)
			changed := regexp.MustCompile(pattern).ReplaceAllString(text, edited)
			Expect(changed).NotTo(Equal(text))
			write(filepath.Join(one, journal.ResultsFile), withChecksums(changed))
			out := newRunDir()
			got := merged([]string{one, dirs[1], dirs[2]}, "--out", out)
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(MatchRegexp(
				`^evalctl: merge: .*results\.jsonl: key "\w+": its text, language, tags or labels are not those of case "\S+": the line was edited\n$`))
			Expect(out).NotTo(BeADirectory())
		},
			Entry("the expected label", `"(expected|predicted|actual)":"\w+"`, `"$1":"edited"`),
			Entry("the tags", `"tags":\[[^]]*\]`, `"tags":["edited"]`),
			Entry("the text", `"text":"[^"]*"`, `"text":"edited"`),
			Entry("the text, replaced by a redaction marker", `"text":"[^"]*"`, `"text":"[redacted]"`),
			Entry("the language", `"language":"\w+"`, `"language":"other"`),
		)

		It("works without the dataset, and reports which checks it therefore omitted", func() {
			cases := fileOf("cases.jsonl", threeCases)
			own := sharded("2", "run", "--target", "toolrouter", "--dataset", cases, "--router", "rules",
				"--decision-only", "-q")
			Expect(merged(own, "--out", newRunDir()).stdout).NotTo(ContainSubstring("not held against"))
			Expect(os.Remove(cases)).To(Succeed())
			got := merged(own, "--out", newRunDir())
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(strings.Join(strings.Fields(got.stdout), " ")).
				To(ContainSubstring("the results of suite toolrouter are not compared with its cases: dataset " +
					cases + " is missing or has changed"))
		})

		It("can be repeated after a kill, and replaces only the files of the killed merge", func() {
			out := newRunDir()
			Expect(os.CopyFS(out+".merging", os.DirFS(dirs[0]))).To(Succeed())
			write(filepath.Join(out+".merging", "summary.json.1.tmp"), "{")
			Expect(merged(dirs, "--out", out).code).To(Equal(exit.Passed))
			Expect(out + ".merging").NotTo(BeADirectory())
			Expect(merged(dirs, "--out", out)).
				To(Equal(cliResult{exit.InvalidUsage, "", "evalctl: merge: --out: " + out + " is there already\n"}))
			theirs := newRunDir()
			Expect(os.Mkdir(theirs+".merging", 0o755)).To(Succeed())
			write(filepath.Join(theirs+".merging", "notes"), "keep")
			Expect(merged(dirs, "--out", theirs).code).To(Equal(exit.InvalidUsage))
			Expect(read(theirs+".merging", "notes")).To(Equal("keep"))
		})
	})
})

var _ = Describe("evalctl run --shard", func() {
	It("prints which shard it is, evaluates no gates, and cannot be gated alone", func() {
		dir := newRunDir()
		got := evalctl("run", "toolrouter", "--router", "rules", "--limit", "6", "--decision-only", "--gate",
			"route.accuracy > 1", "--shard", "2/3", "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), "a gate that the whole would break is not judged: %s", got.stderr)
		Expect(got.stdout).To(ContainSubstring("SHARD 2 of 3"))
		Expect(summaryOf(dir).Gates).To(BeEmpty())
		Expect(summaryOf(dir).Shard.String()).To(Equal("2/3"))
		Expect(manifestIn(dir).Shard.String()).To(Equal("2/3"))
		Expect(resultsOf(dir)).To(HaveLen(2))
		Expect(evalctl("report", dir).stdout).To(ContainSubstring("SHARD 2 of 3"))
		page := filepath.Join(GinkgoT().TempDir(), "page.html")
		Expect(evalctl("report", dir, "--html", page, "--format", "junit=/dev/null").code).To(Equal(exit.Passed))
		Expect(read(page)).To(ContainSubstring("shard 2 of 3"))
		got = evalctl("gate", dir, "route.accuracy > 0")
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(Equal("evalctl: " + dir +
			" is shard 2/3 of a run: judge what evalctl merge makes of all 3\n"))
	})

	DescribeTable("refuses an invalid shard", func(value, want string) {
		refuses(want, "run", "toolrouter", "--limit", "6", "--shard", value)
	}, Entry(nil, "0/3", "--shard: \"0/3\" is not a part of a run: expected INDEX/OF, as 2/8, with OF up to 10000"),
		Entry(nil, "1/7", "--shard 1/7: there are only 6 cases"))
})

var _ = Describe("evalctl run --traces", func() {
	played := func(traces string) (dir string) {
		GinkgoHelper()
		dir = newRunDir()
		cases := fileOf("cases.jsonl", strings.Replace(threeCases, "time_query", "chat", 1))
		got := evalctl("run", "--target", "toolrouter", "--dataset", cases, "--router", "rules", "--epochs", "2",
			"--traces", traces, "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		return dir
	}

	It("stores only the traces of failing trials with the value failing, and reports that others are missing", func() {
		dir := played("failing")
		const right, wrong = "a", "b"
		Expect(evalctl("show", dir, wrong).stdout).To(ContainSubstring("turn 1 of 1"))
		got := evalctl("show", dir, right)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(strings.Join(strings.Fields(got.stdout), " ")).
			To(ContainSubstring("No trace: the run keeps the traces of failing trials alone (--traces failing)."))
		Expect(manifestIn(dir).Traces).To(Equal(journal.FailingTraces))
		got = evalctl("run", "--resume", dir, "-q")
		Expect(got.stderr).To(BeEmpty(), "no trace was lost")
	})

	It("writes no trace file with the value none, and all commands can still read the run", func() {
		dir, whole := played("none"), played("all")
		Expect(runFiles(dir)).NotTo(ContainElement(journal.TracesFile))
		Expect(read(dir, journal.SummaryFile)).To(Equal(read(whole, journal.SummaryFile)))
		id := resultsOf(dir)[0].Case
		for _, args := range [][]string{{"show", dir, id}, {"show", dir, "--failing"}, {"report", dir, "-v"},
			{"compare", dir, whole}, {"gate", dir, "route.accuracy > 0"}} {
			got := evalctl(args...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
		}
		page := filepath.Join(GinkgoT().TempDir(), "page.html")
		got := evalctl("report", dir, "--html", page)
		Expect(got.code).To(Equal(exit.Passed))
		Expect(got.stderr).To(ContainSubstring("the run keeps no traces (--traces none): no trial has its trace"))
		write(filepath.Join(dir, journal.ResultsFile),
			strings.Join(strings.SplitAfter(read(dir, journal.ResultsFile), "\n")[:2], ""))
		Expect(evalctl("run", "--resume", dir, "-q").stderr).To(BeEmpty())
		Expect(filepath.Join(dir, journal.TracesFile)).NotTo(BeAnExistingFile())
		Expect(read(dir, journal.SummaryFile)).To(Equal(read(whole, journal.SummaryFile)))
	})

	It("cannot be changed when a run is resumed", func() {
		got := evalctl("run", "--resume", played("none"), "--traces", "all")
		Expect(got.stderr).To(Equal("evalctl: --resume: the run's manifest settles what is run; leave out --traces\n"))
		refuses(`--traces: unknown choice "some" (known: none, failing, all)`, "run", "--traces", "some")
	})
})
