package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/compare"
)

// trainedCases returns a dataset with a train split and a test split. Its labels are the labels of
// toolrouter, so that this system can run it, too.
func trainedCases() string {
	var lines strings.Builder
	for i := range 12 {
		for _, of := range [][2]string{{"chat", "how are you, friend"}, {"image_gen", "draw a picture of a cat"}} {
			split := "train"
			if i%3 == 0 {
				split = "test"
			}
			fmt.Fprintf(&lines, `{"id":"%s-%d","split":%q,"text":"%s %d","label":%[1]q}`+"\n",
				of[0], i, split, of[1], i)
		}
	}
	return fileOf("cases.jsonl", lines.String())
}

var _ = Describe("Runs of different targets", func() {
	run := func(cases string, args ...string) string {
		GinkgoHelper()
		dir := newRunDir()
		got := evalctl(append([]string{"run", "-q", "--dataset", cases, "--split", "test", "--out", dir}, args...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		return dir
	}
	compared := func(args ...string) []compare.Comparison {
		GinkgoHelper()
		got := evalctl(append([]string{"compare", "--format", "json"}, args...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		var read struct{ Comparisons []compare.Comparison }
		Expect(json.Unmarshal([]byte(got.stdout), &read)).To(Succeed())
		return read.Comparisons
	}

	It("30.3: pass the checks of doctor, which estimates the variants whose calls it knows", func() {
		cases, agent := trainedCases(), agentAnswering(`{"label":"chat"}`)
		got := evalctl("doctor", "--target", "http", "--url", agent, "--dataset", cases, "--baseline-model", "linear")
		Expect(got.code).To(Equal(exit.Passed), got.stdout)
		Expect(got.stdout).To(ContainSubstring("suite http has none: the calls of your own agents are unknown"))
		mixed := fileOf("mixed.yaml", "name: mixed\ntarget: prompt\ndataset: "+cases+"\nvariants: [{name: model}, "+
			"{name: agent, target: http, url: \""+agent+"\"}]\n")
		got = evalctl("doctor", mixed, "--trust")
		Expect(got.code).To(Equal(exit.Passed), got.stdout)
		Expect(got.stdout).To(MatchRegexp(`mixed +24 +1 +24 +24 `))
		Expect(evalctl("doctor", "--target", "http", "--url", agent, "--dataset", cases, "--split", "dev").stdout).
			To(ContainSubstring("✗ suite"))
	})

	It("30.3: are compared over the same cases, whatever the label field of the target", func() {
		cases := trainedCases()
		http := run(cases, "--target", "http", "--url", agentAnswering(`{"label":"chat"}`))
		prompt := run(cases, "--target", "prompt")
		system := run(cases, "toolrouter", "--router", "llm")
		c := compared(http, prompt)
		Expect(c).To(HaveLen(1))
		Expect(c[0].Cases).To(Equal(int64(8)))
		Expect(*c[0].Candidates[0].Accuracy.Value).To(Equal(0.5))
		Expect(*c[0].Candidates[1].Accuracy.Value).To(BeNumerically(">", 0.5))
		three := compared(system, http, prompt)[0]
		Expect(three.Cases).To(Equal(int64(8)))
		Expect(three.Ranking).To(HaveLen(3))
		Expect(evalctl("compare", system, http).stdout).To(ContainSubstring("8 cases in both runs"))

		edited := fileOf(filepath.Base(cases), strings.Replace(read(filepath.Split(cases)), `"label":"chat"`,
			`"label":"image_gen"`, 1))
		other := run(edited, "--target", "tool-calling")
		got := evalctl("compare", system, other)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring("1 of 8 cases changed between the runs (labels: 1)"))
	})

	It("30.3: run in one suite, each with its own settings, prices and deciding model", func() {
		cases := trainedCases()
		name := fileOf("suite.yaml", fmt.Sprintf(`name: mixed
target: http
dataset: %s
split: test
baseline_variant: words
variants:
  - name: service
    url: %s
  - name: words
    target: prompt
    model: baseline:linear
  - name: simulated
    target: tool-calling
  - name: service again
    url: %[2]s?again
`, cases, agentAnswering(`{"label":"chat","confidence":0.9}`)))
		dir := newRunDir()
		got := evalctl("run", "-q", "--trust", name, "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		s := summaryOf(dir).Suites[0]
		Expect(s.Targets()).To(Equal([]string{"http", "prompt", "tool-calling"}))
		var order []string
		for _, c := range s.Conditions {
			order = append(order, c.Variant)
			Expect(c.Confidence == nil).To(Equal(c.Variant == "simulated"), c.Variant) // a tool call has no confidence
		}
		Expect(order).To(Equal([]string{"service", "words", "simulated", "service again"}))
		Expect(s.Conditions[0].Metrics).
			To(HaveKeyWithValue("route.accuracy", HaveField("Value", HaveValue(Equal(0.5)))))
		Expect(s.Conditions[0].Metrics).To(HaveKey("node.agent.p50"))
		Expect(s.Conditions[1].Metrics).To(HaveKey("node.model.p50"))
		Expect(*s.Conditions[1].Metrics["route.accuracy"].Value).To(Equal(1.0))
		Expect(s.HasRealEndpoint("service again")).To(BeTrue())
		Expect(s.HasRealEndpoint("words")).To(BeFalse())

		again := evalctl("report", dir, "--format", "json")
		Expect(again.code).To(Equal(exit.Passed), again.stderr)
		var recomputed eval.Summary
		Expect(json.Unmarshal([]byte(again.stdout), &recomputed)).To(Succeed())
		stored := summaryOf(dir)
		stored.FormatVersion = 0 // only in the file
		Expect(recomputed).To(Equal(stored))
		Expect(compared(dir)[0].Pairs[0].ComparedWith).To(Equal("words"))
	})

	It("30.3: count the cost of each target by its own prices, also for --max-cost", func() {
		model := modelAnswering(`{"role":"assistant","content":"{\"label\":\"chat\"}","tool_calls":[` +
			`{"id":"c1","type":"function","function":{"name":"chat","arguments":"{}"}}]}`)
		name := fileOf("mixed.yaml", fmt.Sprintf(`name: mixed
target: prompt
dataset: %s
variants:
  - {name: first, model: "openai:gpt-4o-mini", base_url: %q}
  - {name: second, target: tool-calling, model: "openai:gpt-4o", base_url: %[2]q}
`, trainedCases(), model))
		dir := newRunDir()
		got := evalctl("run", "-q", "--trust", name, "--max-cost", "1", "--out", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		sum := 0.0
		for _, r := range resultsOf(dir) {
			sum += *r.Cost
		}
		Expect(manifestIn(dir).Spent.USD).To(BeNumerically("~", sum, 1e-12))
	})

	It("30.3: an external agent is compared with baseline models in one run", func() {
		cases := trainedCases()
		dir := run(cases, "--target", "http", "--url", agentAnswering(`{"label":"chat"}`),
			"--baseline-model", "linear,majority")
		names := func(dir string) (list []string) {
			for _, c := range summaryOf(dir).Suites[0].Conditions {
				list = append(list, c.Variant+" "+c.Target)
			}
			return list
		}
		Expect(names(dir)).To(Equal([]string{"http ", "linear prompt", "majority prompt"}))
		alone := run(cases, "--target", "prompt", "--model", "baseline:linear")
		accuracy := func(c eval.ConditionSummary) float64 { return *c.Metrics["route.accuracy"].Value }
		Expect(accuracy(summaryOf(dir).Suites[0].Conditions[1])).
			To(Equal(accuracy(summaryOf(alone).Suites[0].Conditions[0])))

		untrained := fileOf("cases.jsonl",
			`{"id":"a","text":"a","label":"x"}`+"\n"+`{"id":"b","text":"b","label":"y"}`+"\n")
		got := evalctl("run", "--target", "http", "--url", agentAnswering(`{"label":"x"}`), "--dataset", untrained,
			"--baseline-model", "linear", "--out", newRunDir())
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(`split train, which has 0`))
	})

	It("30.3: a suite rejects a variant whose target has other labels or does not exist", func() {
		suiteWith := func(target string) string {
			return fileOf("suite.yaml", fmt.Sprintf("name: mixed\ntarget: http\ndataset: %s\nvariants:\n"+
				"  - {name: a, url: %s}\n  - {name: b, target: %s}\n", trainedCases(),
				agentAnswering(`{"label":"chat"}`), target))
		}
		got := evalctl("run", "--trust", suiteWith("toolrouter"), "--out", newRunDir())
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(
			":6:23: variants[1].target: toolrouter cannot run in one suite with http, " +
				"because toolrouter has its own labels"))
		Expect(evalctl("run", "--trust", suiteWith("promt"), "--out", newRunDir()).stderr).
			To(ContainSubstring(`did you mean "prompt"`))
	})

	It("30.3: one run with three variants is compared without flags, each with the first", func() {
		dir := run(trainedCases(), "toolrouter", "--router", "rules,llm,llm-first")
		c := compared(dir)[0]
		Expect(c.Pairs[:2]).To(HaveEach(HaveField("ComparedWith", "rules")))
		Expect(c.Candidates).To(HaveLen(3))
		Expect(c.Fault).To(Equal(eval.NoFault))
	})
})

var _ = Describe("An unused baseline run", func() {
	It("30.3: is no error but a note, for gate and run", func() {
		dir := newRunDir()
		rule := "route.accuracy{variant=rules} >= 1%"
		got := evalctl("run", "toolrouter", "-q", "--router", "rules", "--limit", "3", "--out", dir, "--gate", rule,
			"--baseline", "nowhere")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stderr).To(ContainSubstring("--baseline is not used"))
		got = evalctl("gate", dir, rule, "--baseline", "nowhere")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stderr).To(Equal(
			"evalctl: --baseline is not used: no gate compares with it; drop, ratio and new_failures do\n"))
	})
})
