package toolrouter_test

import (
	"context"
	"encoding/json"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/toolrouter"
	"evalctl/agent/trace"
	"evalctl/mocks/component"
	"evalctl/mocks/latency"
	"evalctl/mocks/wire"
)

const (
	syncImages = "/api/v1/services/aigc/multimodal-generation/generation"
	taskImages = "/api/v1/services/aigc/text2image/image-synthesis"
)

// imageGenerator returns a stage whose deciding model chooses image generation. Every call takes
// one second.
func imageGenerator() *stage {
	s := newStage(says{component.Router: route("image_gen", 0.9), "improve": " 一只橘猫，暖光\n", component.Chat: "聊聊",
		component.Search: "- 事实"})
	s.mocks.Latency["chat"] = latency.Constant(time.Second)
	return s
}

var _ = Describe("An image request", func() {
	It("T5: shows a banner, rewrites the prompt, generates the image and confirms it", func() {
		s := imageGenerator()
		reply, err := s.say(drawing)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.story()).To(Equal([]string{
			"1s span router#1 ok",
			"1s route image_gen (llm)",
			"1s banner 🎨 正在生成图片...",
			"2s span image_rewrite#1 ok",
			"3s span image#1 ok",
			"3s chunk 图片已经生成好了。",
			"3s done 图片已经生成好了。",
		}))
		Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteImageGen))
		Expect(s.asked()).To(Equal([]component.Role{component.Router, component.Chat, component.Image}))
	})

	It("T5: has its prompt rewritten by the chat model if no other model is configured", func() {
		s := imageGenerator()
		cfg, err := s.prepare()
		Expect(err).NotTo(HaveOccurred())
		cfg.PromptRewriter = nil
		a, err := toolrouter.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		reply, err := s.playBy(a, agent.Turn{Text: drawing}, func(context.CancelFunc, trace.Event) {})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.story()).To(ContainElement("2s span chat#1 ok"))
		Expect(reply.ToolCalls[0].Input).To(Equal("一只橘猫，暖光"))
	})

	It("T5: ignores the reasoning of the model that rewrites the prompt", func() {
		s := imageGenerator()
		s.mocks.Model.(says)["improve"] = "<think>用户要猫</think>\n一只橘猫"
		reply, err := s.say(drawing)
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.ToolCalls[0].Input).To(Equal("一只橘猫"))
	})

	It("T5: returns the image URL in its own field and in a tool call, but not in the text", func() {
		s := imageGenerator()
		reply, err := s.say(drawing)
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.GeneratedImageURL).To(HavePrefix(wire.ImageBaseURL))
		Expect(reply.Content).To(Equal("图片已经生成好了。"))
		Expect(reply.ToolCalls).
			To(Equal([]agent.ToolCall{{Name: "image_gen", Input: "一只橘猫，暖光", Output: reply.GeneratedImageURL}}))
		for _, e := range s.events {
			Expect(e.Text).NotTo(Or(ContainSubstring("!["), ContainSubstring("http")))
		}
	})

	It("T5: is confirmed in the user's language", func() {
		s := imageGenerator()
		reply, err := s.say("draw me a cat")
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Content).To(Equal("Your picture is ready."))
	})

	It("T5, T9: shows its banner in the stream, but not in the content of the answer", func() {
		s := imageGenerator()
		_, err := s.say(drawing)
		Expect(err).NotTo(HaveOccurred())
		chunks, dones := s.shown()
		Expect(chunks).To(Equal([]string{"🎨 正在生成图片...", "图片已经生成好了。"}))
		Expect(dones).To(Equal([]string{"图片已经生成好了。"}))
	})

	DescribeTable("T5, X4: uses the user's text as the prompt if rewriting it fails",
		func(fault, words, reason string) {
			s := imageGenerator()
			s.faults = fault
			s.mocks.Model.(says)["improve"] = words
			reply, err := s.say(drawing)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteImageGen))
			Expect(reply.ToolCalls[0].Input).To(Equal(drawing))
			Expect(s.of(trace.KindFallback)).To(Equal([]string{"fallback image_rewrite→text (" + reason + ")"}))
		},
		Entry("the API key is rejected", "chat:auth", "好", "auth"),
		Entry("the call times out", "chat:timeout", "好", "timeout"),
		Entry("the rewritten prompt is blank", "", " \n", "empty_content"),
		Entry("the answer contains only reasoning", "", "<think>要画猫</think>", "no_content"),
	)

	It("T5, T10: is rewritten with the conversation, so that it may refer to earlier messages", func() {
		s := imageGenerator()
		_, err := s.play(agent.Turn{Text: "再画一张，换成黑猫", History: []agent.Message{
			{Role: "system", Content: "你是一只鹦鹉。"}, {Role: "user", Content: "画一只橘猫趴在窗台上"},
			{Role: "assistant", Content: "图片已经生成好了。", GeneratedImageURL: "https://example.com/cat.png"},
		}})
		Expect(err).NotTo(HaveOccurred())
		sent := s.messages(deepSeek, 1)
		Expect(sent[0].Content).To(ContainSubstring("改写提示词"))
		Expect(sent[1:]).To(Equal([]message{{Role: "user", Content: "画一只橘猫趴在窗台上"},
			{Role: "assistant", Content: "图片已经生成好了。"}, {Role: "user", Content: "再画一张，换成黑猫"}}))
	})

	It("T5, T10: is rewritten with the contents of the turn's documents", func() {
		s := imageGenerator()
		_, err := s.play(agent.Turn{Text: "给文件里的故事画封面",
			Documents: []agent.Document{{Name: "a.txt", Content: "蜗牛提灯找月亮"}}})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.messages(deepSeek, 1)[1].Content).To(ContainSubstring("蜗牛提灯找月亮"))
	})

	DescribeTable("T5, X10: is answered by another route that the text requests if the generation fails, or else by chat",
		func(text, served string, steps ...string) {
			s := imageGenerator()
			s.faults = "image:server_error"
			reply, err := s.say(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(toolrouter.RouteImageGen))
			Expect(reply.AnsweredBy).To(Equal(served))
			Expect(reply.GeneratedImageURL).To(BeEmpty())
			Expect(s.of(trace.KindFallback)).To(Equal(steps))
		},
		Entry("the text also requests a search", "画一张今天新闻的图", "web_search",
			"fallback image_gen→web_search (server_error)"),
		Entry("the text also contains a time question", "画一张猫的图。现在几点了？", "time_query",
			"fallback image_gen→time_query (server_error)"),
		Entry("the text requests nothing else", drawing, "chat", "fallback image_gen→chat (server_error)"),
	)

	It("T5, T7: is answered by the clock if the generation and then the web search fail", func() {
		s := imageGenerator()
		s.faults = "image:server_error+search:server_error"
		reply, err := s.say("画一张今天新闻的图。现在几点了？")
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteTimeQuery))
		Expect(s.of(trace.KindFallback)).To(Equal([]string{
			"fallback image_gen→web_search (server_error)", "fallback search→search_fallback (server_error)",
			"fallback web_search→time_query (server_error)",
		}))
		Expect(s.of(trace.KindBanner)).To(HaveLen(2))
		Expect(reply.Content).To(HavePrefix("现在是"))
		Expect(reply.ToolCalls).To(BeEmpty())
	})

	It("T6, X9: is sent to the image service in one call with a text as its only content", func() {
		s := imageGenerator()
		_, err := s.say(drawing)
		Expect(err).NotTo(HaveOccurred())
		var body struct {
			Model string
			Input struct {
				Messages []struct{ Content []map[string]string }
			}
		}
		Expect(json.Unmarshal([]byte(s.bodies[syncImages][0]), &body)).To(Succeed())
		Expect(body.Model).To(Equal("qwen-image-max"))
		Expect(body.Input.Messages[0].Content).To(Equal([]map[string]string{{"text": "根据描述生成图片: 一只橘猫，暖光"}}))
		for _, e := range s.server.Log() {
			Expect(e.Notes).To(BeEmpty())
		}
	})

	It("X9: is preceded by a routing request that requires JSON and disables reasoning", func() {
		s := imageGenerator()
		s.config.Router = s.client("router", "dashscope", "qwen-plus")
		_, err := s.say(drawing)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.bodies[dashScope][0]).
			To(And(ContainSubstring(`"enable_thinking":false`), ContainSubstring(`"json_object"`)))
	})

	Describe("to a service that returns a task", func() {
		var s *stage
		BeforeEach(func() {
			s = imageGenerator()
			s.tasks = true
			s.mocks.Latency = map[string]latency.Latency{}
			s.mocks.Images.Running = 9 * time.Second
		})

		It("T6, X5: takes exactly 10 s for a 9 s task that is polled every 2 s", func() {
			reply, err := s.say(drawing)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteImageGen))
			Expect(s.duration).To(Equal(10 * time.Second))
			Expect(pollTimes(s)).To(Equal([]time.Duration{2e9, 4e9, 6e9, 8e9, 10e9}))
			Expect(s.bodies[taskImages]).To(HaveLen(1))
		})

		It("T6: also takes the time of the call that creates the task", func() {
			s.faults = "image:rate_limited=3s@1"
			_, err := s.say(drawing)
			Expect(err).NotTo(HaveOccurred())
			Expect(s.duration).To(Equal(13 * time.Second))
		})

		It("T6: succeeds even if one poll fails", func() {
			s.faults = "poll:server_error@2+poll:reset@5"
			reply, err := s.say(drawing)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteImageGen))
			Expect(s.duration).To(Equal(12 * time.Second))
			Expect(s.of(trace.KindRetry)).To(Equal([]string{"retry image (server_error)", "retry image (reset)"}))
		})

		It("T6, X4: fails after 60 polls in exactly 120 s", func() {
			s.faults = "image:task_endless"
			reply, err := s.say(drawing)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteChat))
			Expect(pollTimes(s)).To(HaveLen(60))
			Expect(pollTimes(s)[59]).To(Equal(120 * time.Second))
			Expect(s.duration).To(Equal(120 * time.Second))
			Expect(s.of(trace.KindTimeout)).To(Equal([]string{"timeout image (polls_exhausted)"}))
			Expect(s.of(trace.KindFallback)).To(Equal([]string{"fallback image_gen→chat (timeout)"}))
		})

		It("T5, T6: is answered by chat after 120 s if the polls get no response", func() {
			s.faults = "poll:timeout"
			reply, err := s.say(drawing)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteChat))
			Expect(s.duration).To(BeNumerically("~", 120*time.Second, time.Second))
			Expect(s.of(trace.KindFallback)).To(Equal([]string{"fallback image_gen→chat (timeout)"}))
		})

		It("T6: is answered by chat immediately if the service reports that the task failed", func() {
			s.faults = "image:task_failed"
			reply, err := s.say(drawing)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteChat))
			Expect(s.of(trace.KindFallback)).To(Equal([]string{"fallback image_gen→chat (task_failed)"}))
		})

		It("X6: ends without further events if the caller cancels it", func() {
			s.faults = "image:task_endless"
			polls := 0
			reply, err := s.playUntil(agent.Turn{Text: drawing}, func(cancel context.CancelFunc, e trace.Event) {
				if e.Node == "image" {
					if polls++; polls == 5 {
						cancel()
					}
				}
			})
			Expect(err).To(MatchError(context.Canceled))
			Expect(reply.AnsweredBy).To(BeEmpty())
			Expect(s.duration).To(Equal(8 * time.Second))
			Expect(s.of(trace.KindFallback)).To(BeEmpty())
			Expect(s.of(trace.KindDone)).To(Equal([]string{"done "}))
		})
	})
})

func pollTimes(s *stage) (list []time.Duration) {
	var created bool
	for _, e := range s.events {
		if e.Kind != trace.KindSpan || e.Node != "image" {
			continue
		}
		if created {
			list = append(list, e.Offset)
		}
		created = true
	}
	return list
}
