package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

// contentFiltered responds like a provider whose content filter refuses the request.
func contentFiltered(w http.ResponseWriter) {
	http.Error(w, `{"error":{"message":"the prompt was filtered","code":"content_filter","type":"invalid_request_error"}}`, http.StatusBadRequest)
}

var _ = It("T6: a trial has no answer if the image provider accepts its task but redirects polls, and each task is polled once", Label("long"), func() {
	var polls atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = io.WriteString(w, `{"output":{"task_id":"t","task_status":"PENDING"},"request_id":"r"}`)
			return
		}
		polls.Add(1)
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}))
	DeferCleanup(s.Close)
	set := fileOf("pictures.jsonl",
		`{"id":"a","text":"画一只猫","label":"image_gen"}`+"\n"+`{"id":"b","text":"画一只狗","label":"image_gen"}`+"\n")
	suite := fileOf("pictures.yaml", "name: pictures\ntarget: toolrouter\ndataset: "+set+
		"\nvariants: [{name: r, router: rules}]\nmodels:\n  image: {model: \"dashscope:qwen-image-plus\", task_duration: 2s, base_url: \""+s.URL+"/api/v1\"}\n")
	got := evalctl("run", suite, "--trust", "--out", newRunDir(), "-q")
	Expect(got.code).To(Equal(exit.Incomplete), got.stderr)
	Expect(got.stderr).To(ContainSubstring(
		"image answered none of 2 trials. First error: image: malformed_response: the answer is the redirect 302 to "))
	Expect(polls.Load()).To(BeEquivalentTo(2))
})

var _ = Describe("a run without any valid decision of its model", func() {
	It("is incomplete if a content filter refuses every request", func() {
		base := serveModel(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) { contentFiltered(w) })
		got := evalctl("run", "--target", "studio", "--limit", "20", "--base-url", base, "--model", "m",
			"--max-missing", "100%", "--out", newRunDir(), "-q")
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(ContainSubstring(
			"the model decided none of the 20 trials that called planner. First error: planner: content_blocked: "))
		got = evalctl("run", "--target", "toolrouter", "--router", "llm-first", "--decision-only", "--limit", "30",
			"--base-url", base, "--model", "m", "--out", newRunDir(), "-q")
		Expect(got.code).To(Equal(exit.Incomplete))
	})

	prose := func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		_, _ = io.WriteString(w, completeAnswer("I think it is chat"))
	}

	DescribeTable("is incomplete if the model decided nothing, even if a gate passes because of the decisions by rules",
		func(limit string, args ...string) {
			base := serveModel(prose)
			dir := newRunDir()
			got := evalctl(append(args, "--target", "toolrouter", "--router", "llm-first", "--decision-only",
				"--limit", limit,
				"--gate", "route.accuracy >= 50%", "--base-url", base, "--model", "m", "--out", dir, "-q")...)
			Expect(got.code).To(Equal(exit.Incomplete), got.stderr)
			Expect(got.stderr).To(HaveSuffix("the model decided none of the " + limit +
				" trials that called router. First error: malformed_json\n"))
			Expect(summaryOf(dir).Gates[0].Passed).To(BeTrue())
			Expect(evalctl("run", "--resume", dir, "-q").stderr).To(ContainSubstring("decided none of the "+limit),
				"the results say so too")
		},
		Entry("in a run of many trials", "30", "run"),
		Entry("in a run of a few trials", "3", "run"),
	)

	It("is complete once the model decided at least one case", func() {
		var asked atomic.Int64
		base := serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			if asked.Add(1) == 7 {
				next.ServeHTTP(w, r)
				return
			}
			prose(w, r, next)
		})
		got := evalctl("run", "--target", "toolrouter", "--router", "llm-first", "--decision-only", "--limit", "30",
			"--base-url", base, "--model", "m", "--out", newRunDir(), "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
	})

	It("is incomplete if no decision could be scored, even with simulated models", func() {
		var busy string // the second turn arrives during the first
		for line := range strings.Lines(read("../../datasets/studio/edge.jsonl")) {
			if strings.Contains(line, `"st-edge-033"`) {
				busy = line
			}
		}
		got := evalctl("run", "--target", "studio", "--profile", "v1", "--dataset", fileOf("busy.jsonl", busy),
			"--out", newRunDir(), "-q")
		Expect(got.code).To(Equal(exit.Incomplete), got.stdout)
		Expect(got.stderr).To(ContainSubstring(
			"suite studio, variant v1, fault none: no decision of 1 could be scored"))
	})

	It("is complete if an injected fault prevented the model's decisions, because then the fallback was measured",
		func() {
			got := evalctl("run", "--target", "studio", "--fault", "router:server_error", "--limit", "12",
				"--out", newRunDir(), "-q")
			Expect(got.stdout).To(MatchRegexp(`(?m)^! \S+ with router:server_error: all 12 cases not scored`))
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
		})
})

var _ = Describe("a provider that fails on one case", Label("concurrent"), func() {
	// bad starts a server with a model that refuses the texts for which isBad is true.
	bad := func(isBad func(body string) bool, refuse func(http.ResponseWriter)) (base string) {
		return serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			body, _ := io.ReadAll(r.Body)
			if isBad(string(body)) {
				refuse(w)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			next.ServeHTTP(w, r)
		})
	}
	broken := func(w http.ResponseWriter) { http.Error(w, `{"error":{"message":"gone"}}`, http.StatusUnauthorized) }
	contains := func(word string) func(string) bool {
		return func(body string) bool { return strings.Contains(body, word) }
	}
	played := func(base string, cases, epochs int, text func(i int) string, more ...string) (dir string,
		got cliResult) {
		var lines strings.Builder
		for i := range cases {
			fmt.Fprintf(&lines, "{\"id\":\"c%03d\",\"text\":%s,\"label\":\"chat\"}\n", i, quotedJSON(text(i)))
		}
		dir = newRunDir()
		return dir, evalctl(append([]string{"run", "--target", "toolrouter", "--router", "llm", "--decision-only",
			"--dataset", fileOf("c.jsonl", lines.String()),
			"--base-url", base, "--model", "m", "--epochs", fmt.Sprint(epochs), "-j", "1", "-q",
			"--out", dir}, more...)...)
	}
	one := func(worst int) func(int) string {
		return func(i int) string {
			if i < worst {
				return fmt.Sprint("BADCASE hello ", i)
			}
			return fmt.Sprint("hello ", i)
		}
	}

	It("is still called for other cases, no matter how often the failing case runs", func() {
		_, got := played(bad(contains("BADCASE"), broken), 25, 25, one(1))
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
	})

	It("is stopped by the circuit breaker if it repeatedly fails in every one of a few cases", func() {
		_, got := played(bad(contains("hello"), broken), 4, 25, one(0))
		Expect(got.code).To(Equal(exit.Incomplete))
		Expect(got.stderr).To(ContainSubstring("answered none of the last 76 trials that called it"))
	})

	It("is not stopped by the circuit breaker if it refuses requests for their content: their trials only have no answer", func() {
		for _, refuse := range []func(http.ResponseWriter){contentFiltered, func(w http.ResponseWriter) {
			http.Error(w, `{"error":{"message":"too long","code":"context_length_exceeded","type":"invalid_request_error"}}`, http.StatusRequestEntityTooLarge)
		}} {
			_, got := played(bad(contains("BADCASE"), refuse), 50, 1, one(30))
			Expect(got.stderr).To(ContainSubstring("a real endpoint lost 30 of 50 trials, more than --max-missing 5%"))
			_, got = played(bad(contains("BADCASE"), refuse), 50, 1, one(30), "--max-missing", "60%")
			Expect(got.code).To(Equal(exit.Passed), got.stderr)
		}
	})

	It("is stopped by the circuit breaker if its error is that the model does not exist", func() {
		_, got := played(bad(contains("hello"), func(w http.ResponseWriter) {
			http.Error(w, `{"error":{"message":"no such model","code":"model_not_found","type":"invalid_request_error"}}`, http.StatusNotFound)
		}), 50, 1, one(0))
		Expect(got.stderr).To(ContainSubstring(
			"answered none of the last 20 trials that called it. First error: provider: router: "))
		Expect(got.stderr).To(ContainSubstring("not_found (404 model_not_found): no such model"))
	})

	It("is called again when a resumed run repeats the few lost cases, and is not stopped because of them", func() {
		dir, got := played(bad(contains("BADCASE"), broken), 100, 1, one(22), "--max-missing", "25%",
			"--circuit-breaker", "30")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(evalctl("run", "--resume", dir, "-q", "--max-missing", "25%").code).To(Equal(exit.Passed))
		got = evalctl("run", "--resume", dir, "-q", "--max-missing", "20%")
		Expect(got.stderr).To(ContainSubstring("none of the last 20 trials"))
	})
})
