package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// serving runs evalctl serve until the test ends, and returns its address.
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

// post sends a body to an agent's chat.
func post(url, agent, body string) (status int, text string) {
	GinkgoHelper()
	resp, err := http.Post(url+"/v1/agents/"+agent+"/chat", "application/json", strings.NewReader(body))
	Expect(err).NotTo(HaveOccurred())
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	Expect(err).NotTo(HaveOccurred())
	return resp.StatusCode, string(b)
}

// events are the types of a stream in order.
func events(stream string) (types []string) {
	for line := range strings.Lines(stream) {
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			types = append(types, strings.TrimSpace(name))
		}
	}
	return types
}

var _ = Describe("evalctl serve", func() {
	It("S7: streams the studio's thoughts, components and the end, over mocks that are waited for", func() {
		url := serving("studio", "--fault", "router:slow=1ms")
		status, stream := post(url, "studio", `{"text":"画一只赛博朋克风格的猫","sessionId":"s"}`)
		Expect(status).To(Equal(http.StatusOK), stream)
		Expect(events(stream)).To(Equal([]string{"thought_log", "thought_log", "thought_log", "thought_log", "thought_log", "thought_log",
			"gen_ui_component", "gen_ui_component", "gen_ui_component", "done"}))
		Expect(stream).To(ContainSubstring(`"widgetType":"SmartCanvas"`))
		Expect(stream).To(ContainSubstring(`https://picsum.photos/seed/`))
		Expect(checkStream(strings.NewReader(stream))).To(Succeed())
	})

	It("serves the tool router's chunks beside it, and remembers a session", func() {
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

	It("breaks what the agents have, each its own", func() {
		url := serving("--critic", "llm", "--fault", "critic:auth,search:auth,router:auth")
		status, stream := post(url, "studio", `{"text":"画一只猫"}`)
		Expect(status).To(Equal(http.StatusOK), stream)
		Expect(stream).To(ContainSubstring(`"code":"PLANNER_FAILED"`))
		status, stream = post(url, "toolrouter", `{"text":"现在几点了"}`)
		Expect(status).To(Equal(http.StatusOK), stream)
		Expect(stream).To(ContainSubstring(`"served":"time_query"`), "the rules stand behind its model")
	})

	It("refuses what is no request with a 4xx and JSON", func() {
		url := serving("studio")
		for body, want := range map[string]int{
			`{"text":`: http.StatusBadRequest,
			`{"text":"改","maskData":{"base64":"@@@","imageUrl":"https://example.org/a.png"}}`: http.StatusBadRequest,
			fmt.Sprintf(`{"text":%q}`, strings.Repeat("大", 50<<20/3)):                         http.StatusRequestEntityTooLarge,
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

	DescribeTable("refuses bad usage in one line", func(want string, args ...string) {
		GinkgoT().Setenv("DASHSCOPE_API_KEY", "")
		got := evalctl(append([]string{"serve"}, args...)...)
		Expect(got.stderr).To(Equal("evalctl: " + want + "\n"))
		Expect(got.code).To(Equal(exit.Usage))
	},
		Entry(nil, `unknown agent "stduio", did you mean "studio"?`, "stduio"),
		Entry(nil, `--critic: unknown critic "lm", did you mean "llm"?`, "--critic", "lm"),
		Entry(nil, "--critic: "+suite.Foreign("critic", "toolrouter").Error(), "toolrouter", "--critic", "llm"),
		Entry(nil, `--real: unknown component "imag", did you mean "image"?`, "--real", "imag=dashscope:x"),
		Entry(nil, `--real: "image" is no COMPONENT=PROVIDER:NAME, as in image=dashscope:qwen-image-max`, "--real", "image"),
		Entry(nil, `--real: critic=dashscope:qwen-plus: studio makes no use of it with these settings`, "studio", "--real", "critic=dashscope:qwen-plus"),
		Entry(nil, `--real: image=dashscope:qwen-image-max: studio makes no use of it with these settings`,
			"studio", "--real", "image=dashscope:qwen-image-max", "--painter", "placeholder"),
		Entry(nil, `models.image.api_key_env: the environment has no DASHSCOPE_API_KEY`, "studio", "--real", "image=dashscope:qwen-image-max"),
		Entry(nil, `--addr: listen tcp: address nowhere: missing port in address`, "--addr", "nowhere"),
		Entry(nil, `--model: is missing beside --base-url or --api-key-env`, "--base-url", "http://127.0.0.1:1"),
		Entry(nil, `--fault: fault "critic:timeout": toolrouter has no critic`, "toolrouter", "--fault", "critic:timeout"),
		Entry(nil, `--max-runs: -1 is less than 1`, "--max-runs", "-1"),
		Entry(nil, `--max-body: 0 is less than 1`, "--max-body", "0"),
	)
})

var _ = Describe("evalctl chat", func() {
	It("talks line by line until the input ends", func() {
		got := playOn(context.Background(), "/image https://example.org/a.png\n\n/what\n/new\n现在几点\n", "chat", "toolrouter", "--router", "rules")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(HavePrefix("· goes with the next message\n! /what is none of /image, /mask, /new, /quit\n· a new conversation\n现在是 "))
	})

	It("S6: shows the studio's thoughts and components", func() {
		got := playOn(context.Background(), "你好\n/quit\n不再读\n", "chat", "studio")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(HavePrefix("· planner  已识别意图：unknown"))
		Expect(strings.Count(got.stdout, "\n")).To(Equal(2), got.stdout)
	})

	It("ends at once when it is interrupted", func() {
		ctx, stop := context.WithCancel(context.Background())
		stop()
		Expect(playOn(ctx, "画一只猫\n", "chat", "studio").code).To(Equal(exit.Interrupted))
	})

	It("shows a picture once, also where the plan was read by its words", func() {
		got := playOn(context.Background(), "画一只猫\n", "chat", "studio", "--fault", "router:malformed_json")
		Expect(strings.Count(got.stdout, "▣ ")).To(Equal(1), got.stdout)
	})

	It("says which call failed, and how", func() {
		got := playOn(context.Background(), "画一只猫\n", "chat", "studio", "--fault", "router:auth")
		Expect(got.stdout).To(MatchRegexp(`(?m)^! planner  auth: .+$`))
		Expect(got.stdout).To(ContainSubstring("暂时没能理解你的需求"))
	})

	It("says what is no picture", func() {
		got := playOn(context.Background(), "/mask "+fileOf("mask.png", "no picture")+"\n/mask\n/image nowhere.png\n/image /dev/zero\n", "chat", "studio")
		Expect(got.stdout).To(MatchRegexp(`^! /mask: .*mask.png is no picture but text/plain; charset=utf-8\n! /mask: wants a file or an address\n! /image: open nowhere.png: no such file or directory\n! /image: open /dev/zero: is a pipe or a device, not a file\n$`))
	})

	It("wants one agent", func() {
		Expect(evalctl("chat").stderr).To(Equal("evalctl: chat: wants one of " + suggest.Join(suite.Targets()) + "\n"))
		Expect(evalctl("chat", "studoi").stderr).To(Equal("evalctl: unknown agent \"studoi\", did you mean \"studio\"?\n"))
	})
})
