package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

// allReal returns a suite file in which every component that can be real has an endpoint in bases.
func allReal(name string, bases map[string]string) string {
	GinkgoHelper()
	of, ok := suite.FindSystem(name)
	Expect(ok).To(BeTrue())
	sample, wires, models := 4, "", "models:\n"
	for _, p := range of.Components {
		provider, model := "openai", "any"
		switch p.Role {
		case system.RoleStore:
			continue
		case system.RoleImage:
			provider, model = "deepseek", "dashscope:qwen-image-max" // the provider's base URL has no path
		case system.RoleSearchModel:
			provider, model = "dashscope", "dashscope:qwen-max"
		case system.RoleSearchEngine:
			provider, model = "tavily", "tavily"
		case system.RoleRetrieval:
			provider, model = "ragflow", ""
		}
		for setting, value := range p.RemoteSettings {
			wires += fmt.Sprintf(", %s: %s", setting, value)
			sample = 1 // asynchronous image generation takes seconds
		}
		models += fmt.Sprintf("  %s: {base_url: %q, model: %q}\n", p.Name, bases[provider], model)
	}
	text := fmt.Sprintf("name: %s\ntarget: %s\ndataset: %s\nsample: %d\n", name, name, name, sample)
	return fileOf(name+".yaml", text+fmt.Sprintf("variants: [{name: v%s}]\n", wires)+models)
}

// rowsWithoutDurations returns the results of a run as text without durations, to compare runs.
func rowsWithoutDurations(dir string) (rows []string) {
	GinkgoHelper()
	for r, err := range journal.ReadRunResults(dir) {
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Error).To(BeNil(), r.Case)
		rows = append(rows, fmt.Sprint(r.Key, r.Suite, r.Case, r.Variant, r.Epoch, r.Predicted, r.AnsweredBy,
			r.DecidedBy, confidenceOf(r), *orFalse(r.Correct), r.Fallbacks, r.ErrorReply, r.ErrorReplyCause, r.Calls,
			r.Tokens, r.Scores))
	}
	slices.Sort(rows)
	return rows
}

func orFalse(b *bool) *bool {
	if b == nil {
		return new(bool)
	}
	return b
}

// confidenceOf returns the confidence of a decision, or -1 if there is none.
func confidenceOf(r eval.Result) float64 {
	if r.Confidence == nil {
		return -1
	}
	return *r.Confidence
}

var _ = Describe("evalctl run --record and --replay", func() {
	DescribeTable("reproduce the scores of a run with all components real, without a server", func(name string) {
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		file := allReal(name, mockServeUntil(ctx, "--dataset", name))
		tape, recorded, replayed, again := filepath.Join(GinkgoT().TempDir(), "tape.jsonl"), newRunDir(),
			newRunDir(), newRunDir()
		got := evalctl("run", file, "--record", tape, "--out", recorded, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		stop()

		got = evalctl("run", file, "--replay", tape, "--out", replayed, "-q", "-j", "3")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(rowsWithoutDurations(replayed)).To(Equal(rowsWithoutDurations(recorded)))
		Expect(summaryOf(replayed).Suites[0].Clock).To(Equal("simulated"))
		Expect(evalctl("run", file, "--replay", tape, "--out", again, "-q", "-j", "1").code).To(Equal(exit.Passed))
		Expect(read(again, journal.SummaryFile)).To(Equal(read(replayed, journal.SummaryFile)))
	},
		slices.Collect(func(yield func(TableEntry) bool) {
			for _, name := range datasets.BuiltInNames() {
				if !yield(Entry(nil, name)) {
					return
				}
			}
		}))
})

var _ = Describe("a cassette", func() {
	var bases map[string]string
	var tape string
	args := func(more ...string) []string {
		return append([]string{"run", "--target", "toolrouter", "--router", "llm-first", "--base-url", bases["openai"],
			"--model", "any", "--limit", "5", "-q", "--out", newRunDir()}, more...)
	}
	BeforeEach(func() {
		bases, tape = mockServe("--dataset", "toolrouter", "--api-key", "sk-test-0123456789abcdefghij"),
			filepath.Join(GinkgoT().TempDir(), "tape.jsonl")
	})
	recorded := func() {
		GinkgoHelper()
		GinkgoT().Setenv("EVALCTL_TEST_KEY", "sk-test-0123456789abcdefghij")
		got := evalctl(args("--api-key-env", "EVALCTL_TEST_KEY", "--record", tape)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
	}

	It("contains no API key, and a replay requires none", func() {
		recorded()
		text, err := os.ReadFile(tape)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).NotTo(ContainSubstring("0123456789"))
		Expect(os.Unsetenv("EVALCTL_TEST_KEY")).To(Succeed())
		got := evalctl(args("--api-key-env", "EVALCTL_TEST_KEY", "--replay", tape)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
	})

	It("has no answer for a changed prompt: the replay reports an error in evalctl instead of a fallback or a wrong answer",
		func() {
			recorded()
			dir := newRunDir()
			got := evalctl(append(args("--replay", tape, "--prompt", fileOf("p.md", "Route it, as json.")),
				"--out", dir)...)
			Expect(got.code).To(Equal(exit.Incomplete))
			Expect(got.stderr).To(And(
				HavePrefix("evalctl: --replay: 5 calls have no recording; the first: no recording of POST /v1/chat/completions, which router asks in case "),
				ContainSubstring("where messages[0].content is "), ContainSubstring(`and now "Route it, as json.`),
				ContainSubstring(tape+":")))
			c := summaryOf(dir).Suites[0].Conditions[0]
			Expect(c.Metrics["errors.harness"].Value).To(HaveValue(Equal(5.0)))
			Expect(c.Metrics["route.accuracy"].Value).To(BeNil())
			Expect(c.Metrics["route.accuracy"].Missing).To(BeEquivalentTo(5))
		})

	It("is continued by a resumed run, for which --record must be given again", func() {
		GinkgoT().Setenv("EVALCTL_TEST_KEY", "sk-test-0123456789abcdefghij")
		dir := newRunDir()
		Expect(evalctl(append(args("--api-key-env", "EVALCTL_TEST_KEY", "--record", tape), "--out", dir)...).code).
			To(Equal(exit.Passed))
		Expect(evalctl("run", "--resume", dir, "--trust", "-q").stderr).
			To(Equal("evalctl: --resume: the run is being recorded: give its cassette again with --record\n"))
		Expect(evalctl("run", "--resume", dir, "--trust", "-q", "--record", tape).code).To(Equal(exit.Passed))
		Expect(evalctl("run", "--resume", dir, "-q", "--replay", tape).stderr).
			To(ContainSubstring("the run is being recorded"))
		replayed := newRunDir()
		Expect(evalctl(append(args("--replay", tape), "--out", replayed)...).code).To(Equal(exit.Passed))
		Expect(evalctl("run", "--resume", replayed, "-q").stderr).
			To(ContainSubstring("the run is being replayed: give its cassette again with --replay"))
		Expect(evalctl("run", "--resume", replayed, "-q", "--replay", tape).code).To(Equal(exit.Passed))
	})

	It("can be listed, shown, pruned and compared with the subcommands of evalctl cassette", func() {
		recorded()
		recorded()
		got := evalctl("cassette", "show", tape)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(strings.Count(got.stdout, "router  POST /v1/chat/completions  200  ")).To(Equal(10))
		id := strings.Fields(got.stdout)[2]
		GinkgoT().Setenv("COLUMNS", "60")
		first := evalctl("cassette", "show", tape, "--limit", "2").stdout
		Expect(first).To(MatchRegexp(`\n\d+ more: --limit 0 lists all\n$`))
		for line := range strings.Lines(first) {
			Expect(len([]rune(line))).To(BeNumerically("<=", 61), line)
		}
		GinkgoT().Setenv("COLUMNS", "")
		got = evalctl("cassette", "show", tape, id)
		Expect(got.stdout).To(And(ContainSubstring(`"messages": [`), ContainSubstring(`"choices"`)))
		Expect(evalctl("cassette", "show", tape, "nobody").stderr).
			To(HaveSuffix(tape + ": no exchange of case or key \"nobody\" was recorded\n"))

		small := filepath.Join(GinkgoT().TempDir(), "small.jsonl")
		pruned := evalctl("cassette", "prune", tape, "--out", small)
		Expect(pruned.code).To(Equal(exit.Passed), pruned.stderr)
		Expect(pruned.stdout).To(
			MatchRegexp(`^(\d+) exchanges kept; dropped: \d+ of trials that were recorded again, 0 that stood there twice, 0 of trials that the run does not have\n$`))
		Expect(strings.Count(evalctl("cassette", "show", small).stdout, "router  POST")).To(Equal(5))
		Expect(evalctl("cassette", "diff", small, tape).stdout).To(HaveSuffix("0 added, 0 removed, 0 changed\n"))
		Expect(evalctl("cassette", "prune", tape, "--out", small).stderr).To(ContainSubstring("is there already"))
		Expect(evalctl("cassette", "prune", tape).code).To(Equal(exit.Passed))
		Expect(read(filepath.Dir(tape), "tape.jsonl")).To(Equal(read(filepath.Dir(small), "small.jsonl")))
		Expect(evalctl(args("--replay", tape)...).code).To(Equal(exit.Passed))
	})

	DescribeTable("is refused", func(problem string, more ...string) {
		got := evalctl(args(more...)...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(problem))
	},
		Entry("if the file to replay is not a cassette", "main.go:1: is not a cassette", "--replay", "main.go"),
		Entry("if the file to replay does not exist", "no such cassette", "--replay", "nowhere.jsonl"),
		Entry("if the path to record to is that of another file", "main.go:1: is not a cassette",
			"--record", "main.go"),
		Entry("if --record and --replay are given together", "--record: cannot be combined with --replay", "--record",
			"a", "--replay", "b"),
		Entry("if --broker is given, so that workers run the trials",
			"--replay: cannot be combined with --broker: set it on each worker",
			"--replay",
			"main.go", "--broker", "nats://127.0.0.1:1"),
		Entry("if --cache is given as well", "--cache: cannot be combined with --record", "--record",
			"a", "--cache", "b"),
	)

	It("is refused for a run without real endpoints", func() {
		got := evalctl("run", "toolrouter", "--limit", "1", "--record", tape, "--out", newRunDir())
		Expect(got.stderr).To(Equal("evalctl: --record: the run has no real endpoint\n"))
	})
})
