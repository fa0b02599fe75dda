package mocks_test

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/mocks"
	"evalctl/mocks/model"
)

var _ = Describe("a simulated chat API", func() {
	ctx := context.Background()

	for d := range bases {
		Context("of "+string(d), func() {
			It("answers the go-openai client", func() {
				c := newClient(newServer(mocks.Config{Model: constantModel("你好，\"世界\"\n<b>")}), d)
				res, err := c.CreateChatCompletion(ctx, ask(chatModels[d], "在吗"))
				Expect(err).NotTo(HaveOccurred())
				Expect(res.Choices[0].Message.Content).To(Equal("你好，\"世界\"\n<b>"))
				Expect(res.Choices[0].FinishReason).To(Equal(openai.FinishReasonStop))
				Expect(res.Model).To(Equal(chatModels[d]))
				Expect(res.Usage.TotalTokens).To(Equal(res.Usage.PromptTokens + res.Usage.CompletionTokens))
				Expect(res.Usage.CompletionTokens).To(BeNumerically(">", 0))
			})

			It("streams the same text in chunks", func() {
				c := newClient(newServer(mocks.Config{Model: constantModel("春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。")}), d)
				st, err := c.CreateChatCompletionStream(ctx, ask(chatModels[d], "背首诗"))
				text, last, end := readStream(st, err)
				Expect(end).To(MatchError(io.EOF))
				Expect(text).To(Equal("春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。"))
				Expect(last.Choices[0].FinishReason).To(Equal(openai.FinishReasonStop))
			})

			It("refuses a missing and an invalid API key", func() {
				s := newServer(mocks.Config{APIKey: "sk-right"})
				for _, key := range []string{"", "Bearer wrong-key-9876"} {
					w := send(s, "POST", bases[d]+"/chat/completions", `{}`, "Authorization: "+key)
					Expect(w.Code).To(Equal(401))
					Expect(w.Body.String()).NotTo(ContainSubstring("wrong-key"))
				}
				w := send(s, "POST", bases[d]+"/chat/completions", `{}`, "Authorization: bearer sk-right")
				Expect(w.Code).To(Equal(400))
			})

			It("returns a list of models", func() {
				list, err := newClient(newServer(mocks.Config{}), d).ListModels(ctx)
				Expect(err).NotTo(HaveOccurred())
				Expect(list.Models).NotTo(BeEmpty())
			})

			It("returns the tool calls of the simulated model, streamed or not", func() {
				m := model.Func(func(model.Request) model.Answer {
					return model.Answer{ToolCalls: []model.ToolCall{{Name: "weather", Arguments: `{"city":"上海"}`},
						{Name: "clock", Arguments: `{}`}}}
				})
				c := newClient(newServer(mocks.Config{Model: m}), d)
				res, err := c.CreateChatCompletion(ctx, ask(chatModels[d], "天气"))
				Expect(err).NotTo(HaveOccurred())
				Expect(res.Choices[0].FinishReason).To(Equal(openai.FinishReasonToolCalls))
				Expect(res.Choices[0].Message.ToolCalls).To(HaveLen(2))
				Expect(res.Choices[0].Message.ToolCalls[0].ID).To(HavePrefix("call_"))
				Expect(res.Choices[0].Message.ToolCalls[0].Function.Arguments).To(Equal(`{"city":"上海"}`))
				Expect(streamedArguments(c, chatModels[d])).To(Equal([]string{`{"city":"上海"}`, `{}`}))
			})
		})
	}

	It("accepts the paths of DeepSeek under /v1 if the host is DeepSeek's", func() {
		s := newServer(mocks.Config{})
		r := httptest.NewRequest("GET", "https://api.deepseek.com/v1/models", nil)
		r.Header.Set("Authorization", "Bearer k")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		Expect(w.Body.String()).To(ContainSubstring("deepseek-flash"))
	})

	DescribeTable("returns a reasoning text if the model thinks",
		func(path, body string, thinks bool) {
			s := newServer(mocks.Config{Model: constantModel("四")})
			w := post(s, path, body)
			Expect(w.Code).To(Equal(200), w.Body.String())
			if thinks {
				Expect(w.Body.String()).To(ContainSubstring(`"reasoning_content":"`))
			} else {
				Expect(w.Body.String()).NotTo(ContainSubstring("reasoning_content"))
			}
		},
		Entry("deepseek-v4: thinks by default", "/chat/completions",
			`{"model":"deepseek-v4-flash","messages":[{"role":"user","content":"2+2"}]}`, true),
		Entry("deepseek-v4: thinking is disabled in the request", "/chat/completions",
			`{"model":"deepseek-v4-flash","thinking":{"type":"disabled"},"messages":[{"role":"user","content":"2+2"}]}`,
			false),
		Entry("deepseek-chat: never thinks", "/chat/completions",
			`{"model":"deepseek-chat","messages":[{"role":"user","content":"2+2"}]}`, false),
		Entry("qwen: does not think by default", "/compatible-mode/v1/chat/completions",
			`{"model":"qwen-plus","messages":[{"role":"user","content":"2+2"}]}`, false),
		Entry("qwen: thinking is enabled in the request", "/compatible-mode/v1/chat/completions",
			`{"model":"qwen-plus","enable_thinking":true,"messages":[{"role":"user","content":"2+2"}]}`, true),
		Entry("qwen: enable_thinking inside chat_template_kwargs is ignored", "/compatible-mode/v1/chat/completions",
			`{"model":"qwen-plus","chat_template_kwargs":{"enable_thinking":true},"messages":[{"role":"user","content":"2+2"}]}`, false),
		Entry("doubao-seed: thinks by default", "/api/v3/chat/completions",
			`{"model":"doubao-seed-1-6-251015","messages":[{"role":"user","content":"2+2"}]}`, true),
		Entry("doubao-seed: thinking is disabled in the request", "/api/v3/chat/completions",
			`{"model":"doubao-seed-1-6-251015","thinking":{"type":"disabled"},"messages":[{"role":"user","content":"2+2"}]}`, false),
	)

	It("cuts an answer at max_tokens, with the finish reason length", func() {
		w := post(newServer(mocks.Config{Model: constantModel("一二三四五六")}), "/v1/chat/completions",
			`{"model":"m","max_tokens":3,"messages":[{"role":"user","content":"数"}]}`)
		Expect(w.Body.String()).To(ContainSubstring(`"content":"一二三"`))
		Expect(w.Body.String()).To(ContainSubstring(`"finish_reason":"length"`))
	})
})

func streamedArguments(c *openai.Client, model string) []string {
	GinkgoHelper()
	st, err := c.CreateChatCompletionStream(context.Background(), ask(model, "天气"))
	Expect(err).NotTo(HaveOccurred())
	var out []string
	for {
		chunk, err := st.Recv()
		if errors.Is(err, io.EOF) {
			return out
		}
		Expect(err).NotTo(HaveOccurred())
		for _, t := range chunk.Choices[0].Delta.ToolCalls {
			if *t.Index == len(out) {
				Expect(t.ID).To(HavePrefix("call_"))
				out = append(out, "")
			}
			out[*t.Index] += t.Function.Arguments
		}
	}
}
