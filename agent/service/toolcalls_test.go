package service_test

import (
	"context"
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
)

var _ = Describe("Tool calls of an agent", func() {
	answered := func(err error) string {
		return streamed(only(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
			return agent.Reply{Content: "新闻如下", AnsweredBy: "web_search", Predicted: "web_search",
				ToolCalls: []agent.ToolCall{
					{Name: "web_search", Input: "今天有什么新闻", Output: "- <事实>"},
					{Name: "image_gen", Input: "a cat", Output: "https://e.com/a.png"},
				}}, err
		}))
	}
	const wantCalls = `"toolCalls":[{"name":"web_search","input":"今天有什么新闻","output":"- <事实>"},` +
		`{"name":"image_gen","input":"a cat","output":"https://e.com/a.png"}]`

	It("T7: are listed in done, in order", func() {
		Expect(answered(nil)).To(ContainSubstring(`"predicted":"web_search",` + wantCalls + `,"sessionId":"s1"}}`))
	})

	It("T7, T9: are also listed in done if the answer ends with an error", func() {
		Expect(answered(errors.New("cut"))).To(ContainSubstring(wantCalls))
	})

	It("are omitted from done if there are none", func() {
		Expect(streamed(only(silent))).NotTo(ContainSubstring("toolCalls"))
	})
})
