package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/reports"
)

// confidentAgent starts an HTTP agent without an out-of-scope label. A message is "TOPIC N": the
// agent answers TOPIC, and "red" for topics that it does not know. Its confidence is N/100.
func confidentAgent() string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var q struct{ Text string }
		_ = json.Unmarshal(body, &q)
		var topic string
		var n int
		_, _ = fmt.Sscan(q.Text, &topic, &n)
		if topic != "green" {
			topic = "red"
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"label":%q,"confidence":%v}`, topic, float64(n)/100)
	}))
	DeferCleanup(s.Close)
	return s.URL
}

// confidentCases returns 60 cases in scope with confidences from 0.40 on, and 12 out of scope with
// confidences up to 0.63.
func confidentCases() string {
	var b strings.Builder
	add := func(topic, label string, n int) {
		fmt.Fprintf(&b, `{"id":"%s-%d","text":"%s %d","label":%q}`+"\n", topic, n, topic, n, label)
	}
	for i := range 30 {
		add("red", "red", 40+2*i)
		add("green", "green", 41+2*i)
	}
	for i := range 12 {
		add("weather", "oos", 8+5*i)
	}
	return b.String()
}

var _ = Describe("evalctl tune for an agent without a threshold", Ordered, func() {
	var cases, dir, without string
	BeforeAll(func() {
		cases = fileOf("cases.jsonl", confidentCases())
		dir, without = newRunDir(), newRunDir()
		for _, args := range [][]string{{"--oos-label", "oos", "--out", dir}, {"--out", without}} {
			got := evalctl(append([]string{"run", "--target", "http", "--url", confidentAgent(), "--dataset", cases,
				"-q"}, args...)...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
		}
	})
	BeforeEach(func() { GinkgoT().Setenv("COLUMNS", "200") })

	tuning := func(dir string, args ...string) reports.TunedVariant {
		GinkgoHelper()
		got := evalctl(append([]string{"tune", dir, "--format", "json"}, args...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		var t reports.TuningReport
		Expect(json.Unmarshal([]byte(got.stdout), &t)).To(Succeed())
		Expect(t.Variants).To(HaveLen(1))
		return t.Variants[0]
	}

	It("30.4: shows the objective at every width, and removes other columns of the table first", func() {
		for _, width := range []string{"100", "80", "60"} {
			GinkgoT().Setenv("COLUMNS", width)
			Expect(evalctl("tune", dir, "--prior", "oos=18%").stdout).
				To(MatchRegexp(`threshold .*weighted accuracy`), width)
			Expect(evalctl("tune", dir, "--objective", "oos.f1 at oos.false_rejection <= 90%").stdout).
				To(MatchRegexp(`threshold .*OOS F1`), width)
		}
	})

	It("30.4: proposes one, below which the out-of-scope label is answered, and shows both classes", func() {
		got := evalctl("tune", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(And(
			ContainSubstring("Apply it in the agent: below it, answer oos."),
			MatchRegexp(`\n· Cross-validated: OOS recall \d.* \[.*\] n=12; in-scope accuracy .* \[.*\] n=60\.\n`),
			MatchRegexp(`OOS recall n=12 +in-scope accuracy n=60`),
			MatchRegexp(`\n +0  current, always model, range start +83\.3 % +0 % \[0, 24\.2\] +100 % \[94\.0, 100\]`),
			Not(ContainSubstring("> evalctl run"))), "no flag of http sets it")
		Expect(tuning(dir, "--setting", "threshold").Points).To(Equal(tuning(dir).Points))
		table := evalctl("tune", dir, "--format", "markdown").stdout
		Expect(table).To(ContainSubstring(`0 % \[0, 24.2\]`))
		csv := evalctl("tune", dir, "--format", "csv").stdout
		Expect(csv).To(ContainSubstring(",objective,limited,oos_recall,oos_recall_lo,oos_recall_hi,oos_turns,"))
	})

	It("30.4: takes the label from --oos-label or --prior if the run has none", func() {
		got := evalctl("tune", without)
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(ContainSubstring(
			"http has no threshold, and the run has no out-of-scope label to answer below one: name it with --oos-label LABEL"))
		Expect(tuning(without, "--oos-label", "oos").Points).To(Equal(tuning(dir).Points))
		Expect(tuning(without, "--prior", "oos=50%").Best).To(Equal(tuning(dir, "--prior", "oos=50%").Best))
	})

	It("30.4: chooses by the objective, and by the share of out-of-scope messages in production", func() {
		at := func(args ...string) float64 { return tuning(dir, args...).Best.Threshold }
		plain, half := at(), at("--prior", "oos=50%")
		Expect(plain).To(BeNumerically("<", 0.5))
		Expect(half).To(BeNumerically(">", plain))
		Expect(at("--objective", "balanced_accuracy")).To(Equal(half), "both classes have the same weight")
		limited := tuning(dir, "--objective", "oos.recall at in_scope_accuracy >= 0.9")
		Expect(*limited.Best.InScopeAccuracy.Value).To(BeNumerically(">=", 0.9))
		for _, p := range limited.Points {
			if *p.InScopeAccuracy.Value >= 0.9 {
				Expect(*p.OOSRecall.Value).To(BeNumerically("<=", *limited.Best.OOSRecall.Value))
			}
		}
		shown := evalctl("tune", dir, "--objective", "oos.f1", "--prior", "oos=30%").stdout
		Expect(shown).To(And(ContainSubstring(" · best oos.f1 · prior 30.0 % oos\n"),
			ContainSubstring(" points of OOS F1 at 30.0 % OOS cross-validated"),
			MatchRegexp(`Cross-validated: OOS F1 at 30\.0 % OOS \d.* \[.*\] n=72 \(on the cases it was selected on: `)))
	})

	It("30.4: agrees with the metrics of the run at the threshold of the run", func() {
		metrics := summaryOf(dir).Suites[0].Conditions[0].Metrics
		now := tuning(dir).Current
		Expect(*now.OOSRecall.Value).To(Equal(*metrics["oos.recall"].Value))
		Expect(*now.InScopeAccuracy.Value).To(Equal(*metrics["oos.in_scope_accuracy"].Value))
		Expect(now.OOSRecall.N).To(Equal(metrics["oos.recall"].N))
	})

	It("30.4: works for every shipped system that reports a confidence", func() {
		for system, label := range map[string]string{"scholar": "SIMPLE_INTERACTION", "studio": "unknown",
			"companion": "NORMAL_CHAT", "toolrouter": "chat", "prompt": ""} {
			out := newRunDir()
			Expect(evalctl("run", system, "--sample", "30", "--out", out, "-q").code).To(Equal(exit.Passed))
			args := []string{"tune", out, "--format", "json"}
			if label != "" {
				args = append(args, "--oos-label", label)
			}
			got := evalctl(args...)
			Expect(got.code).To(Equal(exit.Passed), system+": "+got.stderr)
			Expect(got.stdout).To(ContainSubstring(`"held_out_objective"`), system)
		}
	})

	It("30.4: states what is missing if no answer has a confidence", func() {
		out := newRunDir()
		got := evalctl("run", "--target", "http", "--url", agentAnswering(`{"label":"red"}`), "--dataset", cases,
			"--oos-label", "oos", "--out", out, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		got = evalctl("tune", out)
		Expect([]any{got.code, got.stdout}).To(Equal([]any{exit.InvalidUsage, ""}))
		Expect(got.stderr).To(ContainSubstring("no answer reports a confidence from 0 to 1"))
	})

	DescribeTable("30.4: refuses a goal that it cannot measure", func(why string, args ...string) {
		got := evalctl(append([]string{"tune", dir}, args...)...)
		Expect([]any{got.code, got.stdout}).To(Equal([]any{exit.InvalidUsage, ""}))
		Expect(got.stderr).To(ContainSubstring(why))
		Expect(strings.Count(got.stderr, "\n")).To(Equal(1))
	},
		Entry(nil, `--objective: unknown measure "oos.recal", did you mean "oos.recall"?`, "--objective", "oos.recal"),
		Entry(nil, "--objective: a limit on accuracy requires >=", "--objective", "oos.f1 at accuracy <= 0.9"),
		Entry(nil, "--prior: \"18\" is no share, did you mean oos=18%?", "--prior", "oos=18"),
		Entry(nil, `--prior: "red" is not the out-of-scope label "oos"`, "--prior", "red=18%"),
		Entry(nil, `--oos-label: unknown label "oss", did you mean "oos"?`, "--oos-label", "oss"),
		Entry(nil, "no threshold has accuracy >= 99.9%: the highest is ", "--objective",
			"oos.recall at accuracy >= 99.9%"),
		Entry(nil, "the cost does not depend on the threshold", "--objective", "cost"),
	)
})

var _ = Describe("evalctl tune --objective for a classifier", func() {
	It("30.4: predicts the recall of a run with that threshold, and repeats the goal in its commands", func() {
		without, with := newRunDir(), newRunDir()
		Expect(evalctl("run", "prompt", "--sample", "80", "--out", without, "-q").code).To(Equal(exit.Passed))
		Expect(evalctl("run", "prompt", "--sample", "80", "--threshold", "0.8", "--out", with, "-q").code).
			To(Equal(exit.Passed))
		got := evalctl("tune", without, "--format", "json", "--objective", "balanced", "--variant", "zero-shot")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		var t reports.TuningReport
		Expect(json.Unmarshal([]byte(got.stdout), &t)).To(Succeed())
		real := summaryOf(with).Suites[0].Conditions
		at := slices.IndexFunc(real,
			func(c eval.ConditionSummary) bool { return c.Variant == "zero-shot threshold=0.8" })
		Expect(at).To(BeNumerically(">=", 0))
		for _, p := range t.Variants[0].Points {
			if 0.8 <= p.RangeHi {
				Expect(*p.OOSRecall.Value).To(Equal(*real[at].Metrics["oos.recall"].Value))
				Expect(*p.InScopeAccuracy.Value).To(Equal(*real[at].Metrics["oos.in_scope_accuracy"].Value))
				break
			}
		}
		GinkgoT().Setenv("COLUMNS", "1000")
		Expect(evalctl("tune", without, "--objective", "balanced", "--variant", "zero-shot").stdout).
			To(MatchRegexp(`\n> evalctl tune .*-dev --setting threshold --objective balanced\n`))
	})
})
