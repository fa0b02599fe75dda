package mocks_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/clock"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/script"
	"evalctl/mocks/wire"
)

const rules = `
components:
  - match: {system: 审稿}
    component: critic
rules:
  - match: {model: qwen-max}
    answer:
      error: {status: 429, retry_after: 2s}
  - match: {component: critic}
    answer: {content: 不合格, finish_reason: length, usage: {prompt_tokens: 7, completion_tokens: 3}}
default: {content: 好的, delay: 5s}
`

var _ = Describe("a scripted model, over HTTP", func() {
	ctx := context.Background()

	load := func() *mocks.Server {
		GinkgoHelper()
		s, err := script.Parse("s.yaml", strings.NewReader(rules), nil)
		Expect(err).NotTo(HaveOccurred())
		return newServer(mocks.Config{Model: s})
	}

	It("returns errors in the provider's format", func() {
		res, err := newClient(load(), wire.DashScope).CreateChatCompletion(ctx, ask("qwen-max", "x"))
		var api *openai.APIError
		Expect(errors.As(err, &api)).To(BeTrue())
		Expect(api.HTTPStatusCode).To(Equal(429))
		Expect(api.Code).To(Equal("limit_requests"))
		Expect(res.Header().Get("Retry-After")).To(Equal("2"))
	})

	It("determines the component of a request by the system message", func() {
		s := load()
		r := askJSON("qwen-plus", "看看")
		r.Messages[0].Content = "你是审稿人，用 JSON 回答"
		res, err := newClient(s, wire.DashScope).CreateChatCompletion(ctx, r)
		Expect(err).NotTo(HaveOccurred())
		Expect(res.Choices[0].Message.Content).To(Equal("不合格"))
		Expect(res.Choices[0].FinishReason).To(Equal(openai.FinishReasonLength))
		Expect(res.Usage.TotalTokens).To(Equal(10))
		Expect(s.Log()[0].Role).To(Equal(component.Critic))
	})

	It("answers after the delay in the script", func() {
		simulate(load(), func(ctx context.Context, doer *http.Client) {
			start := clock.Now(ctx)
			res, err := clientOf("http://mock/v1", doer).CreateChatCompletion(ctx, ask("m", "x"))
			Expect(err).NotTo(HaveOccurred())
			Expect(res.Choices[0].Message.Content).To(Equal("好的"))
			Expect(clock.Since(ctx, start)).To(Equal(5 * time.Second))
		})
	})
})
