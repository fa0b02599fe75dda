package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

// recordingModel starts a chat model that records the bodies of all requests, and returns its base
// URL.
func recordingModel() (base string, bodies func() string) {
	GinkgoHelper()
	var mu sync.Mutex
	var all strings.Builder
	base = serveModel(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			mu.Lock()
			all.Write(body)
			mu.Unlock()
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
	return base, func() string {
		mu.Lock()
		defer mu.Unlock()
		return all.String()
	}
}

var _ = Describe("Simulated components together with a real model", Label("concurrent"), func() {
	const nowhere = "http://127.0.0.1:1/v1"

	// refused runs chat and serve with the same arguments, which must fail, and returns the error
	// that both print.
	refused := func(target string, args ...string) string {
		GinkgoHelper()
		// a server that starts would never end
		ended, stop := context.WithTimeout(context.Background(), 20*time.Second)
		defer stop()
		chat := runWithInput(ended, "", append([]string{"chat", target}, args...)...)
		serve := runInContext(ended, append([]string{"serve", target, "--addr", "127.0.0.1:0"}, args...)...)
		for _, got := range []cliResult{chat, serve} {
			Expect(got.code).To(Equal(exit.InvalidUsage), got.stderr)
			Expect(got.stdout).To(BeEmpty())
		}
		Expect(serve.stderr).To(Equal(chat.stderr))
		return chat.stderr
	}

	DescribeTable("15.11: prevent chat and serve from starting, with an error that suggests flags, if",
		func(target, parts, remedies string, args ...string) {
			text := refused(target, append([]string{"--model", "any", "--base-url", nowhere}, args...)...)
			Expect(text).To(HavePrefix("evalctl: " + target + ": " + parts + " simulated while other parts are real"))
			Expect(text).To(ContainSubstring(remedies))
		},
		Entry(nil, "scholar", "retrieval, search are",
			"--real retrieval=ragflow:http://HOST:PORT --real search=tavily, do without them with --without search, "+
				"or allow them with --allow-simulated=retrieval,search\n"),
		Entry("--allow-simulated allows only some of them", "scholar", "search is", "--allow-simulated=search\n",
			"--allow-simulated=retrieval"),
		Entry("--without removes only some of them", "scholar", "retrieval is", "--allow-simulated=retrieval\n",
			"--without", "search"),
		Entry(nil, "toolrouter", "vision, search, image are", "--without vision+search+image"),
		Entry(nil, "studio", "image is",
			"with --image-generator dashscope --real image=dashscope:qwen-image-max, or allow them with --allow-simulated=image\n"),
		Entry("a mock image generator is among them", "studio", "image is",
			"with --real image=dashscope:qwen-image-max, or", "--image-generator", "dashscope"),
		Entry("a vision critic is among them", "studio", "image, critic are", "--real critic=PROVIDER:NAME",
			"--critic", "vision"),
		Entry(nil, "newsroom", "search, reference, image are",
			"--real search=dashscope:qwen-plus --real reference=PROVIDER:NAME --image-generator dashscope --real image="),
	)

	It("15.11: prevent the start even if another component than the model is real, or if requests can choose an endpoint", func() {
		Expect(refused("scholar", "--real", "retrieval=http://127.0.0.1:1", "--without", "search")).
			To(ContainSubstring("--model PROVIDER:NAME"))
		Expect(refused("scholar", "--allowed-base-urls", nowhere)).
			To(ContainSubstring("simulated while other parts are real"))
		Expect(evalctl("chat", "scholar", "--allow-simulated=serach").stderr).
			To(ContainSubstring(`--allow-simulated: unknown part "serach", did you mean "search"?`))
	})

	It("15.11: are listed at the start and in every answer if --allow-simulated allows them", func() {
		model := []string{"--model", "any", "--base-url", serveModel(passThrough), "--allow-simulated"}
		got := runWithInput(context.Background(), "你好\n", append([]string{"chat", "scholar"}, model...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stderr).To(Equal("evalctl: scholar: simulated: retrieval, search; every answer says so\n"))
		Expect(got.stdout).To(HaveSuffix("\n· simulated: retrieval, search\n"))

		_, stream := post(serving(append([]string{"scholar"}, model...)...), "scholar", `{"text":"你好"}`)
		last := stream[strings.LastIndex(stream, "event: "):]
		Expect(last).To(And(HavePrefix("event: final_answer"), ContainSubstring(`"simulated":["retrieval","search"]`)))
	})

	It("15.11: need no flag if no component is real, but chat still lists them", func() {
		got := runWithInput(context.Background(), "现在几点\n", "chat", "toolrouter", "--router", "rules")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(HaveSuffix("\n· simulated: chat, vision, search, image\n"))
		got = runWithInput(context.Background(), "hello\n", "chat", "prompt", "--model", "any", "--base-url",
			serveModel(passThrough))
		Expect(got.stdout + got.stderr).NotTo(ContainSubstring("simulated"))
	})

	It("15.11: can be removed by --without, and the prompt of the real model then does not mention them", func() {
		base, sent := recordingModel()
		GinkgoT().Setenv("BOCHA_API_KEY", "")
		got := runWithInput(context.Background(), "你好\n/image https://example.org/a.png\n里面有什么\n", "chat", "toolrouter",
			"--model", "any", "--base-url", base,
			"--without", "search+image+vision")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout + got.stderr).NotTo(ContainSubstring("simulated"))
		Expect(sent()).To(And(ContainSubstring("你现在没有联网搜索"), ContainSubstring("你现在不能画图"), ContainSubstring("你现在看不到图片")))
		Expect(sent()).NotTo(ContainSubstring("example.org"))

		base, sent = recordingModel()
		got = runWithInput(context.Background(), "/set web_search true\n/set mode_type SIMPLE_INTERACTION\n今天有什么新闻\n",
			"chat", "scholar", "--model", "any", "--base-url", base,
			"--without", "search", "--allow-simulated=retrieval")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(sent()).To(ContainSubstring("没有配置联网搜索"))
	})

	It("15.11: are not used if a request names another search engine than the configured one", func() {
		var asked []string
		engine := func(name string) string {
			return serveJSON(func() any {
				asked = append(asked, name)
				return map[string]any{"results": []any{}}
			})
		}
		url := serving("scholar", "--model", "any", "--base-url", serveModel(passThrough), "--real",
			"search=tavily:"+engine("tavily"), "--allow-simulated=retrieval")
		_, stream := post(url, "scholar",
			`{"text":"今天有什么新闻","options":{"web_search":true,"mode_type":"SIMPLE_INTERACTION","search_engine":"bocha","search_engine_api_key":"k"}}`)
		Expect(stream).To(And(ContainSubstring(`"code":"BAD_OPTIONS"`),
			ContainSubstring("search_engine 只能是已配置的 tavily，不能是 bocha")))
		Expect(asked).To(BeEmpty())
		_, stream = post(url, "scholar",
			`{"text":"今天有什么新闻","options":{"web_search":true,"mode_type":"SIMPLE_INTERACTION","search_engine":"tavily"}}`)
		Expect(stream).NotTo(ContainSubstring("BAD_OPTIONS"))
		Expect(asked).To(Equal([]string{"tavily"}))
	})

	It("15.11: do not include a component that --real connects to a model at --base-url", func() {
		base, sent := recordingModel()
		got := runWithInput(context.Background(), "/image https://example.org/a.png\n里面有什么\n", "chat", "toolrouter",
			"--model", "any", "--base-url", base,
			"--real", "vision=looks", "--without", "search+image")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(sent()).To(And(ContainSubstring(`"model":"looks"`), ContainSubstring("example.org")))
	})
})

var _ = Describe("A report with measured latencies", Label("concurrent"), func() {
	It("15.12: names the real components and the number of parallel trials", func() {
		dir := newRunDir()
		args := []string{"run", "--target", "toolrouter", "--router", "llm-first", "--base-url",
			serveModel(passThrough), "--model", "m", "--limit", "3", "--out", dir, "-q"}
		got := evalctl(append(args, "-j", "2")...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		const mixed, parallel = "Latency: measured for router, chat; not included for vision, search, image (simulated, no waiting)", "Time is real, at -j 2: latencies depend on how many trials run at once."
		lines := strings.Join(strings.Fields(got.stdout), " ")
		Expect(lines).To(And(ContainSubstring(mixed), ContainSubstring(parallel)))
		for _, format := range []string{"markdown", "latex", "html"} {
			text := evalctl("report", dir, "--format", format).stdout
			Expect(strings.ReplaceAll(text, "\\", "")).To(And(ContainSubstring(mixed), ContainSubstring(parallel)),
				format)
		}

		Expect(evalctl("run", "--resume", dir, "-j", "3", "-q").stdout).To(ContainSubstring("at -j 2:"),
			"it runs nothing more")
		real := newRunDir()
		got = evalctl("run", "--target", "prompt", "--base-url", serveModel(passThrough), "--model", "m", "--limit",
			"3", "-j", "1", "--out", real, "-q")
		Expect(got.stdout).To(And(ContainSubstring("Time is real, at -j 1"), Not(ContainSubstring("left out"))))
		Expect(evalctl("run", "--target", "prompt", "--limit", "3", "--out", newRunDir(), "-q").stdout).
			NotTo(Or(ContainSubstring("-j "), ContainSubstring("left out")))
	})
})

// serveJSON starts a server that answers every request with a value as JSON.
func serveJSON(answer func() any) string {
	GinkgoHelper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		text, err := json.Marshal(answer())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintf(w, "%s", text)
	}))
	DeferCleanup(server.Close)
	return server.URL
}
