package main

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

var _ = Describe("evalctl run", func() {
	It("passes offline without a key, and states that models and time are simulated", func() {
		for _, env := range []string{"OPENAI_API_KEY", "DEEPSEEK_API_KEY", "DASHSCOPE_API_KEY", "ARK_API_KEY"} {
			GinkgoT().Setenv(env, "")
		}
		GinkgoT().Setenv("HTTP_PROXY", "http://127.0.0.1:1")
		GinkgoT().Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
		dir := newRunDir()
		got := evalctl("run", "--limit", "2", "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(And(ContainSubstring("models and time are simulated"),
			Not(MatchRegexp("real (models|time)"))))
		Expect(got.stderr).To(Equal("results in " + dir + "\n"))
		for _, s := range summaryOf(dir).Suites {
			Expect(s.Clock).To(Equal("simulated"))
			for _, m := range s.Models {
				Expect(m.Kind).To(BeElementOf("simulated", "trained"), m.Component)
			}
		}
	})

	It("runs an external dataset in the short form with --target", func() {
		dir := newRunDir()
		got := evalctl("run", "--target", "toolrouter", "--router", "rules", "--dataset",
			fileOf("cases.jsonl", threeCases), "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		s := summaryOf(dir)
		Expect(s.Suites).To(HaveLen(1))
		Expect(s.Suites[0].Dataset).To(Equal("cases.jsonl"), "no folders, which differ between machines")
		accuracy := s.Suites[0].Conditions[0].Metrics["route.accuracy"]
		Expect(accuracy.N).To(BeEquivalentTo(3))
		Expect(accuracy.Value).To(HaveValue(Equal(1.0)))
		Expect(manifestIn(dir).Args).To(ContainElements("--router", "rules"))
	})

	It("writes the same summary for any number of parallel trials, and a different one for another seed",
		Label("concurrent"), func() {
			one, many, other := newRunDir(), newRunDir(), newRunDir()
			Expect(evalctl("run", "toolrouter", "newsroom", "--limit", "4", "-j", "1", "--out", one).code).
				To(Equal(exit.Passed))
			Expect(evalctl("run", "toolrouter", "newsroom", "--limit", "4", "-j", "64", "--out", many).code).
				To(Equal(exit.Passed))
			Expect(evalctl("run", "toolrouter", "newsroom", "--limit", "4", "--seed", "2", "--out", other).code).
				To(Equal(exit.Passed))
			Expect(read(many, journal.SummaryFile)).To(Equal(read(one, journal.SummaryFile)))
			Expect(read(other, journal.SummaryFile)).NotTo(Equal(read(one, journal.SummaryFile)))
		})

	It("resolves paths in a suite file relative to the file, no matter which flags are given", func() {
		at := GinkgoT().TempDir()
		write(filepath.Join(at, "cases.jsonl"), threeCases)
		write(filepath.Join(at, "router.md"), "Route it, as json.")
		s := write(filepath.Join(at, "mine.yaml"), `name: mine
target: toolrouter
dataset: cases.jsonl
variants:
  - {name: model, router: llm, prompt: router.md}
`)
		Expect(evalctl("run", s, "--out", newRunDir()).code).To(Equal(exit.Passed))
		got := evalctl("run", s, "--dataset", "toolrouter", "--limit", "2", "--out", newRunDir())
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
	})

	It("combines the values of router, prompt, threshold and fault flags, and names each condition", func() {
		prompts := fileOf("a.md", "Route it, as json.") + "," + fileOf("b.md", "Route it well, as json.")
		dir := newRunDir()
		got := evalctl("run", "--router", "rules,llm-first", "--prompt", prompts, "--threshold", "0.5,0.7",
			"--fault", "router:timeout+image:server_error@1", "--limit", "2", "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		const fault = "router:timeout+image:server_error@1"
		Expect(conditionsOf(dir)).To(Equal([]string{
			"rules/none", "rules/" + fault,
			"llm-first prompt=a.md threshold=0.5/none", "llm-first prompt=a.md threshold=0.5/" + fault,
			"llm-first prompt=a.md threshold=0.7/none", "llm-first prompt=a.md threshold=0.7/" + fault,
			"llm-first prompt=b.md threshold=0.5/none", "llm-first prompt=b.md threshold=0.5/" + fault,
			"llm-first prompt=b.md threshold=0.7/none", "llm-first prompt=b.md threshold=0.7/" + fault,
		}))
	})

	It("runs identical variants only once, for example if a custom prompt makes them identical", func() {
		dir := newRunDir()
		got := evalctl("run", "newsroom", "--prompt", fileOf("own.md", "Answer in json."), "--limit",
			"1", "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(conditionsOf(dir)).To(Equal([]string{"prompt=own.md/none", "prompt=own.md/router:fallback_label"}))
	})

	It("distinguishes prompts with the same file name by their paths", func() {
		a, b := fileOf("router.md", "Route it, as json."), fileOf("router.md", "Route it well, as json.")
		dir := newRunDir()
		Expect(evalctl("run", "--router", "llm", "--prompt", a, "--prompt", b, "--limit", "1", "--out", dir).code).
			To(Equal(exit.Passed))
		Expect(conditionsOf(dir)).To(Equal([]string{"llm prompt=" + a + "/none", "llm prompt=" + b + "/none"}))
	})

	It("selects cases by split, tags and limit, and runs each in every epoch", func() {
		dir := newRunDir()
		got := evalctl("run", "--router", "rules", "--split", "all", "--tags", "en", "--limit", "7", "--epochs",
			"3", "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(summaryOf(dir).Suites[0].Cases).To(BeEquivalentTo(7))
		Expect(summaryOf(dir).Suites[0].Conditions[0].Trials).To(BeEquivalentTo(21))
	})

	It("draws a sample with all labels that is the same for the same seed, and reports it", func() {
		played := func(seed string) (labels map[string]bool, got cliResult, dir string) {
			dir = newRunDir()
			got = evalctl("run", "toolrouter", "--router", "rules", "--sample", "20", "--seed", seed, "--out", dir)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			labels = map[string]bool{}
			for r, err := range journal.ReadRunResults(dir) {
				Expect(err).NotTo(HaveOccurred())
				labels[r.Expected.Primary()] = true
			}
			return labels, got, dir
		}
		labels, got, dir := played("1")
		Expect(labels).To(HaveLen(4))
		Expect(got.stdout).To(ContainSubstring("toolrouter · sample of 20 of 827 cases · 1 variant · 20 trials"))
		_, _, again := played("1")
		Expect(read(again, journal.SummaryFile)).To(Equal(read(dir, journal.SummaryFile)))
		_, _, other := played("2")
		Expect(read(other, journal.SummaryFile)).NotTo(Equal(read(dir, journal.SummaryFile)))

		Expect(os.Truncate(filepath.Join(dir, journal.ResultsFile), 0)).To(Succeed())
		Expect(evalctl("run", "--resume", dir).code).To(Equal(exit.Passed))
		Expect(read(dir, journal.SummaryFile)).To(Equal(read(again, journal.SummaryFile)))
	})

	It("writes one summary for several suites", func() {
		at := GinkgoT().TempDir()
		write(filepath.Join(at, "cases.jsonl"), threeCases)
		s := write(filepath.Join(at, "mine.yaml"),
			"name: mine\ntarget: toolrouter\ndataset: cases.jsonl\nvariants:\n  - {name: r, router: rules}\n")
		dir := newRunDir()
		Expect(evalctl("run", s, "toolrouter", "--limit", "2", "--out", dir).code).To(Equal(exit.Passed))
		Expect(summaryOf(dir).Suites).To(HaveLen(2))
	})

	It("writes each format to stdout or a file, after checking that the file can be written", func() {
		at := GinkgoT().TempDir()
		dir := filepath.Join(at, "run")
		got := evalctl("run", "--router", "rules", "--limit", "3", "--out", dir, "--format", "markdown",
			"--format", "csv="+filepath.Join(at, "r.csv"), "--format", "json="+filepath.Join(dir, "r.json"), "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(HavePrefix("# evalctl run"))
		Expect(read(at, "r.csv")).To(ContainSubstring("route.accuracy"))
		Expect(read(dir, "r.json")).To(ContainSubstring("route.accuracy"))
		Expect(got.stderr).To(BeEmpty(), "-q")
	})

	It("adds a Markdown report to the job summary of a CI service", func() {
		path := fileOf("summary.md", "earlier\n")
		GinkgoT().Setenv("GITHUB_STEP_SUMMARY", path)
		Expect(evalctl("run", "--router", "rules", "--limit", "3", "--out", newRunDir()).code).To(Equal(exit.Passed))
		Expect(read(path)).To(And(HavePrefix("earlier\n### evalctl\n\n- 1 suite · 3 cases · 3 trials"),
			ContainSubstring("| rules | 3 of 3 ")))
	})

	It("shows no colors and no progress bar without a terminal", func() {
		got := evalctl("run", "toolrouter", "--limit", "3", "--out", newRunDir())
		Expect(got.stdout + got.stderr).NotTo(ContainSubstring("\x1b"))
	})

	It("exits with 3 if the report cannot be written, and still stores the results", func() {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			Skip("no /dev/full here")
		}
		DeferCleanup(full.Close)
		dir := newRunDir()
		var stderr strings.Builder
		code := run(GinkgoT().Context(), []string{"run", "--router", "rules", "--limit", "3", "--out", dir},
			nil, full, &stderr)
		Expect(code).To(Equal(exit.Incomplete))
		Expect(stderr.String()).To(ContainSubstring("no space left on device"))
		Expect(summaryOf(dir).Partial).To(BeFalse())
	})
})

var _ = DescribeTable("a gate determines the exit code of evalctl run", func(rule string, code int) {
	dir := newRunDir()
	got := evalctl("run", "--router", "rules,llm-first", "--limit", "20", "--out", dir, "--gate", rule)
	Expect(got.code).To(Equal(code), got.stderr)
	if code == exit.InvalidUsage {
		Expect(dir).NotTo(BeADirectory())
		return
	}
	Expect(summaryOf(dir).Gates).To(HaveLen(1))
	Expect(summaryOf(dir).Gates[0].Passed).To(Equal(code == exit.Passed))
},
	Entry("0 for a gate that passes", "route.accuracy >= 0.1", exit.Passed),
	Entry("0 for a gate that passes in the selected condition", "route.accuracy{variant=llm-first, fault=none} >= 50%",
		exit.Passed),
	Entry("1 for a gate that fails", "route.accuracy{variant=rules} > 1", exit.GateFailed),
	Entry("2 for an unknown metric", "route.acuracy > 0", exit.InvalidUsage),
	Entry("2 for a metric of another system", "critic.pass_rate > 0", exit.InvalidUsage),
	Entry("1 for a metric without values", "genui.conform > 0", exit.GateFailed),
	Entry("2 for an unknown variant", "route.accuracy{variant=nope} >= 0.9", exit.InvalidUsage),
	Entry("2 for an invalid rule", "route.accuracy = 0.9", exit.InvalidUsage),
)

var _ = It("evalctl run exits with 1 if one of several gates fails", func() {
	got := evalctl("run", "--router", "rules", "--limit", "5", "--out", newRunDir(),
		"--gate", "route.accuracy > 0", "--gate", "latency.p95 <= 1ms")
	Expect(got.code).To(Equal(exit.GateFailed))
	Expect(got.stdout).To(ContainSubstring("latency.p95 <= 1ms"))
})

var _ = Describe("a suite file that configures no models", func() {
	It("still generates images and searches with simulated models", func() {
		dir := GinkgoT().TempDir()
		write(filepath.Join(dir, "c.jsonl"), `{"id":"a","text":"画一只猫","label":"image_gen"}
{"id":"b","text":"搜一下今天的新闻","label":"web_search"}
`)
		suite := write(filepath.Join(dir, "s.yaml"),
			"name: s\ntarget: toolrouter\ndataset: c.jsonl\nvariants:\n  - {name: llm, router: llm}\n")
		Expect(evalctl("run", suite, "--out", filepath.Join(dir, "out")).code).To(Equal(exit.Passed))
		m := summaryOf(filepath.Join(dir, "out")).Suites[0].Conditions[0].Metrics
		Expect(*m["fallback.rate"].Value).To(BeZero())
		Expect(*m["route.accuracy"].Value).To(Equal(1.0))
	})
})

var _ = Describe("a line of results.jsonl", func() {
	It("describes one turn of a conversation: the first wrong one", func() {
		dir := GinkgoT().TempDir()
		cases := write(filepath.Join(dir, "c.jsonl"),
			`{"id":"m","turns":[{"input":{"text":"画一只猫"},"expect":{"route":"chat"}},{"input":{"text":"现在几点"},"expect":{"route":"time_query"}}]}
`)
		out := filepath.Join(dir, "out")
		Expect(evalctl("run", "--target", "toolrouter", "--router", "rules", "--dataset", cases, "--out", out).code).
			To(Equal(exit.Passed))
		for r, err := range journal.ReadRunResults(out) {
			Expect(err).NotTo(HaveOccurred())
			Expect([]string{r.Predicted, r.AnsweredBy, r.Rule, r.Expected.Primary()}).
				To(Equal([]string{"image_gen", "image_gen", "image.1", "chat"}))
			Expect(*r.Correct).To(BeFalse())
		}
	})

	It("has every field that the documentation lists, even if it is empty", func() {
		out := newRunDir()
		Expect(evalctl("run", "--limit", "1", "--router", "rules", "--out", out).code).To(Equal(exit.Passed))
		line, _, _ := strings.Cut(read(out, journal.ResultsFile), "\n")
		for _, name := range []string{"key", "case", "variant", "fault", "epoch", "predicted", "expected", "correct",
			"answered_by", "decided_by",
			"confidence", "fallbacks", "duration_ms", "ttft_ms", "tokens", "cost", "error", "scores"} {
			Expect(line).To(ContainSubstring(`"` + name + `":`))
		}
		Expect(line).To(ContainSubstring(`"fallbacks":[]`))
	})
})
