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

var _ = Describe("The gates", func() {
	DescribeTable("T3, X10: reject a decision for a closed route, and the rules decide without that route",
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
		Entry("pictures off", "image_gen", "image_gen", drawing, "chat"),
		Entry("pictures off, and the text also requests a search", "image_gen", "image_gen", "画一张今天新闻的图", "web_search"),
		Entry("no key for pictures, and the text also requests the time", "image_gen", "dashscope_key",
			"画一张猫的图。现在几点了？", "time_query"),
		Entry("search off", "web_search", "web_search", "今天有什么新闻", "chat"),
		Entry("search off, and the text resembles an image request", "web_search", "web_search",
			"搜一下怎么画一张猫", "image_gen"),
		Entry("no key for search", "web_search", "dashscope_key", "今天有什么新闻", "chat"),
	)

	DescribeTable("T3: also apply to the rules as a fallback",
		func(gate, text, want string) {
			s := newStage(says{component.Chat: "好"})
			s.config.Mode = toolrouter.Rules
			reply, err := s.play(agent.Turn{Text: text, Options: options(gate, "false")})
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(want))
		},
		Entry("pictures", "image_gen", drawing, "chat"),
		Entry("search", "web_search", "今天有什么新闻", "chat"),
		Entry("the time needs no key", "dashscope_key", "现在几点", "time_query"),
	)

	It("T3: with the agent off, make every turn chat without a routing call", func() {
		s := newStage(says{component.Router: route("image_gen", 1), component.Chat: "好"})
		for _, text := range []string{drawing, "现在几点", "今天有什么新闻"} {
			reply, err := s.play(agent.Turn{Text: text, Options: options("agent", "false")})
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(toolrouter.Chat))
			Expect(reply.DecidedBy).To(Equal("guard"))
			Expect(s.asked()).To(Equal([]component.Role{component.Chat}))
			Expect(s.of(trace.KindRoute)).To(Equal([]string{"route chat (agent_off)"}))
		}
	})

	It("T3: do not replace a failed picture by a closed search", func() {
		s := newStage(says{component.Router: route("image_gen", 1), component.Chat: "好"})
		s.faults = "image:auth"
		reply, err := s.play(agent.Turn{Text: "画一张今天新闻的图", Options: options("web_search", "false")})
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.AnsweredBy).To(Equal(toolrouter.Chat))
		Expect(s.asked()).NotTo(ContainElement(component.Search))
	})

	It("T3: cannot be opened by a turn if the configuration closes them", func() {
		s := newStage(says{component.Router: route("image_gen", 1), component.Chat: "好"})
		s.config.Disabled.ImageGen = true
		reply, err := s.play(agent.Turn{Text: drawing, Options: options("image_gen", "true")})
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Predicted).To(Equal(toolrouter.Chat))
	})

	DescribeTable("T9: end a turn with a bad option with an error that names it, and with done",
		func(want string, pairs ...string) {
			s := newStage(says{component.Chat: "好"})
			reply, err := s.play(agent.Turn{Text: "你好", Options: options(pairs...)})
			Expect(err).To(MatchError(want))
			Expect(reply).To(Equal(agent.Reply{}))
			Expect(s.story()).To(Equal([]string{"0s done "}))
		},
		Entry("unknown", "option images: unknown", "images", "true"),
		Entry("not a boolean", "option agent: 1 is neither true nor false", "agent", "1"),
		Entry("null", "option image_gen: null is neither true nor false", "image_gen", "null"),
		Entry("the first of two by name", "option a: unknown", "b", "true", "a", "true"),
	)
})
