package main

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// rulesRun returns the directory of a run of the first cases with the rules router. Specs share it.
func rulesRun(cases int, more ...string) (dir string) {
	GinkgoHelper()
	return sharedRunOf(append([]string{"run", "toolrouter", "--router", "rules", "--decision-only", "--limit",
		fmt.Sprint(cases)}, more...)...).dir
}

var _ = Describe("an exit code", func() {
	DescribeTable("follows from a command line:", func(code int, line string) {
		line = strings.NewReplacer("FEW", rulesRun(5), "SOME", rulesRun(150), "OUT", newRunDir()).Replace(line)
		got := evalctl(strings.Split(line, " | ")...)
		Expect(got.code).To(Equal(code), got.stdout+got.stderr)
	},
		Entry("0 if all gates of a run pass", exit.Passed,
			"run | toolrouter | --router | rules | --limit | 3 | --out | OUT | --gate | route.accuracy > 0"),
		Entry("0 if all gates of a finished run pass", exit.Passed, "gate | FEW | route.accuracy > 0"),
		Entry("0 if a gate is undecided, which is a warning", exit.Passed,
			"gate | SOME | drop(route.accuracy) <= 1pp | --baseline | SOME"),
		Entry("1 if a gate of a run fails", exit.GateFailed,
			"run | toolrouter | --router | rules | --limit | 3 | --out | OUT | --gate | route.accuracy > 1"),
		Entry("1 if a gate of a finished run fails", exit.GateFailed, "gate | FEW | route.accuracy > 1"),
		Entry("1 rather than 4 if one gate fails and another is undecided", exit.GateFailed,
			"gate | SOME | drop(route.accuracy) <= 1pp | route.accuracy > 1 | --baseline | SOME | --undecided | fail"),
		Entry("2 if no gate is given", exit.InvalidUsage, "gate | FEW"),
		Entry("2 if the run does not exist", exit.InvalidUsage, "gate | nowhere | route.accuracy > 0"),
		Entry("2 for a rate above 1", exit.InvalidUsage, "gate | FEW | route.accuracy >= 90"),
		Entry("2 for an unknown metric", exit.InvalidUsage, "gate | FEW | route.acuracy >= 90%"),
		Entry("2 if a gate compares with a baseline and none is given", exit.InvalidUsage,
			"gate | FEW | new_failures <= 0"),
		Entry("0 with a notice for a baseline that no gate uses", exit.Passed,
			"gate | FEW | route.accuracy > 0 | --baseline | FEW"),
		Entry("2 for an unknown tag", exit.InvalidUsage,
			"run | toolrouter | --limit | 3 | --out | OUT | --gate | [tag=klingon] route.accuracy > 0"),
		Entry("2 for an invalid value of --undecided", exit.InvalidUsage,
			"gate | FEW | route.accuracy > 0 | --undecided | fial"),
		Entry("3 if every call failed", exit.Incomplete,
			"run | toolrouter | --router | llm | --fault | router:server_error | --limit | 3 | --out | OUT"),
		Entry("3 rather than 1 if a gate fails because too many calls failed", exit.Incomplete,
			"run | toolrouter | --router | llm | --fault | router:server_error | --limit | 3 | --out | OUT | --gate | route.accuracy > 1"),
		Entry("4 if a gate is undecided and --undecided is fail", exit.Undecided,
			"gate | SOME | drop(route.accuracy) <= 1pp | --baseline | SOME | --undecided | fail"),
		Entry("4 if a finished run has too few cases to decide a gate", exit.Undecided,
			"gate | FEW | drop(route.accuracy) <= 1pp | --baseline | FEW"),
		Entry("4 if a run has too few cases to decide a gate", exit.Undecided,
			"run | toolrouter | --router | rules | --decision-only | --limit | 5 | --out | OUT | --baseline | FEW | --gate | drop(route.accuracy) <= 1pp"),
	)
})

var _ = Describe("a gate", func() {
	It("fails on every metric of a model without answers, and that run is reported as incomplete", func() {
		dir := newRunDir()
		got := evalctl("run", "toolrouter", "--router", "llm", "--fault", "router:server_error", "--limit",
			"20", "-q", "--out", dir)
		Expect(got.code).To(Equal(exit.Incomplete))
		args := []string{"gate", dir, "missing.rate <= 99%", "errors.harness <= 0",
			"latency.mean <= 1ms missing <= 99.9%"}
		for _, c := range summaryOf(dir).Suites[0].Conditions {
			if c.Fault == eval.NoFault {
				continue
			}
			for _, metric := range slices.Sorted(maps.Keys(c.Metrics)) {
				args = append(args, fmt.Sprintf("%q >= 0.001", metric),
					fmt.Sprintf("%q{fault=\"router:server_error\"} <= 0.999", metric))
			}
		}
		Expect(len(args)).To(BeNumerically(">", 20))
		got = evalctl(args...)
		Expect(got.code).To(Equal(exit.Incomplete), got.stderr)
		Expect(got.stderr).To(ContainSubstring("no answer in 20 of 20 trials"))
		Expect(got.stdout).To(HavePrefix(fmt.Sprintf("Gates: %d failed\n\n", len(args)-2)))
		Expect(strings.Count(got.stdout, "\n✗ ")).To(Equal(len(args) - 2))
		Expect(got.stdout).To(HaveSuffix("\nexit code 3\n"))
	})

	It("has the same verdict for a finished run as during the run, also compared with a baseline", func() {
		base := rulesRun(120)
		rules := []string{"route.accuracy >= 60%", "drop(route.accuracy) <= 2pp", "new_failures <= 0",
			"ratio(latency.p95) <= 1.5", "[tag=en] route.macro_f1 >= 0.99"}
		dir := newRunDir()
		args := []string{"run", "toolrouter", "--router", "rules", "--decision-only", "--limit", "120", "-q", "--out",
			dir, "--baseline", filepath.Join(base, journal.ResultsFile)}
		for _, r := range rules {
			args = append(args, "--gate", r)
		}
		Expect(evalctl(args...).code).To(Equal(exit.GateFailed))
		Expect(manifestIn(dir).Baseline).To(Equal(filepath.Join(base, journal.ResultsFile)))
		over := evalctl(append([]string{"gate", dir, "--baseline", base}, rules...)...)
		Expect(over.code).To(Equal(exit.GateFailed), over.stderr)
		for _, g := range summaryOf(dir).Gates {
			Expect(over.stdout).To(MatchRegexp(`(?m)^%s %s( |$)`,
				map[eval.GateDecision]string{"pass": "✓", "fail": "✗", "undecided": `\?`}[g.Verdict],
				regexp.QuoteMeta(g.Rule)))
			for _, c := range g.Conditions {
				Expect(over.stdout).To(ContainSubstring(c.Value))
			}
		}
		Expect(over.stdout).To(HaveSuffix("\ncompared with " + base + " · exit code 1\n"))
		bare := evalctl(append([]string{"gate", filepath.Join(dir, journal.ResultsFile), "--baseline", base},
			rules...)...)
		Expect(bare.stdout).To(Equal(over.stdout), "results alone tell as much")
		worst := summaryOf(dir).Gates[4]
		Expect(worst.Verdict).To(Equal(eval.GateFailed))
		Expect(worst.Reason).To(And(ContainSubstring("(n="),
			ContainSubstring(" in suite toolrouter, variant rules, fault none")))
	})

	It("stores an undecided verdict in the summary, and prints a warning if the report does not show it", func() {
		base := rulesRun(150)
		dir := newRunDir()
		got := evalctl("run", "toolrouter", "--router", "rules", "--decision-only", "--limit",
			"150", "-q", "--out", dir,
			"--baseline", base, "--gate", "drop(route.accuracy) <= 1pp", "--format", "csv")
		Expect(got.code).To(Equal(exit.Passed))
		Expect(got.stderr).To(HavePrefix("evalctl: gate undecided: drop(route.accuracy) <= 1pp — drop 0 pp ["))
		g := summaryOf(dir).Gates[0]
		Expect(g.Verdict).To(Equal(eval.GateUndecided))
		Expect(g.CasesNeeded).To(BeNumerically(">", 150))
		Expect(g.TooFewCases).To(BeFalse())
	})

	It("can be in a suite file and in --gate, and a resumed run evaluates both", func() {
		at := GinkgoT().TempDir()
		write(filepath.Join(at, "cases.jsonl"), threeCases)
		suite := write(filepath.Join(at, "mine.yaml"), `name: mine
target: toolrouter
dataset: cases.jsonl
variants:
  - {name: r, router: rules}
gates:
  - route.accuracy >= 90%
  - new_failures <= 0
`)
		base, dir := newRunDir(), newRunDir()
		Expect(evalctl("run", suite, "--out", newRunDir()).stderr).To(ContainSubstring("--baseline: is missing"))
		Expect(evalctl("run", "--target", "toolrouter", "--router", "rules", "--dataset",
			filepath.Join(at, "cases.jsonl"), "--out", base).code).To(Equal(exit.Passed))
		got := evalctl("run", suite, "toolrouter", "--router", "rules", "--limit", "3", "--baseline", base, "--gate",
			"errors.harness <= 0", "-q", "--out", dir)
		Expect(got.code).To(Equal(exit.GateFailed), "the baseline has another suite")
		gates := summaryOf(dir).Gates
		Expect(gates).To(HaveLen(3))
		Expect(gates[0].Rule).To(Equal("route.accuracy{suite=mine} >= 0.9"))
		Expect(gates[1].Rule).To(Equal("new_failures{suite=mine} <= 0"))
		Expect(gates[1].Reason).To(HavePrefix("the baseline run has none of the trials in suite mine"))
		Expect(gates[2].Rule).To(Equal("errors.harness <= 0"))
		Expect(evalctl("run", "--resume", dir, "-q").code).To(Equal(exit.GateFailed))
		Expect(summaryOf(dir).Gates).To(Equal(gates))
		Expect(evalctl("run", "--resume", dir, "-q", "--baseline", dir).code).To(Equal(exit.Passed), "against itself")
	})

	DescribeTable("is refused with its position in a suite file", func(rule, problem string) {
		suite := fileOf("mine.yaml",
			"name: mine\ntarget: toolrouter\ndataset: toolrouter\nvariants: [{name: r, router: rules}]\ngates:\n  - latency.p95 < 3s\n  - '"+rule+"'\n")
		got := evalctl("run", suite, "--limit", "3", "--out", newRunDir())
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(HavePrefix("evalctl: " + suite + ":7:5: gates[1]: "))
		Expect(got.stderr).To(ContainSubstring(problem))
		Expect(strings.Count(got.stderr, "\n")).To(Equal(1))
	},
		Entry("if it is invalid", "route.accuracy = 1", "expected >=, >, <=, <, == or != here"),
		Entry("with an unknown metric", "route.acuracy >= 1", `did you mean "route.accuracy"?`),
		Entry("with an unknown variant", "route.accuracy{variant=q} >= 1", `unknown variant "q"`),
		Entry("if it is about another suite", "route.accuracy{suite=toolrouter} >= 1",
			"is about another suite than mine"),
	)

	It("reports a run as incomplete that lost too many trials to a real endpoint, during the run and later", func() {
		base := serveModel(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			_, _ = io.WriteString(w, completeAnswer("I think it is chat"))
		})
		dir := newRunDir()
		got := evalctl("run", "toolrouter", "--router", "llm-first", "--decision-only", "--limit", "3", "--base-url",
			base, "--model", "m", "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Incomplete))
		over := evalctl("gate", dir, "route.accuracy >= 50%")
		Expect(over.code).To(Equal(exit.Incomplete))
		Expect(over.stdout).To(And(HavePrefix("Gates: 1 passed\n\n✓ "), HaveSuffix("\nexit code 3\n")))
		Expect(over.stderr).To(Equal(got.stderr))
	})

	It("reports a run with missing results as incomplete, as the report does", func() {
		dir := copyOf(rulesRun(20))
		path := filepath.Join(dir, journal.ResultsFile)
		_, rest, _ := strings.Cut(read(path), "\n")
		write(path, rest)
		got := evalctl("gate", dir, "unscored.rate <= 5%")
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(ContainSubstring("the results hold 19 of 20 trials"))
		Expect(evalctl("report", dir, "-v").stdout).To(ContainSubstring("only 19 of 20 trials ran"))
	})

	It("refuses a decision-only baseline for a full run, and reports a baseline with another seed", func() {
		base, other, seeded := rulesRun(20), newRunDir(), rulesRun(20, "--seed", "7")
		Expect(evalctl("run", "toolrouter", "--router", "rules", "--limit", "20", "-q", "--out", other).code).
			To(Equal(exit.Passed))
		got := evalctl("gate", base, "new_failures <= 0", "--baseline", other)
		Expect(got.code).To(Equal(exit.InvalidUsage), got.stderr)
		Expect(got.stderr).To(ContainSubstring(
			"--baseline: in suite toolrouter it ran the whole answer, this run the decision only"))
		got = evalctl("gate", base, "new_failures <= 0", "--baseline", seeded)
		Expect(got.stderr).To(ContainSubstring("the baseline has another seed"))
	})

	It("is evaluated once if it is given twice, and appears in the job summary of a CI service", func() {
		path := fileOf("summary.md", "earlier\n")
		dir := rulesRun(20)
		GinkgoT().Setenv("GITHUB_STEP_SUMMARY", path)
		got := evalctl("gate", dir, "unscored.rate <= 5%", "unscored.rate<=0.05",
			"unscored.rate{suite=toolrouter} <= 5%")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(HavePrefix("Gates: 1 passed\n\n✓ "))
		Expect(read(path)).To(And(HavePrefix("earlier\n"), ContainSubstring("### evalctl: gates: "),
			ContainSubstring("unscored.rate")))
	})

	It("accepts every metric of the shipped suites", Label("long"), func() {
		for _, name := range datasets.BuiltInNames() {
			dir := shipped(name)
			args := []string{"gate", dir}
			for _, c := range summaryOf(dir).Suites[0].Conditions {
				for metric := range c.Metrics {
					limit := "0.001"
					if metric == "critic.good_gain" { // a difference between rates
						limit = "0.1pp"
					}
					args = append(args, fmt.Sprintf("%q{suite=%s,variant=%q,fault=%q} >= %s", metric, name,
						c.Variant, c.Fault, limit))
				}
			}
			got := evalctl(args...)
			Expect(got.code).To(BeElementOf(exit.Passed, exit.GateFailed), got.stderr)
		}
	})
})
