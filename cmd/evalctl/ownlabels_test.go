package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

// deskCases are cases whose labels no system declares.
const deskCases = `{"id":"a","text":"钱什么时候退","label":"退款","split":"test"}
{"id":"b","text":"where is my parcel","label":"delivery","split":"test"}
{"id":"c","text":"讲个笑话","label":"其他","split":"test"}
{"id":"d","text":"退款到账要多久","label":"退款","split":"train"}
{"id":"e","text":"parcel not here","label":"delivery","split":"train"}
`

func casesOfLabels(path string, n, labels int) error {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{\"id\":\"c%05d\",\"text\":\"message %d about matter %d\",\"label\":\"matter_%02d\"}\n",
			i, i, i%labels, i%labels)
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

var _ = Describe("Custom labels", func() {
	It("come from the dataset, so that --target is not needed, also in Chinese", func() {
		dir := newRunDir()
		got := evalctl("run", "--dataset", fileOf("desk.jsonl", deskCases), "--split", "test", "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		s := summaryOf(dir).Suites[0]
		Expect(s.Target).To(Equal("prompt"))
		Expect(s.Conditions[0].Confusion.Labels).To(ConsistOf("退款", "delivery", "其他"))
		Expect(s.Conditions[0].Metrics).NotTo(HaveKey("oos.recall"))
	})

	It("can be listed with descriptions in --labels; then other labels in the dataset are refused", func() {
		set := fileOf("desk.jsonl", deskCases)
		dir := newRunDir()
		names := fileOf("labels.txt", "退款\t客户要退钱\ndelivery\twhere a parcel is\n其他\tall else\nthanks\n")
		got := evalctl("run", "--target", "prompt", "--dataset", set, "--labels", names, "--oos-label", "其他",
			"--examples", "2", "--out", dir, "-q", "-v")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring("Out of scope: 其他"))
		Expect(summaryOf(dir).Suites[0].Conditions[0].Metrics).To(HaveKey("oos.false_acceptance"))
		Expect(string(manifestIn(dir).Suites[0])).
			To(And(ContainSubstring(`"oos_label": "其他"`), ContainSubstring("labels.txt")))
		Expect(evalctl("run", "--resume", dir, "-q").code).To(Equal(exit.Passed))

		refuses(set+`:3: label: unknown label 其他 (known: 退款, delivery)`, "run", "--target", "prompt", "--dataset", set,
			"--labels", "退款,delivery")
		refuses(`suite prompt: oos_label: "nope" is not one of the labels`, "run", "--target", "prompt", "--dataset",
			set, "--oos-label", "nope")
		refuses("suite toolrouter: labels: toolrouter has its own: image_gen, web_search, time_query, chat", "run",
			"toolrouter", "--labels", "a,b")
	})

	DescribeTable("are refused with their position in the file if they cannot be shown on a line",
		func(label, want string) {
			text, err := json.Marshal(label)
			Expect(err).NotTo(HaveOccurred())
			set := fileOf("bad.jsonl",
				`{"id":"a","text":"x","label":"fine"}`+"\n"+`{"id":"b","text":"y","label":`+string(text)+"}\n")
			got := evalctl("run", "--target", "prompt", "--dataset", set, "--out", newRunDir())
			Expect(got.code).To(Equal(exit.InvalidUsage))
			Expect(got.stderr).To(And(HavePrefix("evalctl: "+set+":2: label: "), ContainSubstring(want)))
			Expect(len(got.stderr)).To(BeNumerically("<", 400))
			Expect(strings.Count(got.stderr, "\n")).To(Equal(1))
		},
		Entry("a newline", "two\nlines", "cannot be printed"),
		Entry("an escape sequence", "\x1b[2J", "cannot be printed"),
		Entry("a label of a megabyte", strings.Repeat("长", 1<<18), "has more than 200 characters"),
	)

	It("must be at least two: the error for a file with fewer names the file and gives advice", func() {
		path := fileOf("one.jsonl",
			`{"id":"a","text":"x","label":"red"}`+"\n"+`{"id":"b","text":"y","label":"red"}`+"\n")
		got := evalctl("run", "--target", "prompt", "--dataset", path, "--out", newRunDir())
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stderr).To(Equal("evalctl: dataset " + path +
			": has fewer than two labels: list all labels with --labels A,B,C\n"))
		Expect(evalctl("run", "--target", "prompt", "--dataset", path, "--labels", "red,blue", "--out", newRunDir(),
			"-q").code).To(Equal(exit.Passed))
	})

	It("are shown safely if they contain a pipe or markup", func() {
		set := fileOf("odd.jsonl",
			`{"id":"a","text":"x","label":"a|b"}`+"\n"+`{"id":"b","text":"y","label":"<script>*x*"}`+"\n"+
				`{"id":"c","text":"z","label":"=1+1"}`+"\n")
		dir := newRunDir()
		md, csv := filepath.Join(GinkgoT().TempDir(), "r.md"), filepath.Join(GinkgoT().TempDir(), "r.csv")
		got := evalctl("run", "--target", "prompt", "--dataset", set, "--out", dir, "-v", "--format",
			"table,markdown="+md+",csv="+csv, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(ContainSubstring("a|b"))
		Expect(read(md)).To(And(ContainSubstring(`a\|b`), Not(ContainSubstring("<script>"))))
		Expect(read(csv)).NotTo(ContainSubstring(",=1+1"))
	})

	It("can be named in a gate, even if they contain special characters", func() {
		set := fileOf("desk.jsonl", deskCases)
		for _, metric := range []string{"route.recall.退款", "route.f1.delivery"} {
			for rule, code := range map[string]int{metric + " > 0": exit.Passed, metric + " < 0": exit.GateFailed} {
				got := evalctl("run", "--target", "prompt", "--dataset", set, "--out", newRunDir(),
					"-q", "--gate", rule)
				Expect(got.code).To(Equal(code), rule+"\n"+got.stderr)
				Expect(got.stdout).To(ContainSubstring(metric))
			}
		}
	})

	It("work quickly for 3,000 cases with 77 labels, and the report lists the worst classes", func() {
		set := filepath.Join(GinkgoT().TempDir(), "many.jsonl")
		Expect(casesOfLabels(set, 3_000, 77)).To(Succeed())
		dir := newRunDir()
		began := time.Now()
		got := evalctl("run", "--target", "prompt", "--dataset", set, "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(time.Since(began)).To(BeNumerically("<", 10*time.Second), "1 s on a quiet machine")
		Expect(got.stdout).To(And(ContainSubstring("3,000 cases"), ContainSubstring("macro-F1")))
	})

	It("are answered as plain text if requested, by simulated and real models, even if the prompt contains the text of the case",
		func() {
			set := fileOf("desk.jsonl", deskCases)
			prompt := fileOf("in.md", "Which of these? {{labels}}\nMessage: {{text}}\nAnswer as json with label.")
			for _, args := range [][]string{{"--answer-format", "plain,json"}, {"--prompt", prompt},
				{"--prompt", prompt, "--answer-format", "plain"}} {
				dir := newRunDir()
				Expect(evalctl(append([]string{"run", "--target", "prompt", "--dataset", set, "--out", dir, "-q",
					"--epochs", "20"}, args...)...).code).To(Equal(exit.Passed))
				for _, c := range summaryOf(dir).Suites[0].Conditions {
					Expect(*c.Metrics["route.accuracy"].Value).To(BeNumerically(">", 0.7), "%v: %s", args, c.Variant)
				}
			}
			base := mockServe("--dataset", set)["openai"]
			for _, args := range [][]string{{"--answer-format", "plain"}, {"--answer-format", "json"},
				{"--prompt", prompt}} {
				dir := newRunDir()
				got := evalctl(append([]string{"run", "--target", "prompt", "--dataset", set, "--out", dir, "-q",
					"--base-url", base, "--model", "model/any"}, args...)...)
				Expect(got.code).To(Equal(exit.Passed), got.stderr)
				Expect(*summaryOf(dir).Suites[0].Conditions[0].Metrics["route.accuracy"].Value).
					To(Equal(1.0), "%v", args)
			}
		})

	It("work in chat: a simulated model answers with a given label, or with the label of the nearest shipped example",
		func() {
			Expect(runWithInput(context.Background(), "卡丢了\n", "chat", "prompt").stdout).
				To(ContainSubstring("card_lost"))
			got := runWithInput(context.Background(), "hello\n", "chat", "prompt", "--labels", "refund,delivery,other")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			Expect(got.stdout).To(ContainSubstring("other"))
			Expect(evalctl("chat", "prompt", "--labels", "gone.txt").stderr).
				To(Equal("evalctl: --labels: stat gone.txt: no such file or directory\n"))
			Expect(evalctl("chat", "toolrouter", "--labels", "a,b").stderr).To(ContainSubstring("--labels: toolrouter"))
		})

	It("can differ between variants, which are compared", func() {
		dir := newRunDir()
		Expect(evalctl("run", "prompt", "--limit", "5", "--examples", "0,3", "--example-selection", "per-label,nearest",
			"--out", dir, "-q").code).To(Equal(exit.Passed))
		Expect(conditionsOf(dir)).
			To(Equal([]string{"per-label examples=0/none", "per-label examples=3/none", "nearest examples=3/none"}))
		Expect(evalctl("run", "prompt", "--example-selection", "nearest", "--out", newRunDir()).stderr).
			To(ContainSubstring("--example-selection: no variant makes use of it"))
		bare := fileOf("bare.md", "Choose from {{labels}}, as json.")
		Expect(evalctl("run", "--target", "prompt", "--dataset", "prompt", "--prompt", bare, "--examples", "3", "--out",
			newRunDir()).stderr).To(
			ContainSubstring("examples: the prompt has no place for {{examples}}"))
	})

	It("are in a file that a report does not overwrite", func() {
		set := fileOf("desk.jsonl", deskCases)
		Expect(evalctl("run", "--dataset", set, "--out", newRunDir(), "--format", "csv="+set).stderr).
			To(Equal("evalctl: --format csv=" + set + ": is read by this command; choose another file\n"))
		Expect(read(set)).To(Equal(deskCases))
	})

	It("are at most 500: a dataset with more is refused", func() {
		set := filepath.Join(GinkgoT().TempDir(), "many.jsonl")
		Expect(casesOfLabels(set, 600, 600)).To(Succeed())
		Expect(evalctl("run", "--target", "prompt", "--dataset", set, "--out", newRunDir()).stderr).
			To(Equal("evalctl: " + set + ": has more than 500 labels\n"))
	})
})

var _ = Describe("--decision-only", func() {
	// counted starts a mock server that counts its calls.
	counted := func() (base string, calls *atomic.Int64) {
		calls = &atomic.Int64{}
		base = serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			calls.Add(1)
			next.ServeHTTP(w, r)
		})
		return base, calls
	}

	It("makes one call per case with a real model, and the report states that trials stop after the decision", func() {
		base, calls := counted()
		dir := newRunDir()
		args := []string{"run", "toolrouter", "--router", "llm-first", "--limit", "25", "--base-url", base, "--model",
			"m", "-q", "--out"}
		got := evalctl(append(args, dir, "--decision-only", "-v")...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(calls.Load()).To(BeEquivalentTo(25))
		Expect(got.stdout).To(ContainSubstring(
			"decision only: no answers are generated, and turns that need one are skipped"))
		s := summaryOf(dir).Suites[0]
		Expect(s.DecisionOnly).To(BeTrue())
		Expect(*s.Conditions[0].Metrics["calls.mean"].Value).To(Equal(1.0))
		Expect(s.Conditions[0].Metrics["route.accuracy"].N).To(BeEquivalentTo(25))
		Expect(s.Conditions[0].Metrics).NotTo(HaveKey("fallback.correct"))

		calls.Store(0)
		Expect(evalctl(append(args, newRunDir())...).code).To(Equal(exit.Passed))
		Expect(calls.Load()).To(BeNumerically(">", 25))
	})

	It("scores the same decisions as complete trials do", func() {
		for _, name := range []string{"toolrouter", "prompt"} {
			whole, short := newRunDir(), newRunDir()
			Expect(evalctl("run", name, "--sample", "40", "--out", whole, "-q").code).To(Equal(exit.Passed))
			Expect(evalctl("run", name, "--sample", "40", "--decision-only", "--out", short, "-q").code).
				To(Equal(exit.Passed))
			want := map[string]float64{}
			for _, c := range summaryOf(whole).Suites[0].Conditions {
				want[c.Variant+c.Fault] = *c.Metrics["route.accuracy"].Value
			}
			decided := summaryOf(short).Suites[0].Conditions
			Expect(decided).NotTo(BeEmpty())
			for _, c := range decided {
				Expect(*c.Metrics["route.accuracy"].Value).To(Equal(want[c.Variant+c.Fault]),
					c.Variant+" under "+c.Fault)
			}
		}
	})

	It("omits faults of components that it does not call, such as style search and image generation", func() {
		dir := newRunDir()
		Expect(evalctl("run", "studio", "--sample", "40", "--decision-only", "--out", dir, "-q").code).
			To(Equal(exit.Passed))
		Expect(conditionsOf(dir)).
			To(And(ContainElement(ContainSubstring("/router:")),
				HaveEach(Or(HaveSuffix("/none"), ContainSubstring("/router:")))))
		var asked []string
		for r, err := range journal.ReadRunResults(dir) {
			Expect(err).NotTo(HaveOccurred())
			for _, n := range r.Nodes {
				asked = append(asked, n.Node)
			}
		}
		Expect(asked).To(And(Not(BeEmpty()), HaveEach("planner")))
	})
})

var _ = It("simulated components do not take real time if they run together with a real model", func() {
	base := serveModel(passThrough)
	began := time.Now()
	for _, args := range [][]string{
		{"toolrouter", "--tags", "rule:image.1"}, // asynchronous image generation, polled every 2 s
		{"studio", "--critic", "heuristic"},      // placeholders, which take 2 s
	} {
		got := evalctl(append([]string{"run", "--base-url", base, "--model", "m", "--limit", "6", "-j", "1", "-q",
			"--out", newRunDir()}, args...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
	}
	Expect(time.Since(began)).To(BeNumerically("<", 6*time.Second))
})
