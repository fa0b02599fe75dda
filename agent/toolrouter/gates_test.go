package toolrouter_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/toolrouter"
	"evalctl/agent/trace"
	"evalctl/mocks/component"
)

func options(pairs ...string) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = json.RawMessage(pairs[i+1])
	}
	return m
}

var _ = Describe("Disabled features", func() {
	DescribeTable("T3, X10: override a decision for a route that is off; the rules then decide among the other routes",
		func(decided, gate, text, want string) {
			s := newStage(says{component.Router: route(decided, 0.95), component.Chat: "好", component.Search: "- 事实"})
			reply, err := s.play(agent.Turn{Text: text, Options: options(gate, "false")})
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(want))
			Expect(reply.AnsweredBy).To(Equal(want))
			Expect(reply.DecidedBy).To(Equal("guard"))
			Expect(*reply.ModelDecision).
				To(Equal(agent.ModelDecision{Label: decided, Confidence: new(0.95), DecisionIfAccepted: want,
					DecisionIfRejected: want}))
			Expect(s.of(trace.KindGuard)).To(Equal([]string{"guard " + decided + " (disabled)"}))
			Expect(s.of(trace.KindRoute)).To(Equal([]string{"route " + want + " (disabled)"}))
		},
		Entry("image generation is off", "image_gen", "image_gen", drawing, "chat"),
		Entry("image generation is off, and the text also requests a search", "image_gen", "image_gen",
			"画一张今天新闻的图", "web_search"),
		Entry("the key for images is missing, and the text also contains a time question", "image_gen", "dashscope_key",
			"画一张猫的图。现在几点了？", "time_query"),
		Entry("web search is off", "web_search", "web_search", "今天有什么新闻", "chat"),
		Entry("web search is off, and the text resembles a request for an image", "web_search", "web_search",
			"搜一下怎么画一张猫", "image_gen"),
		Entry("the key for searches is missing", "web_search", "dashscope_key", "今天有什么新闻", "chat"),
	)

	DescribeTable("T3: also apply if the rules decide because the model failed",
		func(gate, text, want string) {
			s := newStage(says{component.Chat: "好"})
			s.config.Mode = toolrouter.ModeRules
			reply, err := s.play(agent.Turn{Text: text, Options: options(gate, "false")})
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(want))
		},
		Entry("image generation is off", "image_gen", drawing, "chat"),
		Entry("web search is off", "web_search", "今天有什么新闻", "chat"),
		Entry("the key is missing, which the clock does not need", "dashscope_key", "现在几点", "time_query"),
	)

	It("T3: make every turn chat, without a model call for routing, if the feature agent is off", func() {
		s := newStage(says{component.Router: route("image_gen", 1), component.Chat: "好"})
		for _, text := range []string{drawing, "现在几点", "今天有什么新闻"} {
			reply, err := s.play(agent.Turn{Text: text, Options: options("agent", "false")})
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(toolrouter.RouteChat))
			Expect(reply.DecidedBy).To(Equal("guard"))
			Expect(s.asked()).To(Equal([]component.Role{component.Chat}))
			Expect(s.of(trace.KindRoute)).To(Equal([]string{"route chat (agent_off)"}))
		}
	})

	It("T3: prevent a web search as the fallback if image generation fails", func() {
		s := newStage(says{component.Router: route("image_gen", 1), component.Chat: "好"})
		s.faults = "image:auth"
		reply, err := s.play(agent.Turn{Text: "画一张今天新闻的图", Options: options("web_search", "false")})
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteChat))
		Expect(s.asked()).NotTo(ContainElement(component.Search))
	})

	It("T3: cannot be switched on by the options of a turn", func() {
		s := newStage(says{component.Router: route("image_gen", 1), component.Chat: "好"})
		s.config.Disabled.ImageGen = true
		reply, err := s.play(agent.Turn{Text: drawing, Options: options("image_gen", "true")})
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Predicted).To(Equal(toolrouter.RouteChat))
	})

	DescribeTable("T9: end a turn with an error and done if an option of the turn is invalid",
		func(want string, pairs ...string) {
			s := newStage(says{component.Chat: "好"})
			reply, err := s.play(agent.Turn{Text: "你好", Options: options(pairs...)})
			Expect(err).To(MatchError(want))
			Expect(reply).To(Equal(agent.Reply{}))
			Expect(s.story()).To(Equal([]string{"0s done "}))
		},
		Entry("an unknown option", "option images: unknown", "images", "true"),
		Entry("an option that is neither true nor false", "option agent: 1 is neither true nor false", "agent", "1"),
		Entry("an option with the value null", "option image_gen: null is neither true nor false", "image_gen", "null"),
		Entry("two unknown options; the error names the first one in alphabetical order", "option a: unknown",
			"b", "true", "a", "true"),
	)
})
