package mocks_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/mocks"
)

const script = `
components:
  - match: {system: 审稿}
    component: critic
rules:
  - match: {component: router, text: 画, nth: 2}
    answer: {json: {route: chat, confidence: 0.5, tags: [a, 1, null, true, 1.5], nested: {z: 1, a: 2}}}
  - match: {component: router, regex: "^画.+猫$"}
    answer: {json: {route: image_gen, confidence: 0.95}}
  - match: {model: qwen-max}
    answer:
      error: {status: 429, retry_after: 2s}
  - match: {component: critic}
    answer: {content: 不合格, finish_reason: length, usage: {prompt: 7, completion: 3}}
  - match: {text: 天气}
    answer: {tool_calls: [{name: weather, arguments: {city: 上海}}]}
default: {content: 好的}
`

func parse(text string) (*mocks.Scripted, error) {
	return mocks.ParseScript("s.yaml", strings.NewReader(text))
}

var _ = Describe("Scripted", func() {
	ctx := context.Background()

	load := func() *openai.Client {
		GinkgoHelper()
		m, err := parse(script)
		Expect(err).NotTo(HaveOccurred())
		return dial(newServer(mocks.Config{Model: m}), mocks.DashScope)
	}
	answer := func(c *openai.Client, r openai.ChatCompletionRequest) string {
		GinkgoHelper()
		res, err := c.CreateChatCompletion(ctx, r)
		Expect(err).NotTo(HaveOccurred())
		return res.Choices[0].Message.Content
	}

	It("answers by the first rule that matches, then by the default", func() {
		c := load()
		Expect(answer(c, askJSON("qwen-plus", "画一只猫"))).To(Equal(`{"route":"image_gen","confidence":0.95}`))
		Expect(answer(c, askJSON("qwen-plus", "画一只猫"))).To(Equal(`{"route":"chat","confidence":0.5,"tags":["a",1,null,true,1.5],"nested":{"z":1,"a":2}}`))
		Expect(answer(c, askJSON("qwen-plus", "画一只狗"))).To(Equal("好的"))
		Expect(answer(c, ask("qwen-plus", "画一只猫"))).To(Equal("好的"))
	})

	It("answers with errors as the dialect has them", func() {
		res, err := load().CreateChatCompletion(ctx, ask("qwen-max", "x"))
		var api *openai.APIError
		Expect(errors.As(err, &api)).To(BeTrue())
		Expect(api.HTTPStatusCode).To(Equal(429))
		Expect(api.Code).To(Equal("limit_requests"))
		Expect(res.Header().Get("Retry-After")).To(Equal("2"))
	})

	It("says which component a request is for", func() {
		m, err := parse(script)
		Expect(err).NotTo(HaveOccurred())
		s := newServer(mocks.Config{Model: m})
		r := askJSON("qwen-plus", "看看")
		r.Messages[0].Content = "你是审稿人，用 JSON 回答"
		res, err := dial(s, mocks.DashScope).CreateChatCompletion(ctx, r)
		Expect(err).NotTo(HaveOccurred())
		Expect(res.Choices[0].Message.Content).To(Equal("不合格"))
		Expect(res.Choices[0].FinishReason).To(Equal(openai.FinishReasonLength))
		Expect(res.Usage.TotalTokens).To(Equal(10))
		Expect(s.Log()[0].Component).To(Equal(mocks.Critic))
	})

	It("calls tools", func() {
		res, err := load().CreateChatCompletion(ctx, ask("qwen-plus", "上海天气"))
		Expect(err).NotTo(HaveOccurred())
		Expect(res.Choices[0].Message.ToolCalls[0].Function.Arguments).To(Equal(`{"city":"上海"}`))
	})

	It("refuses where no rule matches and there is no default", func() {
		m, err := parse("rules:\n  - match: {text: a}\n    answer: {content: A}\n")
		Expect(err).NotTo(HaveOccurred())
		c := dial(newServer(mocks.Config{Model: m}), mocks.OpenAI)
		_, err = c.CreateChatCompletion(ctx, ask("m", "b"))
		Expect(err).To(MatchError(ContainSubstring("no rule of the script matches")))
	})

	It("waits for its delay", func() {
		m, err := parse("default: {content: x, delay: 5ms}")
		Expect(err).NotTo(HaveOccurred())
		start := time.Now()
		answer(dial(newServer(mocks.Config{Model: m}), mocks.OpenAI), ask("m", "b"))
		Expect(time.Since(start)).To(BeNumerically(">=", 5*time.Millisecond))
	})

	It("is read from a file, which its errors name", func() {
		path := filepath.Join(GinkgoT().TempDir(), "bad.yaml")
		Expect(os.WriteFile(path, []byte("rulez: []\n"), 0o600)).To(Succeed())
		_, err := mocks.LoadScript(path)
		Expect(err).To(MatchError(HavePrefix(path + ":1: ")))
		_, err = mocks.LoadScript(path + ".gone")
		Expect(err).To(MatchError(os.ErrNotExist))
	})

	DescribeTable("reports what is wrong with file and line",
		func(text string, parts ...string) {
			_, err := parse(text)
			for _, p := range parts {
				Expect(err).To(MatchError(ContainSubstring(p)))
			}
		},
		Entry("unknown key", "default: {content: x}\nrules:\n  - match: {txt: a}\n    answer: {content: b}\n", "s.yaml:3:", "txt"),
		Entry("wrong type", "rules:\n  - match: {nth: two}\n    answer: {content: b}\n", "s.yaml:2:"),
		Entry("syntax", "rules:\n  - match: {\n", "s.yaml:"),
		Entry("duplicate key", "default: {content: x}\ndefault: {content: y}\n", "s.yaml:2:"),
		Entry("empty", "", "s.yaml:1:", "neither rules nor a default"),
		Entry("regex", "default: {content: x}\nrules:\n  - match:\n      regex: '('\n    answer: {content: b}\n", "s.yaml:4:", "missing closing"),
		Entry("two at once", "rules:\n  - match: {component: rooter}\n    answer: {content: b}\n  - match: {nth: -1}\n    answer: {}\n", "s.yaml:2:", "rooter", "s.yaml:4:", "nth -1", "needs content"),
		Entry("image is no chat model", "rules:\n  - match: {component: image}\n    answer: {content: b}\n", "router, chat, vision, critic, search"),
		Entry("two answers", "default: {content: x, json: {a: 1}}", "one of content, json and error"),
		Entry("status", "default: {error: {status: 200}}", "200"),
		Entry("delay", "default: {content: x, delay: soon}", "soon"),
	)
})
