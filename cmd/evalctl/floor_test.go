package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/floor"
	"evalctl/eval/suite"
)

var _ = Describe("the baseline models on every shipped dataset", func() {
	It("are less accurate: naive-bayes by at least 10 points than the best variant, linear than the simulated model",
		Label("long"), func() {
			dir, args := newRunDir(), []string{"run"}
			for _, of := range shippedSystems() {
				if of.Contract.DecisionPathField == "" { // otherwise the decision depends on more than the message
					set := copyOf(filepath.Join("../../datasets", of.Name))
					args = append(args, write(filepath.Join(set, "suite.yaml"), withoutFaults(read(set, "suite.yaml"))))
				}
			}
			got := evalctl(append(args, "--baseline-model", "majority,naive-bayes,linear",
				"--decision-only", "--sample",
				"300", "--out", dir, "-q")...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			suites := summaryOf(dir).Suites
			Expect(len(suites)).To(BeNumerically(">=", 4))
			for _, s := range suites {
				right, best := map[string]float64{}, 0.0
				for _, c := range s.Conditions {
					Expect(c.Fault).To(Equal(eval.NoFault))
					right[c.Variant] = *c.Metrics["route.accuracy"].Value
					best = max(best, right[c.Variant])
					Expect(c.BaselineModel).To(Equal(slices.Contains(floor.Kinds(), floor.Kind(c.Variant))), c.Variant)
				}
				fmt.Fprintln(GinkgoWriter, s.Name, right)
				Expect(right["naive-bayes"]).To(BeNumerically("<=", best-0.1), s.Name)
				Expect(right["majority"]).To(BeNumerically("<", right["naive-bayes"]), s.Name)
				Expect(right["linear"]).To(And(BeNumerically("<=", best-0.1), BeNumerically(">", right["majority"])),
					s.Name)
			}
			Expect(got.stdout).To(ContainSubstring(
				"rules is 4.3 points below the baseline model naive-bayes [−11.0, +2.4]"))
		})
})

var _ = Describe("a baseline model", func() {
	accuracies := func(dir string) map[string]float64 {
		GinkgoHelper()
		right := map[string]float64{}
		for _, s := range summaryOf(dir).Suites {
			for _, c := range s.Conditions {
				if e := c.Metrics["route.accuracy"]; c.Fault == eval.NoFault && e.Value != nil {
					right[c.Variant] = *e.Value
				}
			}
		}
		return right
	}

	It("is part of every shipped suite whose label depends only on the message, and is never the first variant",
		func() {
			for _, name := range datasets.BuiltInNames() {
				s, err := datasets.LoadSuite(name)
				Expect(err).NotTo(HaveOccurred())
				if s.System().Contract.DecisionPathField != "" {
					Expect(s.BaselineModels()).
						To(BeEmpty(), "%s: a floor sees the message alone, and not the state that decides", name)
					continue
				}
				Expect(s.BaselineModels()).To(Equal([]floor.Kind{floor.Linear}), name)
				Expect(suite.IsBaselineModel(s.Variants[0].Model)).To(BeFalse(), name)
			}
		})

	It("is scored by cross-fitting on its training split, and so has a similar accuracy there and on the test split",
		func() {
			train, dir := newRunDir(), newRunDir()
			args := []string{"run", "--target", "toolrouter", "--dataset", "toolrouter", "--router", "llm", "--model",
				"baseline:linear", "--decision-only", "-q"}
			Expect(evalctl(append(args, "--split", "train", "--out", train)...).code).To(Equal(exit.Passed))
			Expect(evalctl(append(args, "--split", "test", "--out", dir)...).code).To(Equal(exit.Passed))
			Expect(accuracies(train)).To(HaveLen(1))
			for name, right := range accuracies(train) {
				Expect(right).To(BeNumerically("~", accuracies(dir)[name], 0.12))
			}
		})

	It("reports how many of the scored cases are in its training split", func() {
		file, dir := fileOf("mine.jsonl",
			`{"id":"a","split":"train","input":{"text":"draw a cat"},"expect":{"route":"image_gen"}}
{"id":"b","split":"train","input":{"text":"hello"},"expect":{"route":"chat"}}
{"id":"c","split":"test","input":{"text":"hello you"},"expect":{"route":"chat"}}
`), newRunDir()
		args := []string{"run", "toolrouter", "--dataset", file, "--split", "all", "--decision-only", "-q"}
		const said = "2 of 3 cases in the train split; baseline models never see the case they answer"
		Expect(evalctl(append(args, "--baseline-model", "linear", "--out", dir)...).stdout).To(ContainSubstring(said))
		for _, more := range [][]string{nil, {"-v"}, {"--format", "markdown"}} {
			Expect(evalctl(append([]string{"report", dir}, more...)...).stdout).To(ContainSubstring(said), "%v", more)
		}
		Expect(evalctl(append(args, "--baseline-model", "linear", "--limit", "1", "--out", newRunDir())...).stdout).
			To(ContainSubstring(" 1 of 1 case in the train split"))
		Expect(evalctl(append(args, "--baseline-model", "linear", "--split", "test", "--out", newRunDir())...).stdout).
			NotTo(ContainSubstring("train split"))
		Expect(evalctl(append(args, "--router", "rules", "--out", newRunDir())...).stdout).
			NotTo(ContainSubstring("train split"))
	})

	It("can be a value of --model; it is free, takes no time and reports its confidence", func() {
		dir := newRunDir()
		got := evalctl("run", "prompt", "--model", "baseline:linear,baseline:majority", "--limit",
			"20", "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(conditionsOf(dir)).
			To(ConsistOf("model=baseline:majority/none", "linear/none"), "30.3: the prompts do not touch them")
		for _, r := range resultsOf(dir) {
			Expect(r.Cost).To(HaveValue(BeZero()))
			Expect(r.Tokens).To(Equal(eval.Tokens{}))
			Expect(r.Turns[0].ModelDecision.Confidence).
				To(HaveValue(And(BeNumerically(">", 0), BeNumerically("<=", 1))))
		}
		Expect(got.stdout).To(ContainSubstring("baseline models only"))
		Expect(evalctl("report", dir, "-v").stdout).To(ContainSubstring(
			"model: trained, baseline:linear: a linear model over words and character n-grams, trained on 502 texts of split train of prompt"))
	})

	It("30.3: runs once where the compared settings do not touch it", func() {
		base := mockServe("--dataset", "prompt", "--accuracy", "0.9")["openai"]
		prompts := []string{"--prompt", fileOf("a.md", "A {{labels}} {{examples}} JSON"), "--prompt",
			fileOf("b.md", "B {{labels}} {{examples}} JSON")}
		run := func(args ...string) []string {
			GinkgoHelper()
			dir := newRunDir()
			got := evalctl(append([]string{"run", "prompt", "--limit", "2", "-q", "--out", dir}, args...)...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			return conditionsOf(dir)
		}
		Expect(run(append(prompts, "--base-url", base, "--model", "baseline:naive-bayes,m")...)).To(ConsistOf(
			"model=baseline:naive-bayes/none", "linear/none", "zero-shot prompt=a.md model=m/none",
			"zero-shot prompt=b.md model=m/none", "few-shot prompt=a.md model=m/none",
			"few-shot prompt=b.md model=m/none"))
		Expect(run(append(prompts, "--temperature", "0", "--temperature", "1", "--model", "baseline:naive-bayes")...)).
			To(ConsistOf("naive-bayes/none", "linear/none"))
		Expect(run("--examples", "2", "--example-selection", "nearest,per-label", "--model", "baseline:majority")).
			To(ConsistOf("examples=2/none"))
		Expect(run("--threshold", "0,0.9", "--model", "baseline:majority", "--baseline-model", "majority")).
			To(ConsistOf(
				"threshold=0/none", "threshold=0.9/none", "linear threshold=0/none", "linear threshold=0.9/none"))
	})

	It("runs together with a real model and ignores --base-url", func() {
		base, dir := mockServe("--dataset", "toolrouter", "--accuracy", "0.9")["openai"], newRunDir()
		got := evalctl("run", "toolrouter", "--decision-only", "--router", "llm", "--base-url", base, "--model",
			"baseline:naive-bayes,my-model", "--limit", "20", "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(conditionsOf(dir)).To(Equal([]string{"llm model=baseline:naive-bayes/none", "llm model=my-model/none"}))
		notes, err := json.Marshal(summaryOf(dir).Suites[0].Models)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(notes)).To(And(ContainSubstring(`"trained"`), ContainSubstring(`my-model at `+base)))
	})

	It("is omitted for a custom dataset, which may lack training texts, unless a flag requests it", func() {
		file, dir := fileOf("mine.jsonl", threeCases), newRunDir()
		Expect(evalctl("run", "toolrouter", "--dataset", file, "--out", dir, "-q").code).To(Equal(exit.Passed))
		Expect(accuracies(dir)).NotTo(HaveKey("linear"))
		got := evalctl("run", "toolrouter", "--dataset", file, "--baseline-model", "linear", "--out", newRunDir(), "-q")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(
			"mine.jsonl: baseline:linear learns split train, which has 0 labelled texts"))
	})

	It("can be used in chat, but only with the labels that it was trained on", func() {
		got := runWithInput(context.Background(), "讲个笑话", "chat", "toolrouter", "--model", "baseline:linear")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		got = runWithInput(context.Background(), "", "chat", "prompt", "--model", "baseline:linear", "--labels", "a,b")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring("--labels: baseline:linear has learned those of the shipped set"))
	})

	It("cannot be used in chat together with --base-url", func() {
		got := runWithInput(context.Background(), "", "chat", "toolrouter", "--model", "baseline:linear", "--base-url",
			"http://127.0.0.1:1/v1")
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring("--model: baseline:linear runs inside evalctl"))
	})

	DescribeTable("is refused in one line", func(want string, args ...string) {
		got := evalctl(append([]string{"run", "toolrouter", "--out", newRunDir()}, args...)...)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(want))
	},
		Entry("with a misspelled kind in --baseline-model", `unknown baseline model "linaer", did you mean "linear"?`,
			"--baseline-model", "linaer"),
		Entry("with a misspelled kind in --model",
			`unknown baseline model "baseline:linaer", did you mean "baseline:linear"?`, "--model", "baseline:linaer"),
		Entry("with capital letters in its name",
			`unknown baseline model "Baseline:Linear", did you mean "baseline:linear"?`,
			"--model",
			"Baseline:Linear"),
		Entry("with a misspelled prefix baseline: in --model", `unknown provider "basline", did you mean "baseline"?`,
			"--model", "basline:linear"),
		Entry("with --base-url",
			"--model: baseline:linear, baseline:majority runs inside evalctl: it cannot be combined with --base-url",
			"--model", "baseline:linear,baseline:majority", "--base-url", "http://127.0.0.1:1/v1"),
		Entry("with --api-key-env", "--model: baseline:linear runs inside evalctl", "--model", "baseline:linear",
			"--api-key-env", "HOME"),
		Entry("if no variant uses a model", "--model: no variant makes use of it", "--router", "rules", "--model",
			"baseline:linear"),
	)
})
