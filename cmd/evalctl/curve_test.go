package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval/curve"
)

// lessons returns a dataset that a baseline model learns well: the last word of each text reveals
// its label.
func lessons(train, test int) string {
	var b strings.Builder
	for i := range train + test {
		label, split := []string{"red", "green", "blue"}[i%3], "train"
		if i >= train {
			split = "test"
		}
		fmt.Fprintf(&b, `{"id":"c%d","text":"number %d is %s","label":"%s","split":"%s"}`+"\n", i, i*7919%1000,
			label, label, split)
	}
	return b.String()
}

var _ = Describe("evalctl curve", func() {
	BeforeEach(func() { GinkgoT().Setenv("COLUMNS", "80") })

	curves := func(args ...string) []curve.Curve {
		GinkgoHelper()
		got := evalctl(append([]string{"curve", "--format", "json"}, args...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		var read struct{ Curves []curve.Curve }
		Expect(json.Unmarshal([]byte(got.stdout), &read)).To(Succeed())
		return read.Curves
	}

	It("trains the baseline model on growing parts of a custom dataset, with reproducible results",
		Label("long"), func() {
			path := fileOf("cases.jsonl", lessons(48, 30))
			list := curves("--target", "prompt", "--dataset", path)
			Expect(list).To(HaveLen(1))
			points := list[0].Points
			var at []float64
			for _, p := range points {
				at = append(at, p.X)
				Expect(p.Accuracy.N).To(BeEquivalentTo(30), "of the test split")
			}
			Expect(at).To(Equal([]float64{3, 6, 12, 24, 48}))
			Expect(*points[4].Accuracy.Value).To(BeNumerically(">=", 0.9), "the word is the label")
			again := curves("--target", "prompt", "--dataset", path, "--train-sizes", "48,12")[0].Points
			Expect(again).To(HaveLen(2))
			for i, p := range again {
				Expect(p.Accuracy).To(Equal(points[[]int{2, 4}[i]].Accuracy))
			}
		})

	It("names the system if other components also decide but only its baseline model runs",
		Label("long"), func() {
			without := map[string]string{}
			for _, name := range datasets.BuiltInNames() {
				without[name] = curves(name, "--train-sizes", "20", "--limit", "10")[0].SkippedSystem
			}
			Expect(without).To(And(HaveKeyWithValue("prompt", ""), HaveKeyWithValue("studio", "studio"),
				HaveKeyWithValue("toolrouter", "toolrouter")))
		})

	It("ends at the accuracy that the baseline model has in a run, where it is trained on all texts", func() {
		path := fileOf("cases.jsonl", lessons(24, 30))
		points := curves("--target", "prompt", "--dataset", path, "--train-sizes", "24")[0].Points
		dir := newRunDir()
		got := evalctl("run", "--target", "prompt", "--dataset", path, "--split", "test", "--model",
			"baseline:linear", "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(*points[0].Accuracy.Value).
			To(Equal(*summaryOf(dir).Suites[0].Conditions[0].Metrics["route.accuracy"].Value))
	})

	It("runs a suite with each value of a setting, and shows the same curve later for the finished run", func() {
		path, dir := fileOf("cases.jsonl", lessons(48, 30)), newRunDir()
		list := curves("--target", "prompt", "--dataset", path, "--examples", "4,0,1,2", "--out", dir, "-q")
		Expect(list).To(HaveLen(1))
		c := list[0]
		Expect(c.Axis).To(Equal("examples"))
		conditions := summaryOf(dir).Suites[0].Conditions
		Expect(conditions).To(HaveLen(4), "and no fault")
		var at []float64
		for _, p := range c.Points {
			at = append(at, p.X)
			Expect(p.Accuracy.N).To(BeEquivalentTo(30), "of the test split, from which no example is")
			Expect(p.Accuracy.Value).To(Equal(c.Points[0].Accuracy.Value), "a simulated model reads no prompt")
		}
		Expect(at).To(Equal([]float64{0, 1, 2, 4}))
		Expect(*c.Points[3].VersusPrevious.Value).To(BeZero())
		Expect(curves(dir)).To(Equal(list))
		Expect(evalctl("curve", dir).stdout).To(ContainSubstring("The model is simulated and does not read the prompt"))
	})

	It("states that a simulated model gains nothing from examples, but only if that is true", func() {
		dir := newRunDir()
		c := curves("toolrouter", "--history", "0,4", "--tags", "needs-history", "--decision-only", "--router", "llm",
			"--out", dir, "-q")[0]
		Expect(c.Axis).To(Equal("history"))
		Expect(*c.Points[1].VersusFirst.Value).To(BeNumerically(">", 0.2))
		Expect(evalctl("curve", dir).stdout).NotTo(ContainSubstring("change nothing"))
	})

	It("uses the numeric setting in which the variants of a run differ, if there is only one", func() {
		dir := newRunDir()
		Expect(evalctl("run", "toolrouter", "--decision-only", "--router", "llm-first", "--threshold", "0.5,0.9",
			"--limit", "40", "--out", dir).code).To(Equal(exit.Passed))
		list := curves(dir)
		Expect(list).To(HaveLen(1))
		Expect([]any{list[0].Axis, list[0].Points[0].X, list[0].Points[1].X}).To(Equal([]any{"threshold", 0.5, 0.9}))
		want := summaryOf(dir).Suites[0].Differences[0]
		Expect(*list[0].Points[1].VersusPrevious.Value).To(Equal(*want.Accuracy.Value))
	})

	It("uses the setting of --setting even if the variants differ in others", func() {
		list := curves("scholar", "--vector-weight", "0,1", "--limit", "2", "--out", newRunDir(), "-q")
		Expect(list).NotTo(BeEmpty())
		for _, c := range list {
			Expect(c.Axis).To(Equal("vector-weight"))
			Expect([]float64{c.Points[0].X, c.Points[1].X}).To(Equal([]float64{0, 1}))
		}
	})

	It("omits duplicate variants, and baseline models unless requested", func() {
		dir := newRunDir()
		list := curves("prompt", "--examples", "0,2", "--limit", "20", "--out", dir, "-q")
		Expect(conditionsOf(dir)).To(Equal([]string{"examples=0/none", "examples=2/none"}))
		Expect(list).To(HaveLen(1))
	})

	It("uses the split of --split, or the test split if the suite file names none", func() {
		path := fileOf("cases.jsonl", lessons(12, 9))
		suite := fileOf("mine.yaml", "name: mine\ntarget: prompt\ndataset: "+path+"\nvariants: [{name: a}]\n")
		Expect(curves(suite, "--examples", "0,1", "--out", newRunDir(), "-q")[0].Points[0].Accuracy.N).
			To(BeEquivalentTo(9))
		Expect(curves(suite, "--examples", "0,1", "--split", "all", "--out", newRunDir(),
			"-q")[0].Points[0].Accuracy.N).To(BeEquivalentTo(21))
	})

	It("lists in its help the settings with the systems that have them", func() {
		got := evalctl("curve", "--help").stdout
		Expect(got).To(And(ContainSubstring("  evalctl curve toolrouter --threshold 0,0.5,1\n"),
			ContainSubstring("  evalctl curve prompt --examples 0,1,2\n"),
			MatchRegexp(`--train-sizes N,N,… +learn N,N,… texts`)))
	})

	DescribeTable("refuses in one line", func(want string, args ...string) {
		got := evalctl(append([]string{"curve"}, args...)...)
		Expect(got.stderr).To(Equal("evalctl: " + want + "\n"))
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stdout).To(BeEmpty())
	},
		Entry("a setting that the system does not have", "--examples: toolrouter does not have it; prompt has",
			"toolrouter",
			"--examples", "0,1"),
		Entry(nil, "--train-sizes: must be at least 1, got 0", "prompt", "--train-sizes", "0"),
		Entry(nil, `--train-sizes: "x" is not a whole number`, "prompt", "--train-sizes", "x"),
		Entry(nil, "--train-sizes: cannot be combined with settings: a baseline model has none", "prompt",
			"--train-sizes", "9", "--examples", "0,1"),
		Entry(nil, "--split: the train split trains the baseline models and cannot be scored: use dev or test",
			"prompt", "--split", "train"),
		Entry(nil, "--split: the train split trains the baseline models and cannot be scored: use dev or test",
			"prompt", "--split", "all"),
		Entry(nil, "--setting: goes with a setting to follow, as --examples 0,1,2", "prompt", "--setting", "examples"),
		Entry("a setting with one value, before any trial runs",
			"--examples: one value makes no curve, give several: --examples 0,3",
			"prompt", "--examples", "3", "--example-selection", "nearest"),
		Entry("a value that is not a number, before any trial runs",
			"curve: suite prompt: no two variants differ in one numeric setting alone", "prompt",
			"--answer-format", "json"),
		Entry("a flag without a setting, with an example of a setting that the system has",
			"--epochs: goes with a setting to follow, as --threshold 0,0.5,1", "toolrouter", "--epochs", "3"),
		Entry("a flag without a setting, without an example if the system has no numeric setting",
			"--epochs: goes with a setting to follow",
			"studio", "--epochs", "3"),
		Entry("a results file without its run directory",
			"curve: runs/1/results.jsonl: give the run's folder, runs/1: results alone do not tell the settings of variants", "runs/1/results.jsonl"),
		Entry(nil, "curve: suite prompt: variants differ in examples, examples-seed: choose one with --setting",
			"prompt", "--examples", "1,2", "--examples-seed", "1,2"),
		Entry(nil, "--epochs: goes with a setting to follow, as --examples 0,1,2", "prompt", "--epochs", "3"),
		Entry(nil, `--format: unknown format "tabel", did you mean "table"?`, "prompt", "--format", "tabel"),
		Entry(nil, "--examples: \"x\" is not a whole number from 0 to 100", "prompt", "--examples", "0,x"),
		Entry(nil, "unknown flag: --fault", "prompt", "--fault", "model:timeout"),
		Entry(nil, `suite promt: no such file, did you mean the shipped suite "prompt"?`, "promt"),
	)

	It("refuses a run whose variants do not differ in one numeric setting, and flags that would change the run",
		func() {
			dir := newRunDir()
			Expect(evalctl("run", "toolrouter", "--decision-only", "--router", "rules,llm", "--limit",
				"9", "--out", dir).
				code).To(Equal(exit.Passed))
			got := evalctl("curve", dir)
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(Equal("evalctl: curve: " + dir +
				": suite toolrouter: no two variants differ in one numeric setting alone\n"))
			Expect(evalctl("curve", dir, "--examples", "0,1").stderr).
				To(Equal("evalctl: --examples: cannot be combined with a finished run\n"))
			Expect(evalctl("curve", filepath.Join(dir, "..")).stderr).To(ContainSubstring("contains no run"))
		})

	It("lists among the flags for learning curves only existing ones", func() {
		curve := curveCommand(nil, nil, nil)
		for _, name := range learningFlags {
			Expect(curve.Flags().Lookup(name)).NotTo(BeNil(), name)
		}
	})

	It("refuses a training size above the number of texts in the dataset", func() {
		got := evalctl("curve", "--target", "prompt", "--dataset", fileOf("cases.jsonl", lessons(9, 9)),
			"--train-sizes", "3,10")
		Expect(got.stderr).To(Equal("evalctl: suite prompt: 10 are more than the 9 texts that there are to learn\n"))
		Expect(got.code).To(Equal(exit.InvalidUsage))
	})

	It("requires a dataset with texts to train on", func() {
		path := fileOf("cases.jsonl", lessons(0, 9))
		got := evalctl("curve", "--target", "prompt", "--dataset", path)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(HaveSuffix(
			"has 0 labelled texts: there are fewer than two labels; give lines \"split\":\"train\"\n"))
	})
})
