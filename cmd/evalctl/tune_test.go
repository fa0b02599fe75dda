package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/reports"
)

// tunings returns what evalctl tune prints as JSON.
func tunings(args ...string) reports.TuningReport {
	GinkgoHelper()
	got := evalctl(append([]string{"tune"}, append(args, "--setting", "threshold", "--format", "json")...)...)
	Expect(got.code).To(Equal(exit.Passed), got.stderr)
	var t reports.TuningReport
	Expect(json.Unmarshal([]byte(got.stdout), &t)).To(Succeed())
	return t
}

// correctInSweep returns the number of correct trials that evalctl tune computes for a threshold.
func correctInSweep(t reports.TunedVariant, threshold float64) int64 {
	GinkgoHelper()
	for _, p := range t.Points {
		if threshold <= p.RangeHi {
			return p.Correct
		}
	}
	Fail("no point")
	return 0
}

func correctInRun(dir, variant string) int64 {
	GinkgoHelper()
	for _, c := range summaryOf(dir).Suites[0].Conditions {
		if c.Variant == variant {
			e := c.Metrics["route.accuracy"]
			return int64(*e.Value*float64(e.N) + 0.5)
		}
	}
	Fail("no variant " + variant)
	return 0
}

var _ = Describe("evalctl tune", Ordered, func() {
	var dir, all string
	BeforeAll(func() {
		home := GinkgoT().TempDir()
		dir, all = filepath.Join(home, "dev"), filepath.Join(home, "all")
		got := evalctl("run", "toolrouter", "--decision-only", "--split", "dev", "--epochs", "2", "--router",
			"llm-first", "--threshold", "0.3,0.6,1", "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		got = evalctl("run", "toolrouter", "--decision-only", "--limit", "40", "--out", all)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
	})
	BeforeEach(func() { GinkgoT().Setenv("COLUMNS", "200") })

	It("predicts exactly which score a run with each threshold has", Label("long"), func() {
		names := []string{"0.3", "0.6", "1"}
		for _, played := range names {
			found := tunings(dir, "--variant", "llm-first threshold="+played).Variants
			Expect(found).To(HaveLen(1))
			for _, other := range names {
				v, err := strconv.ParseFloat(other, 64)
				Expect(err).NotTo(HaveOccurred())
				Expect(correctInSweep(found[0], v)).To(Equal(correctInRun(dir, "llm-first threshold="+other)),
					"%s from the run with %s", other, played)
			}
			Expect(found[0].Current.Threshold).To(Equal(mustFloat(played)))
		}
	})

	It("predicts the score for a classifier from a run that had no threshold", Label("long"), func() {
		home := GinkgoT().TempDir()
		without, with := filepath.Join(home, "without"), filepath.Join(home, "with")
		Expect(evalctl("run", "prompt", "--limit", "80", "--out", without).code).To(Equal(exit.Passed))
		got := evalctl("run", "prompt", "--limit", "80", "--threshold", "0.55,0.8", "--out", with)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		for _, found := range tunings(without).Variants {
			Expect(found.Current.Threshold).To(BeZero())
			for _, v := range []string{"0.55", "0.8"} {
				Expect(correctInSweep(found, mustFloat(v))).To(Equal(correctInRun(with, found.Variant+" threshold="+v)),
					found.Variant+" "+v)
			}
		}
	})

	It("tunes every variant that uses the setting, names the others, and prints a command to run next", func() {
		got := evalctl("tune", all, "--setting", "threshold")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(And(
			MatchRegexp(`^· .*, rules: no use of threshold \(confidence from 0\.\.1 below which the rules of llm-first decide\)\.\n`),
			ContainSubstring("\ntoolrouter · llm-first · threshold · "),
			ContainSubstring("! These are the test cases: tune on train and dev, and report test.\n")))
		Expect(tunings(all).Variants).To(HaveLen(1))
	})

	// next returns the commands that tune prints to run next, as arguments.
	next := func(args ...string) (list [][]string) {
		GinkgoHelper()
		GinkgoT().Setenv("COLUMNS", "1000")
		got := evalctl(append([]string{"tune", "--setting", "threshold"}, args...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		for _, found := range regexp.MustCompile(`(?m)^> evalctl (.*)$`).FindAllStringSubmatch(got.stdout, -1) {
			list = append(list, strings.Fields(found[1]))
		}
		return list
	}

	It("prints a command to run the best threshold only if it is significantly better", func() {
		commands := next(dir, "--variant", "llm-first threshold=1")
		Expect(commands).To(HaveLen(1))
		chosen := tunings(dir, "--variant", "llm-first threshold=1").Variants[0].Best
		Expect(strings.Join(commands[0], " ")).
			To(Equal("run toolrouter --router llm-first --decision-only --epochs 2 --split dev --threshold " +
				strconv.FormatFloat(chosen.Threshold, 'f', -1, 64)))
		out := filepath.Join(GinkgoT().TempDir(), "next")
		got := evalctl(append(commands[0], "--out", out)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		again := tunings(out).Variants
		Expect(again).To(HaveLen(1))
		Expect(again[0].Current.Correct).To(Equal(chosen.Correct))
		Expect(next(out)).To(BeEmpty(), "nothing is better")
	})

	DescribeTable("prints commands to tune on the dev split for test cases, and they work as printed,",
		func(args ...string) {
			home := GinkgoT().TempDir()
			GinkgoT().Chdir(home)
			Expect(os.WriteFile("mine.yaml",
				[]byte("name: mine\ntarget: toolrouter\ndataset: toolrouter\nsplit: test\nlimit: 30\nvariants:\n"+
					"  - {name: rules, router: rules}\n  - {name: sure, router: llm-first, threshold: 0.8}\n"),
				0o600)).To(Succeed())
			played := evalctl(append([]string{"run", "-q", "--out", "runs/1"}, args...)...)
			Expect(played.code).To(Equal(exit.Passed), played.stderr)
			commands := next("runs/1")
			tuned := tunings("runs/1").Variants
			Expect(tuned).NotTo(BeEmpty())
			Expect(commands).To(HaveLen(2 * len(tuned)))
			for i, words := range commands {
				got := evalctl(append(words, "--format", "json")...)
				Expect(got.code).To(Equal(exit.Passed), strings.Join(words, " ")+": "+got.stderr)
				if i%2 == 1 {
					var found reports.TuningReport
					Expect(json.Unmarshal([]byte(got.stdout), &found)).To(Succeed())
					Expect(found.Variants).To(HaveLen(1))
					Expect([]any{found.Variants[0].Split, found.Variants[0].Current.Threshold}).
						To(Equal([]any{"dev", tuned[i/2].Current.Threshold}))
				}
			}
		},
		Entry("for shipped suites", "companion", "newsroom", "--limit", "8"),
		Entry("for two suites, one without a threshold", "toolrouter", "studio", "--limit", "20"),
		Entry("for several variants", "toolrouter", "--router", "llm,llm-first", "--threshold", "0.5,0.7", "--history",
			"2", "--limit=20", "--seed", "3", "--tags", "zh"),
		Entry("for a classifier and its baseline model", "prompt", "--sample", "40", "--decision-only", "--examples",
			"4", "--temperature", "0.5"),
		Entry("for a run without a suite file", "--target", "toolrouter", "--dataset", "toolrouter", "--split", "test",
			"--router", "llm-first", "--limit", "20"),
		Entry("for a suite file", "mine.yaml", "--fault", "router:timeout"),
	)

	It("prints no command to run next if a gate of the suite file names a variant that flags would rename", func() {
		path := fileOf("mine.yaml",
			"name: mine\ntarget: toolrouter\ndataset: toolrouter\nsplit: test\nlimit: 30\nvariants:\n  - {name: sure, router: llm-first}\n"+
				"gates:\n  - route.accuracy{variant=sure} >= 0.1\n")
		out := filepath.Join(GinkgoT().TempDir(), "gated")
		Expect(evalctl("run", path, "-q", "--out", out).code).To(Equal(exit.Passed))
		Expect(next(out)).To(BeEmpty())
	})

	It("accepts a results file, with and without a manifest in its directory", func() {
		results := filepath.Join(dir, journal.ResultsFile)
		withExtra := tunings(results, "--variant", "llm-first threshold=0.6").Variants[0]
		Expect(withExtra.CurrentConfigured).To(BeTrue())
		text, err := os.ReadFile(results)
		Expect(err).NotTo(HaveOccurred())
		alone := tunings(fileOf("results.jsonl", string(text)), "--variant", "llm-first threshold=0.6").Variants[0]
		Expect(alone.CurrentConfigured).To(BeFalse())
		Expect(alone.Current.Correct).To(Equal(withExtra.Current.Correct))
	})

	It("reports that a run is incomplete", func() {
		copied := GinkgoT().TempDir()
		for _, name := range journal.FileNames() {
			text, err := os.ReadFile(filepath.Join(dir, name))
			Expect(err).NotTo(HaveOccurred())
			if name == journal.ResultsFile {
				text = text[:strings.LastIndexByte(string(text[:len(text)-1]), '\n')+1]
			}
			Expect(os.WriteFile(filepath.Join(copied, name), text, 0o600)).To(Succeed())
		}
		Expect(evalctl("tune", copied, "--setting", "threshold").stdout).To(HavePrefix("✗ PARTIAL"))
		Expect(tunings(copied).Partial).To(BeTrue())
	})

	DescribeTable("refuses results whose decisions do not match the threshold, because of",
		func(pattern, edited string) {
			text := read(dir, journal.ResultsFile)
			changed := regexp.MustCompile(pattern).ReplaceAllString(text, edited)
			Expect(changed).NotTo(Equal(text))
			copied := GinkgoT().TempDir()
			write(filepath.Join(copied, journal.ManifestFile), read(dir, journal.ManifestFile))
			results := write(filepath.Join(copied, journal.ResultsFile), withChecksums(changed))
			got := evalctl("tune", results, "--setting", "threshold", "--variant", "llm-first threshold=0.6")
			Expect([]any{got.code, got.stdout}).To(Equal([]any{exit.Incomplete, ""}))
			Expect(got.stderr).To(MatchRegexp(
				`^evalctl: tune: suite toolrouter, variant llm-first threshold=0.6: \d+ of \d+ turns were not decided as threshold 0.6 would: .*\n$`))
		},
		Entry("edited confidences", `("model_decision":\{[^}]*"confidence":)0\.[6-9]\d*`, "${1}0.1"),
		Entry("an edited model decision", `("model_decision":\{"label":")\w+`, "${1}nothing"),
	)

	It("requires results that contain the model's own decision", func() {
		text, err := os.ReadFile(filepath.Join(dir, journal.ResultsFile))
		Expect(err).NotTo(HaveOccurred())
		old := regexp.MustCompile(`,"model_decision":\{[^}]*\}`).ReplaceAllString(withoutChecksums(string(text)), "")
		got := evalctl("tune", fileOf("old.jsonl", old), "--setting", "threshold")
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(And(
			MatchRegexp("^evalctl: tune: suite toolrouter, variant llm-first threshold=0.[369]: "),
			HaveSuffix(": "+eval.NoModelDecisionText+"\n")))
		shown := evalctl("report", fileOf("old.jsonl", old), "--by", "confidence").stdout
		Expect(strings.Join(strings.Fields(shown), " ")).
			To(ContainSubstring("No confidence values: " + eval.NoModelDecisionText))
		gated := evalctl("gate", fileOf("old.jsonl", old), "confidence.ece <= 50%")
		Expect(gated.code).To(Equal(exit.GateFailed), "a gate fails closed")
		Expect(strings.ToLower(strings.Join(strings.Fields(gated.stdout), " "))).
			To(ContainSubstring(strings.ToLower(eval.NoModelDecisionText)))
	})

	It("requires an out-of-scope label if the user defines the labels, and explains how to name it", func() {
		path, dir := fileOf("cases.jsonl", lessons(12, 6)), newRunDir()
		got := evalctl("run", "--target", "prompt", "--dataset", path, "--threshold", "0.5", "--out", newRunDir())
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(HaveSuffix(
			"no label is out of scope, so there is none to give instead: say which with --oos-label LABEL\n"))
		Expect(evalctl("run", "--target", "prompt", "--dataset", path, "--out", dir, "-q").code).To(Equal(exit.Passed))
		got = evalctl("tune", dir, "--setting", "threshold")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(HaveSuffix(
			"and there is no out-of-scope label to decide instead: name it with --oos-label LABEL\n"))
	})

	DescribeTable("refuses invalid input", func(why string, args ...string) {
		for i := range args {
			args[i] = strings.NewReplacer("DIR", dir, "ALL", all).Replace(args[i])
		}
		got := evalctl(append([]string{"tune"}, args...)...)
		Expect(got.code).To(Equal(exit.InvalidUsage), got.stdout)
		Expect(got.stderr).To(And(ContainSubstring(why), HaveSuffix("\n")))
		Expect(strings.Count(got.stderr, "\n")).To(Equal(1))
	},
		Entry("no directory", "requires one run directory", "--setting", "threshold"),
		Entry("an empty setting", "--setting: is empty", "DIR", "--setting", ""),
		Entry("an unknown setting",
			`--setting: unknown threshold on a confidence "treshold", did you mean "threshold"?`, "DIR",
			"--setting", "treshold"),
		Entry("a setting that is not a threshold", "--setting: unknown threshold on a confidence \"prompt\"", "DIR",
			"--setting", "prompt"),
		Entry("an unknown variant", `--variant: unknown variant "llm-last"`, "ALL", "--setting", "threshold",
			"--variant", "llm-last"),
		Entry("a variant that does not use the setting",
			"--setting threshold: llm: no use of threshold (confidence from 0..1 below which the rules of llm-first decide)",
			"ALL", "--setting", "threshold", "--variant", "llm"),
		Entry("an unknown suite", `--suite: unknown suite "studio"`, "DIR", "--setting", "threshold",
			"--suite", "studio"),
		Entry("an unknown fault", `--fault: unknown fault "router:auth"`, "ALL", "--setting", "threshold",
			"--fault", "router:auth"),
		Entry("fewer than two folds", "--folds: must be at least 2, got 1", "DIR", "--setting",
			"threshold", "--folds", "1"),
		Entry("more than 100 folds", "--folds: must be at most 100, got 101", "DIR", "--setting", "threshold",
			"--folds", "101"),
		Entry("an unknown format", "--format: unknown format", "DIR", "--setting", "threshold", "--format", "xml"),
		Entry("a path without a run", "contains no run", "/nowhere", "--setting", "threshold"),
	)
})

func mustFloat(text string) float64 {
	GinkgoHelper()
	v, err := strconv.ParseFloat(text, 64)
	Expect(err).NotTo(HaveOccurred())
	return v
}
