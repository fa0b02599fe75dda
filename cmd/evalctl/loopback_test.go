package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval/journal"
	"evalctl/mocks"
	"evalctl/mocks/backend"
	"evalctl/mocks/model"
)

// sharedModel is a model with all shipped labels. All specs share it, because none uses its critic,
// which counts attempts.
var sharedModel = sync.OnceValues(func() (model.Model, error) {
	var sets []*datasets.Dataset
	for _, name := range datasets.BuiltInNames() {
		data, err := openDetected(name)
		if err != nil {
			return nil, err
		}
		sets = append(sets, data)
	}
	return backend.NewServerModel(sets, 1, 1)
})

// serveModel starts a server with sharedModel and returns its base URL. hurdle can intercept each
// request.
func serveModel(hurdle func(http.ResponseWriter, *http.Request, http.Handler)) (base string) {
	GinkgoHelper()
	model, err := sharedModel()
	Expect(err).NotTo(HaveOccurred())
	handler, err := mocks.New(mocks.Config{APIKey: "the-key", Model: model})
	Expect(err).NotTo(HaveOccurred())
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer none" {
			r.Header.Set("Authorization", "Bearer the-key") // most specs are not about keys
		}
		hurdle(w, r, handler)
	}))
	DeferCleanup(s.Close)
	return s.URL + "/v1"
}

func passThrough(w http.ResponseWriter, r *http.Request, next http.Handler) { next.ServeHTTP(w, r) }

// refusingServer starts a server that refuses all requests in a way that is not retried. Retries to
// a missing server would take real time.
func refusingServer() (base string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"no such key","type":"authentication_error"}}`, http.StatusUnauthorized)
	}))
	DeferCleanup(s.Close)
	return s.URL + "/v1"
}

// mockServe runs evalctl mock serve until the test ends, and returns its base URLs by provider.
func mockServe(args ...string) map[string]string {
	GinkgoHelper()
	return mockServeUntil(context.Background(), args...)
}

// mockServeUntil is [mockServe] that also ends with ctx.
func mockServeUntil(ctx context.Context, args ...string) map[string]string {
	GinkgoHelper()
	ctx, stop := context.WithCancel(ctx)
	out, in := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append([]string{"mock", "serve"}, args...), nil, in, GinkgoWriter)
		_ = in.Close()
	}()
	DeferCleanup(func() {
		stop()
		Eventually(ended).WithTimeout(time.Second).Should(Receive(Equal(exit.Passed)), "Ctrl-C is the way to end it")
	})
	const providers = 8
	bases := map[string]string{}
	for lines := bufio.NewScanner(out); len(bases) < providers && lines.Scan(); {
		fields := strings.Fields(lines.Text())
		Expect(fields).To(HaveLen(2))
		bases[fields[0]] = fields[1]
	}
	go func() { _, _ = io.Copy(io.Discard, out) }() // drains the pipe, so that writes do not block
	return bases
}

var _ = Describe("evalctl run with a model over HTTP", Label("concurrent"), func() {
	It("receives the fallback label for a text that evalctl mock serve has no label for", func() {
		bases := mockServe("--dataset", "prompt")
		cases := fileOf("cases.jsonl",
			`{"id":"a","text":"鲸鱼睡觉吗","label":"out_of_scope"}`+"\n"+
				`{"id":"b","text":"do whales sleep","label":"zebra"}`+"\n")
		dir := newRunDir()
		got := evalctl("run", "--target", "prompt", "--dataset", cases, "--base-url", bases["openai"], "--model",
			"any", "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		var predicted []string
		for r, err := range journal.ReadRunResults(dir) {
			Expect(err).NotTo(HaveOccurred())
			predicted = append(predicted, r.Predicted)
		}
		Expect(predicted).To(Equal([]string{"out_of_scope", "out_of_scope"}))
	})

	It("resolves relative dates from the time that the case states instead of today", func() {
		bases := mockServe("--dataset", "companion")
		cases := fileOf("cases.jsonl",
			`{"id":"a","now":"2026-10-20T09:00:00+08:00","input":{"text":"昨天我们聊了什么","state":{"agent":"lin"}},"expect":{"intent":"KNOWLEDGE_QUERY","slots":{"date":"2026-10-19"}}}
{"id":"b","now":"2026-10-20T09:00:00+08:00","input":{"text":"好困啊","state":{"agent":"lin"}},"expect":{"intent":"NORMAL_CHAT"}}`+"\n")
		dir := newRunDir()
		got := evalctl("run", "--target", "companion", "--dataset", cases, "--base-url", bases["openai"], "--model",
			"any", "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		s := summaryOf(dir).Suites[0]
		Expect(s.Clock).To(Equal("real"))
		Expect(s.Conditions[0].Metrics["slots.date"].Value).To(HaveValue(Equal(1.0)))
	})

	It("runs both profiles of the studio, each with its own prompts", func() {
		bases := mockServe("--dataset", "studio")
		dir := newRunDir()
		got := evalctl("run", "studio", "--profile", "v1,v2", "--critic", "llm", "--base-url", bases["openai"],
			"--model", "any", "--dataset", criticCases,
			"--limit", "6", "-j", "12", "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		for _, c := range summaryOf(dir).Suites[0].Conditions {
			for name, want := range map[string]float64{"route.accuracy": 1, "slots.subject": 1, "fallback.rate": 0} {
				Expect(c.Metrics[name].Value).To(HaveValue(Equal(want)), "%s of %s", name, c.Variant)
			}
		}
	})

	It("runs a suite once for each prompt of --prompt, in real time", func() {
		bases := mockServe("--dataset", "toolrouter", "--accuracy", "0.9", "--latency", "router=constant:2ms")
		Expect(bases).To(And(HaveLen(8), HaveKey("openai"), HaveKey("ark")))
		dir := newRunDir()
		got := evalctl("run", "toolrouter", "--base-url", bases["openai"], "--model", "any-model", "--limit",
			"30", "--out", dir,
			"--prompt", fileOf("short.md", "Route it, as json."), "--prompt",
			fileOf("long.md", "Route it well, as json."),
			"--gate", "route.accuracy{variant=\"llm prompt=short.md\"} >= 0.6")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(conditionsOf(dir)).
			To(Equal([]string{"rules/none", "llm prompt=short.md/none", "llm prompt=long.md/none",
				"llm-history prompt=short.md/none", "llm-history prompt=long.md/none",
				"llm-first prompt=short.md/none", "llm-first prompt=long.md/none", "linear/none"}),
				"the suite's faults would cost a real model as much again")
		s := summaryOf(dir).Suites[0]
		Expect(s.Clock).To(Equal("real"))
		Expect(s.Models[0].Kind).To(Equal("real"))
		Expect(s.Models[0].Note).To(Equal("any-model at " + bases["openai"] + ", no price"))
		var chat []string
		for _, m := range s.Models {
			if m.Component == "chat" {
				chat = append(chat, fmt.Sprint(m.Kind, " ", m.Variants))
			}
		}
		Expect(chat).To(Equal([]string{"real [llm prompt=short.md llm prompt=long.md llm-history prompt=short.md llm-history prompt=long.md llm-first prompt=short.md llm-first prompt=long.md]", "simulated [rules linear]"}))
		for _, c := range s.Conditions[1:5] {
			Expect(c.Metrics["route.accuracy"].N).To(BeEquivalentTo(30), c.Variant)
			Expect(c.Metrics["latency.p50"].Value).To(HaveValue(BeNumerically(">", 2)), c.Variant)
		}
	})

	It("sends the key of --api-key-env, and writes it to no file of the run", func() {
		base := mockServe("--dataset", "toolrouter", "--api-key", "s3cret")["openai"]
		args := []string{"run", "--target", "toolrouter", "--router", "llm", "--base-url", base, "--model",
			"m", "--limit", "3"}
		GinkgoT().Setenv("EVALCTL_TEST_KEY", "s3cret")
		dir := newRunDir()
		Expect(evalctl(append(args, "--api-key-env", "EVALCTL_TEST_KEY", "--out", dir)...).code).To(Equal(exit.Passed))
		for _, name := range []string{journal.ManifestFile, journal.SummaryFile, "results.jsonl", "traces.jsonl"} {
			Expect(read(dir, name)).NotTo(ContainSubstring("s3cret"), name)
		}
		got := evalctl(append(args, "--out", newRunDir())...)
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(ContainSubstring(
			"no answer in 3 of 3 trials. First error: provider: router: generic: auth"))
	})

	DescribeTable("is incomplete if the endpoint answers every call with an error", func(router, fault string) {
		base := mockServe("--dataset", "toolrouter", "--fault", "router:"+fault)["openai"]
		dir := newRunDir()
		got := evalctl("run", "--target", "toolrouter", "--router", router, "--base-url", base, "--model", "m",
			"--limit", "4", "--out", dir)
		Expect(got.code).To(Equal(exit.Incomplete), got.stdout)
		Expect(strings.Count(got.stderr, "\n")).To(Equal(2))
		Expect(summaryOf(dir).Partial).To(BeFalse())
	},
		Entry("status 401, and the router has no fallback", "llm", "auth"),
		Entry("status 402, and the router has no fallback", "llm", "no_balance"),
		Entry("status 401, and rules are the fallback", "llm-first", "auth"),
		Entry("status 402, and rules are the fallback", "llm-first", "no_balance"),
	)

	It("counts invalid JSON as a wrong answer of the model, and a run with only such answers as incomplete", func() {
		for fault, code := range map[string]int{"router:malformed_json%50": exit.Passed,
			"router:malformed_json": exit.Incomplete} {
			base := mockServe("--dataset", "toolrouter", "--fault", fault)["openai"]
			got := evalctl("run", "--target", "toolrouter", "--router", "llm", "--decision-only", "--base-url", base,
				"--model", "m", "--limit", "30", "--out", newRunDir())
			Expect(got.code).To(Equal(code), got.stderr)
			if code == exit.Incomplete {
				Expect(got.stderr).To(ContainSubstring(
					"none of 30 answers was one of the labels. First error: malformed_json"))
			}
		}
	})

	It("stops soon if no endpoint is reachable, and runs the lost trials when resumed", Label("long"), func() {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		Expect(err).NotTo(HaveOccurred())
		base := fmt.Sprintf("http://%s/v1", l.Addr())
		Expect(l.Close()).To(Succeed())
		dir := newRunDir()
		got := evalctl("run", "--target", "toolrouter", "--router", "llm", "--base-url", base, "--model", "m",
			"--limit", "80", "-j", "64", "--out", dir)
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(And(ContainSubstring("gave up: generic at "+base+
			" answered none of the last 64 trials that called it. First error: "),
			ContainSubstring("refused the connection")))
		Expect(summaryOf(dir).Partial).To(BeTrue())
		Expect(manifestIn(dir).Status).To(Equal(journal.StatusFailed))

		mockServe("--dataset", "toolrouter", "--addr", l.Addr().String())
		got = evalctl("run", "--resume", dir)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(summaryOf(dir).Suites[0].Conditions[0].Metrics["missing.rate"].Value).To(HaveValue(BeZero()))
	})
})

var _ = It("mock serve refuses to listen on a port in use", func() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(l.Close)
	got := evalctl("mock", "serve", "--addr", l.Addr().String())
	Expect(got.code).To(Equal(exit.InvalidUsage))
	Expect(got.stderr).To(Equal(fmt.Sprintf("evalctl: --addr: listen tcp %s: bind: address already in use\n",
		l.Addr())))
})

var _ = Describe("evalctl mock serve supports a system whose components require special answer formats",
	Label("concurrent"), func() {
		DescribeTable("in every trial of a run", func(path bool, target string, args ...string) {
			dir := newRunDir()
			base := mockServe("--dataset", target)["openai"]
			got := evalctl(append([]string{"run", "--target", target, "--base-url", base, "--model",
				"m", "--limit", "12",
				"--out", dir, "-q"}, args...)...)
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			metrics := summaryOf(dir).Suites[0].Conditions[0].Metrics
			want := map[string]float64{"route.accuracy": 1, "form.conformity": 1, "error_reply.rate": 0}
			if path {
				want["path.exact"] = 1
			}
			for name, value := range want {
				Expect(metrics[name].N).To(BeNumerically(">", 0), name)
				Expect(metrics[name].Value).To(HaveValue(Equal(value)), name)
			}
		},
			Entry(nil, true, "newsroom"),
			Entry(nil, false, "companion", "--debounce", "off", "--tags", "keyword"),
		)

		It("also with custom prompts: answers have the JSON form that the prompt requests", func() {
			dir := newRunDir()
			got := evalctl("run", "--target", "newsroom", "--base-url", mockServe()["openai"], "--model", "m", "--tags",
				"episode", "--limit", "4", "--out", dir, "-q",
				"--writer-prompt", fileOf("writer.md",
					"Write it, as json:\n{\n  \"generatedContent\": {\"title\": \"\", \"body\": \"\"}\n}"))
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
			metrics := summaryOf(dir).Suites[0].Conditions[0].Metrics
			Expect(metrics["form.conformity"].Value).To(HaveValue(Equal(1.0)))
			Expect(metrics["error_reply.rate"].Value).To(HaveValue(Equal(0.0)))
		})
	})
