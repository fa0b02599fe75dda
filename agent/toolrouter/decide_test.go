package toolrouter_test

import (
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/toolrouter"
	"evalctl/agent/trace"
	"evalctl/mocks/component"
)

// drawing is a text that the rules route to image generation.
const drawing = "画一张猫的图"

// routeLast returns an answer whose last member is the route, so that a cut removes it.
func routeLast(to string) string { return `{"confidence":0.9,"reason":"因为","route":"` + to + `"}` }

var _ = Describe("The decision", func() {
	DescribeTable("T1: follows each of the four routes that the model returns, regardless of the rules",
		func(want, content string) {
			s := newStage(says{component.Router: route(want, 0.9), component.Chat: "聊聊", component.Search: "- 事实"})
			reply, err := s.say("说点什么")
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(want))
			Expect(reply.AnsweredBy).To(Equal(want))
			Expect(reply.DecidedBy).To(Equal("llm"))
			Expect(reply.Confidence).To(Equal(0.9))
			Expect(reply.Content).To(HavePrefix(content))
		},
		Entry("a picture", toolrouter.ImageGen, "图片已经生成好了"),
		Entry("a search", toolrouter.WebSearch, "聊聊"),
		Entry("the time", toolrouter.TimeQuery, "现在是 2026年11月20日"),
		Entry("conversation", toolrouter.Chat, "聊聊"),
	)

	It("T1: uses only the last user message", func() {
		s := newStage(says{component.Router: route(toolrouter.Chat, 0.9), component.Chat: "好"})
		_, err := s.play(agent.Turn{Text: "谢谢", History: []agent.Message{{Role: "user", Content: drawing}}})
		Expect(err).NotTo(HaveOccurred())
		asked := s.messages(deepSeek, 0)
		Expect(asked).To(HaveLen(2))
		Expect(asked[1]).To(Equal(message{Role: "user", Content: "谢谢"}))
	})

	DescribeTable("T2: records the model's decision and its alternatives in every mode",
		func(mode toolrouter.Mode, answer string, want *agent.ModelDecision) {
			s := newStage(says{component.Router: answer, component.Chat: "好"})
			s.config.Mode = mode
			reply, err := s.say(drawing)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.ModelDecision).To(Equal(want))
		},
		Entry("trusted", toolrouter.LLMFirst, route("chat", 0.9),
			&agent.ModelDecision{Label: "chat", Confidence: new(0.9), DecisionIfRejected: "image_gen"}),
		Entry("not trusted", toolrouter.LLMFirst, route("chat", 0.2),
			&agent.ModelDecision{Label: "chat", Confidence: new(0.2), DecisionIfRejected: "image_gen"}),
		Entry("without a fallback", toolrouter.LLM, route("chat", 0.2),
			&agent.ModelDecision{Label: "chat", Confidence: new(0.2)}),
		Entry("an invalid answer", toolrouter.LLMFirst, "我觉得是聊天", nil),
		Entry("without a model call", toolrouter.Rules, route("chat", 0.9), nil),
	)

	DescribeTable("T2, X3, X4: falls back to the rules if the model call fails or the answer is unusable",
		func(answer, fault, reason string, after time.Duration) {
			s := newStage(says{component.Router: answer, component.Chat: "好"})
			s.faults = fault
			reply, err := s.say(drawing)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(toolrouter.ImageGen))
			Expect(reply.DecidedBy).To(Equal("rules"))
			Expect(reply.Rule).To(Equal("image.1"))
			Expect(s.of(trace.KindFallback)[0]).To(Equal("fallback router→rules (" + reason + ")"))
			Expect(s.of(trace.KindRoute)).To(Equal([]string{"route image_gen (" + reason + ")"}))
			Expect(decidedAt(s)).To(BeNumerically("~", after, after/100))
		},
		Entry("the call times out, once", route("chat", 0.9), "router:timeout", "timeout", 10*time.Second),
		Entry("the key is refused, once", route("chat", 0.9), "router:auth", "auth", time.Duration(0)),
		Entry("no JSON", "我觉得是聊天", "", "malformed_json", time.Second),
		Entry("broken JSON", route("chat", 0.9), "router:malformed_json", "malformed_json", time.Second),
		Entry("15.14: a complete route in damaged JSON", `"route":"chat","confidence":0.9`, "",
			"malformed_json", time.Second),
		Entry("15.14: a truncated route in damaged JSON", "```json\n"+`{"route":"ch`, "",
			"malformed_json", time.Second),
		Entry("an empty answer", route("chat", 0.9), "router:empty_content", "empty_content", time.Second),
		Entry("an unknown route", route("music", 0.9), "", "unknown_label", time.Second),
		Entry("no confidence", `{"route":"chat","reason":"因为"}`, "", "wrong_schema", time.Second),
		Entry("a confidence above 1", route("chat", 1.2), "", "wrong_schema", time.Second),
		Entry("a confidence in words", `{"route":"chat","confidence":"high","reason":""}`, "",
			"wrong_schema", time.Second),
		Entry("no route", `{"answer":"chat"}`, "", "wrong_schema", time.Second),
		Entry("15.14: an answer truncated after the route", `{"route":"chat","confid`+limit, "",
			"truncated", time.Second),
		Entry("15.14: an answer truncated within the route", `{"route":"ch`+limit, "", "truncated", time.Second),
		Entry("a refused request", route("chat", 0.9), "router:content_blocked", "bad_request", time.Duration(0)),
		Entry("a truncated route", `{"confidence":0.9,"reason":"因为","route":"cha`, "", "malformed_json", time.Second),
		Entry("a confidence below the threshold", route("chat", 0.59), "", "low_confidence", time.Second),
	)

	DescribeTable("T2: accepts a decision with any type of reason", func(reason string) {
		s := newStage(says{component.Router: `{"route":"chat","confidence":0.9,"reason":` + reason + `}`,
			component.Chat: "好"})
		reply, err := s.say(drawing)
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Predicted).To(Equal(toolrouter.Chat))
		Expect(reply.DecidedBy).To(Equal("llm"))
	},
		Entry("a list", `["因为"]`), Entry("an object", `{"why":"因为"}`), Entry("a number", `1`), Entry("null", `null`),
	)

	It("T2, X2: retries a server error twice, with back-off, before the rules decide", func() {
		s := newStage(says{component.Router: route("chat", 0.9), component.Chat: "好"})
		s.faults = "router:server_error"
		reply, err := s.say("讲个笑话")
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.DecidedBy).To(Equal("rules"))
		Expect(s.of(trace.KindSpan)[:3]).
			To(Equal([]string{"span router#1 server_error", "span router#2 server_error",
				"span router#3 server_error"}))
		Expect(s.of(trace.KindRetry)).To(Equal([]string{"retry router (server_error)", "retry router (server_error)"}))
		Expect(decidedAt(s)).To(BeNumerically("~", 1500*time.Millisecond, 375*time.Millisecond),
			"0.5 s and 1 s, each ±25 %%")
	})

	It("T2: accepts a confidence equal to the threshold", func() {
		s := newStage(says{component.Router: route("chat", 0.6), component.Chat: "好"})
		reply, err := s.say(drawing)
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Predicted).To(Equal(toolrouter.Chat))
	})

	DescribeTable("T2: has a configurable threshold",
		func(threshold float64, source string) {
			s := newStage(says{component.Router: route("chat", 0.8), component.Chat: "好"})
			s.config.Threshold = &threshold
			reply, err := s.say("讲个笑话")
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.DecidedBy).To(Equal(source))
		},
		Entry("zero", 0.0, "llm"), Entry("below", 0.79, "llm"), Entry("above", 0.81, "rules"),
		Entry("one", 1.0, "rules"),
	)

	DescribeTable("T2, T4: applies the rules in the order image, time, search, chat",
		func(text, want string) {
			s := newStage(says{component.Chat: "好", component.Search: "- 事实"})
			s.config.Mode = toolrouter.Rules
			reply, err := s.say(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(want))
			Expect(s.asked()).NotTo(ContainElement(component.Router))
		},
		Entry("image before search", "搜一下怎么画一张猫", toolrouter.ImageGen),
		Entry("image before time", "画一张猫的图。现在几点了？", toolrouter.ImageGen),
		Entry("time before search", "现在几点了，再搜一下新闻", toolrouter.TimeQuery),
		Entry("search", "今天有什么新闻", toolrouter.WebSearch),
		Entry("chat", "讲个笑话", toolrouter.Chat),
	)

	DescribeTable("X4: records the model's answer with the decision for every source", func(answer, source string) {
		s := newStage(says{component.Router: answer, component.Chat: "好"})
		reply, err := s.say("讲个笑话")
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.DecidedBy).To(Equal(source))
		i := slices.IndexFunc(s.events, func(e trace.Event) bool { return e.Kind == trace.KindRoute })
		Expect(s.events[i].Answer()).To(Equal(answer))
	},
		Entry(nil, route("chat", 0.9), "llm"), Entry(nil, route("chat", 0.1), "rules"), Entry(nil, "聊天吧", "rules"),
		Entry(nil, route("music", 1), "rules"),
	)

	It("X3: reads an answer in a code fence, after reasoning, and the last of two", func() {
		s := newStage(says{component.Chat: "好", component.Router: "<think>" + route("image_gen", 1) + "</think>先是 " +
			route("image_gen", 0.9) + " 不对：\n```json\n" + route("chat", 0.8) + "\n```"})
		reply, err := s.say(drawing)
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Predicted).To(Equal(toolrouter.Chat))
		Expect(reply.Confidence).To(Equal(0.8))
	})

	Describe("by the model alone", func() {
		alone := func(answer, fault string) (*stage, agent.Reply, error) {
			s := newStage(says{component.Router: answer, component.Chat: "好"})
			s.config.Mode, s.faults = toolrouter.LLM, fault
			reply, err := s.say(drawing)
			return s, reply, err
		}

		It("ignores the threshold", func() {
			_, reply, err := alone(route("chat", 0.1), "")
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(toolrouter.Chat))
		})

		It("labels an invalid answer as invalid and answers with chat", func() {
			s, reply, err := alone("嗯", "")
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(toolrouter.Invalid))
			Expect(reply.AnsweredBy).To(Equal(toolrouter.Chat))
			Expect(s.of(trace.KindFallback)).To(Equal([]string{"fallback router→chat (malformed_json)"}))
		})

		DescribeTable("makes no decision if the answer is empty, truncated or refused",
			func(fault string, kind llm.ErrorKind) {
				s, reply, err := alone(routeLast("chat"), "router:"+fault)
				Expect(err).To(MatchError(kind))
				Expect(reply).To(Equal(agent.Reply{}))
				Expect(s.of(trace.KindRoute)).To(BeEmpty())
			},
			Entry(nil, "empty_content", llm.KindEmptyContent),
			Entry(nil, "error_in_stream", llm.KindServerError), Entry(nil, "stalled_stream", llm.KindTimeout),
			Entry(nil, "reset", llm.KindReset), Entry(nil, "content_blocked", llm.KindBadRequest),
		)

		DescribeTable("X4: records a truncated answer and makes no decision", func(answer string) {
			s, reply, err := alone(answer+limit, "")
			Expect(err).To(MatchError(llm.KindTruncated))
			Expect(reply).To(Equal(agent.Reply{}))
			Expect(s.of(trace.KindRoute)).To(BeEmpty())
			i := slices.IndexFunc(s.events, func(e trace.Event) bool { return e.Kind == trace.KindNoDecision })
			Expect(s.events[i].Answer()).To(Equal(answer))
		},
			Entry("before the route", `{"confidence":0.9,"reason":"因`),
			Entry("within it", `{"confidence":0.9,"route":"cha`),
		)

		It("15.14: accepts a complete route in a truncated answer", func() {
			_, reply, err := alone(`{"route":"chat","reason":"因`+limit, "")
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(toolrouter.Chat))
		})

		It("keeps its decision if the answer fails afterwards", func() {
			_, reply, err := alone(route("chat", 0.9), "chat:auth")
			Expect(err).To(MatchError(llm.KindAuth))
			Expect(reply).To(Equal(agent.Reply{Predicted: toolrouter.Chat, DecidedBy: "llm", Confidence: 0.9,
				ModelDecision: &agent.ModelDecision{Label: toolrouter.Chat, Confidence: new(0.9)}}))
		})

		It("X10: fails if its call fails, and answers along no route", func() {
			s, reply, err := alone(route("chat", 0.9), "router:auth")
			Expect(err).To(MatchError(llm.KindAuth))
			Expect(reply).To(Equal(agent.Reply{}))
			Expect(s.of(trace.KindDone)).To(Equal([]string{"done "}))
		})
	})
})

// decidedAt returns the time of the routing decision.
func decidedAt(s *stage) time.Duration {
	for _, e := range s.events {
		if e.Kind == trace.KindRoute {
			return e.Offset
		}
	}
	return -1
}
