package evaltest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/evaltest"
)

// failureMessage returns the failure message of the matcher, or "" if it succeeds.
func failureMessage(actual any, m types.GomegaMatcher) string {
	var text string
	NewGomega(func(message string, _ ...int) { text = message }).Expect(actual).To(m)
	return text
}

// negatedFailureMessage returns the failure message of the negated matcher, or "" if it succeeds.
func negatedFailureMessage(actual any, m types.GomegaMatcher) string {
	var text string
	NewGomega(func(message string, _ ...int) { text = message }).Expect(actual).NotTo(m)
	return text
}

var _ = Describe("HaveMetric", func() {
	It("checks the metric in every selected condition", func() {
		r := mustRun(suiteOfThree("yes"))
		Expect(r).To(evaltest.HaveMetric("route.accuracy", BeNumerically("~", 0.667, 0.001)))
		Expect(r).To(evaltest.HaveMetric("route.accuracy{suite=three, variant=three, fault=none}",
			BeNumerically("<", 0.7)))
		Expect(r).To(evaltest.HaveMetric("route.accuracy{tag=lang:en}", 0.5))
		Expect(r).To(evaltest.HaveMetric("[tag=lang:en] route.accuracy", 0.5))
		Expect(r).NotTo(evaltest.HaveMetric("route.accuracy", 1.0))
	})

	It("prints the value with its interval, n and condition, and lists the worst cases", func() {
		r := mustRun(suiteOfThree("yes, or no"))
		Expect(failureMessage(r, evaltest.HaveMetric("route.accuracy", BeNumerically(">=", .95)))).
			To(Equal(strings.ReplaceAll(`route.accuracy
    66.7 % [20.8, 93.9] (n=3) in suite three, variant three, fault none
Expected
    <float64>: 0.6666666666666666
to be >=
    <float64>: 0.95
the worst of 1 failing trial
    evalctl show DIR c --variant three
        "yes, or no": got yes,, want no`, "DIR", r.Dir)))
		Expect(negatedFailureMessage(r, evaltest.HaveMetric("route.accuracy", BeNumerically("<", .95)))).
			To(Equal(`route.accuracy
    66.7 % [20.8, 93.9] (n=3) in suite three, variant three, fault none
Expected
    <float64>: 0.6666666666666666
not to be <
    <float64>: 0.95`))
	})

	It("lists only the cases of the label for a metric of one label, and at most five cases", func() {
		s := evaltest.Suite{Name: "labels", Agent: firstWordAgent, Labels: []string{"a", "b", "c"}}
		for i := range 8 {
			s.Cases = append(s.Cases, evaltest.Case(fmt.Sprint("x", i), "a", "b"))
		}
		s.Cases = append(s.Cases, evaltest.Case("y", "b", "c"), evaltest.Case("z", "c", "c"))
		r := mustRun(s)
		output := failureMessage(r, evaltest.HaveMetric("route.recall.c", 1.0))
		Expect(output).To(And(ContainSubstring("the worst of 1 failing trial\n"),
			ContainSubstring(" y --variant labels"),
			Not(ContainSubstring("x0"))))
		output = failureMessage(r, evaltest.HaveMetric("route.accuracy", 1.0))
		Expect(output).To(ContainSubstring("the worst of 9 failing trials\n"))
		Expect(strings.Count(output, "evalctl show")).To(Equal(5))
	})

	It("lists the slowest trials for a latency", func() {
		Expect(failureMessage(mustRun(suiteOfThree("no")),
			evaltest.HaveMetric("latency.p95", BeNumerically(">", 1000)))).To(And(
			ContainSubstring("the worst of 3 trials"), ContainSubstring(`"yes sir": took 0 s`)))
	})

	It("prints the command that shows a failed case, also under a fault, with escaped control characters", func() {
		s := evaltest.Suite{From: "toolrouter", Split: "dev", Sample: 10, Faults: []string{"search:server_error"},
			Variants: map[string][]string{"router": {"llm"}}}
		r := mustRun(s)
		output := failureMessage(r, evaltest.HaveMetric("calls.mean{fault=search:server_error}", 99.0))
		Expect(output).To(ContainSubstring("evalctl show --fault=search:server_error "))
		Expect(failureMessage(r, evaltest.HaveMetric("route.accurcy", 1.0))).
			To(ContainSubstring(`unknown metric "route.accurcy", did you mean "route.accuracy"?`))
		Expect(failureMessage(mustRun(suiteOfThree("yes\x1b[31m")), evaltest.HaveMetric("route.accuracy", 1.0))).
			NotTo(ContainSubstring("\x1b"))
	})

	It("fails for an unknown metric, condition or tag, and for a metric without data, also when negated", func() {
		r := mustRun(suiteOfThree("no"))
		for metric, want := range map[string]string{
			"route.accurcy":               "no value of route.accurcy in suite three",
			"route.accuracy{variant=x}":   `unknown variant "x"; known: three`,
			"route.accuracy{tag=lang:fr}": `unknown tag "lang:fr"`,
			"route.accuracy >= 1":         "unexpected text after the metric",
			"route.accuracy{epoch=1}":     "expected suite, variant, fault or tag",
			"drop(route.accuracy)":        "requires a baseline, use PassGate",
			"retrieval.hit_rate":          "retrieval.hit_rate cannot be decided: no value of retrieval.hit_rate",
		} {
			Expect(failureMessage(r, evaltest.HaveMetric(metric, BeNumerically(">=", 0)))).
				To(ContainSubstring(want), metric)
			Expect(negatedFailureMessage(r, evaltest.HaveMetric(metric, BeNumerically(">=", 0)))).
				To(ContainSubstring(want), metric)
		}
		Expect(failureMessage("x", evaltest.HaveMetric("route.accuracy", 1.0))).
			To(ContainSubstring("requires a *evaltest.Report, got string"))
	})

	It("fails if unscored trials could change the result, also when negated, but not otherwise", func() {
		s := suiteOfThree("down")
		s.Agent = silentAgent{}
		r := mustRun(s)
		Expect(r).To(evaltest.HaveMetric("route.accuracy", BeNumerically(">=", .6)))
		Expect(r).NotTo(evaltest.HaveMetric("route.accuracy", BeNumerically("<", .6)))
		for _, output := range []string{
			failureMessage(r, evaltest.HaveMetric("route.accuracy", BeNumerically(">=", .9))),
			negatedFailureMessage(r, evaltest.HaveMetric("route.accuracy", BeNumerically("<", .9))),
		} {
			Expect(output).To(And(ContainSubstring("HaveMetric: route.accuracy cannot be decided: 100 %"),
				ContainSubstring("1 missing"), ContainSubstring("0.6666666666666666 with what is missing")))
		}
		Expect(failureMessage(r, evaltest.HaveMetric("latency.p95", BeNumerically("<", 1e9)))).
			To(ContainSubstring("cannot be decided"))
	})

	It("fails if only some of the selected conditions match, also when negated", func() {
		other := suiteOfThree("no")
		other.Name = "other"
		r := mustRun(suiteOfThree("yes"), other)
		for _, output := range []string{failureMessage(r, evaltest.HaveMetric("route.accuracy", 1.0)),
			negatedFailureMessage(r, evaltest.HaveMetric("route.accuracy", 1.0))} {
			Expect(output).To(And(ContainSubstring("holds in 1 of 2 cells only, narrow it"),
				ContainSubstring("in suite three"), ContainSubstring("evalctl show")))
		}
		Expect(r).To(evaltest.HaveMetric("route.accuracy{suite=other}", 1.0))
	})
})

// silentAgent is an agent that returns an error for the message «down».
type silentAgent struct{}

func (silentAgent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	if t.Text == "down" {
		return agent.Reply{}, os.ErrDeadlineExceeded
	}
	return firstWordAgent(ctx, t, emit)
}

var _ = Describe("PassGate", func() {
	It("decides like the command evalctl gate, and prints the reason", func() {
		r := mustRun(suiteOfThree("yes"))
		Expect(r).To(evaltest.PassGate("route.accuracy >= 60%"))
		Expect(r).NotTo(evaltest.PassGate("route.accuracy >= 95%"))
		Expect(failureMessage(r, evaltest.PassGate("route.accuracy >= 95%"))).
			To(Equal(strings.ReplaceAll(`Expected the run to pass the gate
    route.accuracy >= 0.95
but 66.7 % [20.8, 93.9] (n=3) in suite three, variant three, fault none
the worst of 1 failing trial
    evalctl show DIR c --variant three
        "yes": got yes, want no`, "DIR", r.Dir)))
		Expect(negatedFailureMessage(r, evaltest.PassGate("route.accuracy >= 60%"))).
			To(Equal(`Expected the run not to pass the gate
    route.accuracy >= 0.6
but 66.7 % [20.8, 93.9] (n=3) in suite three, variant three, fault none`))
	})

	It("fails for an invalid or undecided rule, also when negated", func() {
		r := mustRun(suiteOfThree("yes"))
		base := editResults(mustRun(suiteOfThree("no")), "no", "yes")
		for rule, want := range map[string]string{"route.accuracy": "expected >=, >, <=, <, == or != here",
			"drop(route.accuracy) <= 1pp": "Baseline: is missing"} {
			Expect(failureMessage(r, evaltest.PassGate(rule))).To(ContainSubstring(want))
			Expect(negatedFailureMessage(r, evaltest.PassGate(rule))).To(ContainSubstring(want))
		}
		undecided := evaltest.PassGate("drop(route.accuracy) <= 1pp", base)
		Expect(failureMessage(r, undecided)).To(ContainSubstring("is undecided"))
		Expect(negatedFailureMessage(r, undecided)).To(ContainSubstring("is undecided"))
		for _, output := range []string{failureMessage(r, evaltest.PassGate("retrieval.hit_rate >= 1%")),
			negatedFailureMessage(r, evaltest.PassGate("retrieval.hit_rate >= 1%"))} {
			Expect(output).To(HavePrefix(
				"PassGate: retrieval.hit_rate >= 0.01 cannot be decided: no value of retrieval.hit_rate"))
		}
	})
})

var _ = Describe("HaveNoNewFailures", func() {
	It("lists the cases that were correct in the baseline run and are wrong now", func() {
		base, now := mustRun(suiteOfThree("no")), mustRun(suiteOfThree("yes"))
		Expect(base).To(evaltest.HaveNoNewFailures(base.Dir))
		Expect(negatedFailureMessage(base, evaltest.HaveNoNewFailures(base.Dir))).
			To(HavePrefix("Expected a case to fail that was right in " + base.Dir + "\nbut 0 new failures of 3 cases"))
		Expect(now).NotTo(evaltest.HaveNoNewFailures(editResults(base, "no", "yes")))
		Expect(failureMessage(now, evaltest.HaveNoNewFailures(editResults(base, "no", "yes")))).To(And(
			HavePrefix("Expected no case to fail that was right in "),
			ContainSubstring("but 1 new failure of 3 cases: c in suite three, variant three, fault none\nnewly wrong: 1 trial\n    evalctl show "+now.Dir+" c --variant three\n        \"yes\": got yes, want no")))
	})

	It("fails if the runs cannot be compared, also when negated", func() {
		base := mustRun(suiteOfThree("no"))
		others := suiteOfThree("no")
		others.Cases = []eval.Case{evaltest.Case("x", "yes", "yes")}
		for _, output := range []string{
			failureMessage(mustRun(others), evaltest.HaveNoNewFailures(base.Dir)),
			negatedFailureMessage(mustRun(others), evaltest.HaveNoNewFailures(base.Dir)),
		} {
			Expect(output).To(And(ContainSubstring("cannot be compared with "+base.Dir),
				ContainSubstring("mind: the baseline run used different data in suite three")))
		}
		Expect(failureMessage(base, evaltest.HaveNoNewFailures("nowhere"))).
			To(ContainSubstring("Baseline: no run in nowhere"))
		Expect(failureMessage(base, evaltest.HaveNoNewFailures(""))).To(ContainSubstring("names no baseline"))
		Expect(failureMessage(nil, evaltest.HaveNoNewFailures(base.Dir))).NotTo(BeEmpty())
	})
})

// editResults changes the message of the third case in the results of a run, so that they fit a run
// in which it was correct. It returns the path of the run.
func editResults(r *evaltest.Report, from, to string) string {
	GinkgoHelper()
	text, err := os.ReadFile(filepath.Join(r.Dir, "results.jsonl"))
	Expect(err).NotTo(HaveOccurred())
	edited := regexp.MustCompile(`,"run":"[0-9a-f]{8}","crc":"[0-9a-f]{8}"}`).ReplaceAllString(string(text), "}")
	// results of older versions do not have this field
	edited = regexp.MustCompile(`,"case_hash":"[^"]*"`).ReplaceAllString(edited, "")
	return writeFile("results.jsonl", strings.ReplaceAll(edited, `"text":"`+from+`"`, `"text":"`+to+`"`))
}
