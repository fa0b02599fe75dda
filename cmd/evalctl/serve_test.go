package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/suite"
	"evalctl/mocks/transport"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func serving(args ...string) string {
	GinkgoHelper()
	ctx, stop := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...), nil, in, GinkgoWriter)
		_ = in.Close()
	}()
	DeferCleanup(func() {
		stop()
		Eventually(ended).WithTimeout(5*time.Second).Should(Receive(Equal(exit.Passed)), "Ctrl-C is the way to end it")
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	Expect(err).NotTo(HaveOccurred())
	return strings.TrimSpace(url)
}

func post(url, agent, body string) (status int, text string) {
	GinkgoHelper()
	resp, err := http.Post(url+"/v1/agents/"+agent+"/chat", "application/json", strings.NewReader(body))
	Expect(err).NotTo(HaveOccurred())
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	Expect(err).NotTo(HaveOccurred())
	return resp.StatusCode, string(b)
}

var _ = Describe("Options in a request to evalctl serve", func() {
	It("lead to a 400 that names them if the agent does not have them, or if a value is not a boolean",
		func() {
			url := serving("toolrouter", "studio")
			for body, want := range map[string]string{
				`{"text":"你好","options":{"nope":true}}`:  "options.nope: unknown switch (known: agent, image_gen, web_search, dashscope_key)",
				`{"text":"你好","options":{"agent":"no"}}`: "options.agent: ",
			} {
				status, text := post(url, "toolrouter", body)
				Expect(status).To(Equal(http.StatusBadRequest), text)
				Expect(text).To(ContainSubstring(want))
			}
			status, text := post(url, "studio", `{"text":"你好","options":{"agent":true}}`)
			Expect(status).To(Equal(http.StatusBadRequest), text)
			status, text = post(url, "toolrouter", `{"text":"你好","options":{"agent":false}}`)
			Expect(status).To(Equal(http.StatusOK), text)
		})
})

// handling serves a system with mocks. It returns a function that sends a request in simulated
// time, which must run within clock.RunSimulated.
func handling(target string) (say func(ctx context.Context, body any) string) {
	f := serveFlags{agentFlags: agentFlags{seed: 1}, maxBody: 16 << 20, maxRuns: 1, timeout: time.Hour}
	handler, err := f.service(context.Background(), []string{target}, GinkgoWriter)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(handler.Close)
	client := &http.Client{Transport: transport.Transport{Handler: handler}}
	return func(ctx context.Context, body any) string {
		text, err := json.Marshal(body)
		Expect(err).NotTo(HaveOccurred())
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1/v1/agents/"+target+"/chat",
			bytes.NewReader(text))
		Expect(err).NotTo(HaveOccurred())
		r.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(r)
		Expect(err).NotTo(HaveOccurred())
		answer, err := io.ReadAll(resp.Body)
		Expect(err).NotTo(HaveOccurred())
		Expect(resp.StatusCode).To(Equal(http.StatusOK), string(answer))
		return string(answer)
	}
}

var _ = Describe("An image that a request to evalctl serve contains as data", Label("concurrent"), func() {
	It("T10: is available in later turns, and must be sent again if it was too large to store", func() {
		post := handling("toolrouter")
		say := func(ctx context.Context, text string, images ...string) string {
			return post(ctx, map[string]any{"text": text, "sessionId": "s1", "images": images})
		}
		image := func(bytes int) string { return "data:image/png;base64,iVBORw0KGgoA" + strings.Repeat("A", bytes) }
		Expect(clock.RunSimulated(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
			say(ctx, "画一只猫")
			say(ctx, "你好", image(1<<20))
			Expect(say(ctx, "我发的那张照片里有什么")).To(And(ContainSubstring("event: chunk"), Not(ContainSubstring("请再发一次"))))
			say(ctx, "你好", image(9<<20))
			Expect(say(ctx, "刚才那张图里有什么")).To(ContainSubstring("请再发一次"))
			return nil
		})).To(Succeed())
	})
})

// events returns the types of the events in a stream, in order.
func events(stream string) (types []string) {
	for line := range strings.Lines(stream) {
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			types = append(types, strings.TrimSpace(name))
		}
	}
	return types
}

var _ = Describe("evalctl serve", Label("concurrent"), func() {
	It("S7: streams the thoughts, components and end of the studio, with mocks in real time", func() {
		say, began := handling("studio"), time.Unix(0, 0)
		Expect(clock.RunSimulated(context.Background(), began, func(ctx context.Context) error {
			stream := say(ctx, map[string]any{"text": "画一只赛博朋克风格的猫", "sessionId": "s"})
			Expect(events(stream)).To(
				Equal([]string{"thought_log", "thought_log", "thought_log", "thought_log", "thought_log", "thought_log",
					"gen_ui_component", "gen_ui_component", "gen_ui_component", "done"}))
			Expect(stream).To(ContainSubstring(`"widgetType":"SmartCanvas"`))
			Expect(stream).To(ContainSubstring(`https://picsum.photos/seed/`))
			Expect(checkStream(strings.NewReader(stream))).To(Succeed())
			Expect(clock.Since(ctx, began)).To(BeNumerically(">", time.Second), "of the simulated clock")
			return nil
		})).To(Succeed())
	})

	It("streams the chunks of the tool router's answer, and remembers a session", func() {
		url := serving()
		status, stream := post(url, "toolrouter", `{"text":"现在几点了","sessionId":"t"}`)
		Expect(status).To(Equal(http.StatusOK), stream)
		Expect(events(stream)).To(ContainElement("chunk"))
		Expect(stream).To(ContainSubstring(`"predicted":"time_query"`))
		resp, err := http.Get(url + "/healthz")
		Expect(err).NotTo(HaveOccurred())
		Expect(resp.StatusCode).To(Equal(http.StatusOK))
		Expect(resp.Body.Close()).To(Succeed())
	})

	It("injects into each agent the faults of its own components", func() {
		url := serving("--critic", "llm", "--fault", "critic:auth,search:auth,router:auth")
		status, stream := post(url, "studio", `{"text":"画一只猫"}`)
		Expect(status).To(Equal(http.StatusOK), stream)
		Expect(stream).To(ContainSubstring(`"code":"PLANNER_FAILED"`))
		status, stream = post(url, "toolrouter", `{"text":"现在几点了"}`)
		Expect(status).To(Equal(http.StatusOK), stream)
		Expect(stream).To(ContainSubstring(`"answeredBy":"time_query"`), "the rules stand behind its model")
	})

	It("refuses invalid requests with a 4xx and JSON", func() {
		url := serving("studio", "--max-body", "1000000")
		for body, want := range map[string]int{
			`{"text":`: http.StatusBadRequest,
			fmt.Sprintf(`{"text":%q}`, strings.Repeat("大", 1_000_000/3)): http.StatusRequestEntityTooLarge,
			`{"txt":"画"}`: http.StatusBadRequest,
		} {
			status, text := post(url, "studio", body)
			Expect(status).To(Equal(want), text)
			var problem struct {
				Error struct{ Code, Message string }
			}
			Expect(json.Unmarshal([]byte(text), &problem)).To(Succeed(), text)
			Expect(problem.Error.Code).NotTo(BeEmpty())
		}
		status, _ := post(url, "nobody", `{"text":"画"}`)
		Expect(status).To(Equal(http.StatusNotFound))
	})

	It("S8: responds to a mask that cannot be decoded with the same error as to other invalid input", func() {
		url := serving("studio", "--fault", "router:slow=1ms")
		for _, mask := range []string{"@", "", "data:,", "iVBORw0KGgo=",
			base64.StdEncoding.EncodeToString(hugePNG(4097, 1))} {
			status, stream := post(url, "studio",
				fmt.Sprintf(`{"text":"把这里改成红色","maskData":{"base64":%q,"imageUrl":"https://example.org/a.png"}}`, mask))
			Expect(status).To(Equal(http.StatusOK), stream)
			Expect(stream).To(And(ContainSubstring(`"code":"INVALID_MASK"`), ContainSubstring("event: done")), mask)
		}
	})

	It("refuses requests of other hosts and origins unless allowed", func() {
		url := serving("prompt", "--base-url", serveModel(passThrough), "--model", "m", "--allow-origin",
			"https://app.example.org,http://localhost:3000", "--allow-host", "agents.example.org")
		for _, c := range []struct {
			host, origin string
			want         int
		}{
			{"", "", 200}, {"agents.example.org", "", 200}, {"", "https://app.example.org", 200},
			{"", "http://localhost:3000", 200},
			{"evil.example", "", 403}, {"", "https://evil.example", 403}, {"", "http://localhost:3001", 403},
		} {
			r, err := http.NewRequest(http.MethodGet, url+"/v1/agents/prompt/chat?text=hello", nil)
			Expect(err).NotTo(HaveOccurred())
			r.Host = c.host
			r.Header.Set("Accept", "text/event-stream")
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			resp, err := http.DefaultClient.Do(r)
			Expect(err).NotTo(HaveOccurred())
			Expect(io.Copy(io.Discard, resp.Body)).Error().NotTo(HaveOccurred())
			Expect(resp.StatusCode).To(Equal(c.want), "%+v", c)
			if c.want == 200 {
				Expect(resp.Header.Get("Access-Control-Allow-Origin")).To(Equal(c.origin))
			}
		}
	})

	DescribeTable("refuses invalid flags in one line", func(want string, args ...string) {
		GinkgoT().Setenv("DASHSCOPE_API_KEY", "")
		got := evalctl(append([]string{"serve"}, args...)...)
		Expect(got.stderr).To(Equal("evalctl: " + want + "\n"))
		Expect(got.code).To(Equal(exit.InvalidUsage))
	},
		Entry(nil, `unknown agent "stduio", did you mean "studio"?`, "stduio"),
		Entry(nil, `--critic: unknown critic "lm", did you mean "llm"?`, "--critic", "lm"),
		Entry(nil, "--critic: "+suite.UnknownSettingError("critic", "toolrouter").Error(), "toolrouter",
			"--critic", "llm"),
		Entry(nil, "--plan-retry-prompt: no variant makes use of it", "studio", "--plan-retry-prompt", "serve_test.go"),
		Entry(nil, "--review-prompt: no variant makes use of it", "studio", "--review-prompt", "serve_test.go"),
		Entry(nil, `--real: unknown component "imag", did you mean "image"?`, "--real", "imag=dashscope:x"),
		Entry(nil, `--real: "image" is not COMPONENT=PROVIDER:NAME, as in image=dashscope:qwen-image-max`,
			"--real", "image"),
		Entry(nil, `--real: search=tavily: tavily has no models`, "toolrouter", "--real", "search=tavily"),
		Entry(nil, `--real: retrieval=http://[redacted]@: "http://[redacted]@" is not an address like http://127.0.0.1:8000/v1`, "scholar", "--real", "retrieval=http://me:password@"),
		Entry(nil, `--real: retrieval=ragflow: requires a URL, as in ragflow:http://127.0.0.1:9380`, "scholar",
			"--real", "retrieval=ragflow"),
		Entry(nil, `--real: retrieval=x: unknown service "x" (known: ragflow)`, "scholar", "--real", "retrieval=x"),
		Entry(nil, `--real: search=http://127.0.0.1:1: requires the service before the URL: tavily or bocha:URL`,
			"scholar", "--real", "search=http://127.0.0.1:1"),
		Entry(nil, `--real: answer=http://127.0.0.1:1/v1: answer has a model, not an address: --model and --base-url say where models are`, "scholar", "--real", "answer=http://127.0.0.1:1/v1"),
		Entry(nil, `--model: tavily has no models`, "toolrouter", "--model", "tavily"),
		Entry(nil, `--real: critic=dashscope:qwen-plus: studio makes no use of it with these settings`, "studio",
			"--real", "critic=dashscope:qwen-plus"),
		Entry(nil, `--real: image=dashscope:qwen-image-max: studio makes no use of it with these settings`,
			"studio", "--allow-simulated", "--real", "image=dashscope:qwen-image-max", "--image-generator",
			"placeholder"),
		Entry(nil, `models.image.api_key_env: the environment has no DASHSCOPE_API_KEY`, "studio", "--allow-simulated",
			"--real", "image=dashscope:qwen-image-max"),
		Entry(nil, `--addr: listen tcp: address nowhere: missing port in address`, "--addr", "nowhere"),
		Entry(nil, `--model: is required with --base-url or --api-key-env`, "--base-url", "http://127.0.0.1:1"),
		Entry(nil, `--fault: fault "critic:timeout": toolrouter has no critic`, "toolrouter",
			"--fault", "critic:timeout"),
		Entry(nil, `--allow-origin: invalid origin "app.example.org": scheme is required`, "--allow-origin",
			"app.example.org"),
		Entry(nil, `--allow-origin: invalid origin "https://*.example.com": its host is not a plain name; * alone is any, and other scripts are written as xn--`,
			"--allow-origin", "https://*.example.com"),
		Entry(nil, `--allow-host: "*.example.org" is not a name of a host, without scheme and port`, "--allow-host",
			"*.example.org"),
		Entry(nil, `--allow-host: "example.org:80" is not a name of a host, without scheme and port`, "--allow-host",
			"example.org:80"),
		Entry(nil, `--max-concurrent-requests: must be at least 1, got -1`, "--max-concurrent-requests", "-1"),
		Entry(nil, `--max-body: must be at least 1, got 0`, "--max-body", "0"),
	)
})

// hugePNG returns an image of this size in few bytes.
func hugePNG(width, height int) []byte {
	GinkgoHelper()
	var b bytes.Buffer
	Expect(png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height)))).To(Succeed())
	return b.Bytes()
}
