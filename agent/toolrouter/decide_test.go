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

// drawing is a text that the rules recognize as a request for an image.
const drawing = "画一张猫的图"

// routeLast returns a model's answer whose last field is the route, so that the route is missing if
// the answer is cut off.
func routeLast(to string) string { return `{"confidence":0.9,"reason":"因为","route":"` + to + `"}` }

var _ = Describe("The routing decision", func() {
	DescribeTable("T1: is the route that the model returns, even if the rules would choose another one",
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
		Entry("the model chooses image generation", toolrouter.RouteImageGen, "图片已经生成好了"),
		Entry("the model chooses a web search", toolrouter.RouteWebSearch, "聊聊"),
		Entry("the model chooses the clock", toolrouter.RouteTimeQuery, "现在是 2026年11月20日"),
		Entry("the model chooses chat", toolrouter.RouteChat, "聊聊"),
	)

	It("T1: depends only on the last user message by default", func() {
		s := newStage(says{component.Router: route(toolrouter.RouteChat, 0.9), component.Chat: "好"})
		_, err := s.play(agent.Turn{Text: "谢谢", History: []agent.Message{{Role: "user", Content: drawing}}})
		Expect(err).NotTo(HaveOccurred())
		asked := s.messages(deepSeek, 0)
		Expect(asked).To(HaveLen(2))
		Expect(asked[1]).To(Equal(message{Role: "user", Content: "谢谢"}))
	})

	DescribeTable("T2: records, in every mode, what the model decided and which route would follow if that is accepted or rejected",
		func(mode toolrouter.RoutingMode, answer string, want *agent.ModelDecision) {
			s := newStage(says{component.Router: answer, component.Chat: "好"})
			s.config.Mode = mode
			reply, err := s.say(drawing)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.ModelDecision).To(Equal(want))
		},
		Entry("the confidence is high enough, so the model decides", toolrouter.ModeLLMFirst, route("chat", 0.9),
			&agent.ModelDecision{Label: "chat", Confidence: new(0.9), DecisionIfRejected: "image_gen"}),
		Entry("the confidence is too low, so the rules decide", toolrouter.ModeLLMFirst, route("chat", 0.2),
			&agent.ModelDecision{Label: "chat", Confidence: new(0.2), DecisionIfRejected: "image_gen"}),
		Entry("in mode llm, the model decides even with a low confidence", toolrouter.ModeLLM, route("chat", 0.2),
			&agent.ModelDecision{Label: "chat", Confidence: new(0.2)}),
		Entry("an invalid answer, which contains no decision of the model", toolrouter.ModeLLMFirst, "我觉得是聊天", nil),
		Entry("in mode rules, no model is called", toolrouter.ModeRules, route("chat", 0.9), nil),
	)

	DescribeTable("T2, X3, X4: is made by the rules if the model call fails or its answer is not usable",
		func(answer, fault, reason string, after time.Duration) {
			s := newStage(says{component.Router: answer, component.Chat: "好"})
			s.faults = fault
			reply, err := s.say(drawing)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(toolrouter.RouteImageGen))
			Expect(reply.DecidedBy).To(Equal("rules"))
			Expect(reply.Rule).To(Equal("image.1"))
			Expect(s.of(trace.KindFallback)[0]).To(Equal("fallback router→rules (" + reason + ")"))
			Expect(s.of(trace.KindRoute)).To(Equal([]string{"route image_gen (" + reason + ")"}))
			Expect(decidedAt(s)).To(BeNumerically("~", after, after/100))
		},
		Entry("the call times out, without a retry", route("chat", 0.9), "router:timeout", "timeout", 10*time.Second),
		Entry("the API key is rejected, without a retry", route("chat", 0.9), "router:auth", "auth", time.Duration(0)),
		Entry("the answer is not JSON", "我觉得是聊天", "", "malformed_json", time.Second),
		Entry("the answer is invalid JSON", route("chat", 0.9), "router:malformed_json", "malformed_json", time.Second),
		Entry("15.14: the JSON is damaged, but the route in it is complete", `"route":"chat","confidence":0.9`, "",
			"malformed_json", time.Second),
		Entry("15.14: the JSON is damaged, and the route in it is cut off", "```json\n"+`{"route":"ch`, "",
			"malformed_json", time.Second),
		Entry("the answer is empty", route("chat", 0.9), "router:empty_content", "empty_content", time.Second),
		Entry("the answer contains an unknown route", route("music", 0.9), "", "unknown_label", time.Second),
		Entry("the answer contains no confidence", `{"route":"chat","reason":"因为"}`, "", "wrong_schema", time.Second),
		Entry("the confidence is above 1", route("chat", 1.2), "", "wrong_schema", time.Second),
		Entry("the confidence is a word", `{"route":"chat","confidence":"high","reason":""}`, "",
			"wrong_schema", time.Second),
		Entry("the answer contains no route", `{"answer":"chat"}`, "", "wrong_schema", time.Second),
		Entry("15.14: the answer is cut off after the route", `{"route":"chat","confid`+limit, "",
			"truncated", time.Second),
		Entry("15.14: the answer is cut off within the route", `{"route":"ch`+limit, "", "truncated", time.Second),
		Entry("the provider blocks the content of the request", route("chat", 0.9), "router:content_blocked",
			"bad_request", time.Duration(0)),
		Entry("the answer ends within the route, which is its last field",
			`{"confidence":0.9,"reason":"因为","route":"cha`, "",
			"malformed_json", time.Second),
		Entry("the confidence is below the threshold", route("chat", 0.59), "", "low_confidence", time.Second),
	)

	DescribeTable("T2: is accepted whatever the type of the field reason", func(reason string) {
		s := newStage(says{component.Router: `{"route":"chat","confidence":0.9,"reason":` + reason + `}`,
			component.Chat: "好"})
		reply, err := s.say(drawing)
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Predicted).To(Equal(toolrouter.RouteChat))
		Expect(reply.DecidedBy).To(Equal("llm"))
	},
		Entry("the reason is a list", `["因为"]`), Entry("the reason is an object", `{"why":"因为"}`),
		Entry("the reason is a number", `1`), Entry("the reason is null", `null`),
	)

	It("T2, X2: is made by the rules after two retries with back-off if the provider returns server errors", func() {
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

	It("T2: is accepted if the confidence equals the threshold", func() {
		s := newStage(says{component.Router: route("chat", 0.6), component.Chat: "好"})
		reply, err := s.say(drawing)
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Predicted).To(Equal(toolrouter.RouteChat))
	})

	DescribeTable("T2: depends on a configurable confidence threshold",
		func(threshold float64, source string) {
			s := newStage(says{component.Router: route("chat", 0.8), component.Chat: "好"})
			s.config.Threshold = &threshold
			reply, err := s.say("讲个笑话")
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.DecidedBy).To(Equal(source))
		},
		Entry("a threshold of zero accepts every confidence", 0.0, "llm"),
		Entry("a threshold below the confidence accepts the model's route", 0.79, "llm"),
		Entry("a threshold above the confidence leaves the decision to the rules", 0.81, "rules"),
		Entry("a threshold of one leaves the decision to the rules", 1.0, "rules"),
	)

	DescribeTable("T2, T4: follows the order image, time, search, chat if the rules decide",
		func(text, want string) {
			s := newStage(says{component.Chat: "好", component.Search: "- 事实"})
			s.config.Mode = toolrouter.ModeRules
			reply, err := s.say(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(want))
			Expect(s.asked()).NotTo(ContainElement(component.Router))
		},
		Entry("an image request takes precedence over a search request", "搜一下怎么画一张猫", toolrouter.RouteImageGen),
		Entry("an image request takes precedence over a time question", "画一张猫的图。现在几点了？", toolrouter.RouteImageGen),
		Entry("a time question takes precedence over a search request", "现在几点了，再搜一下新闻", toolrouter.RouteTimeQuery),
		Entry("a search request alone leads to a web search", "今天有什么新闻", toolrouter.RouteWebSearch),
		Entry("a text without a request is chat", "讲个笑话", toolrouter.RouteChat),
	)

	DescribeTable("X4: is recorded with the model's raw answer, whether the model, the rules or a guard made it",
		func(answer, source string) {
			s := newStage(says{component.Router: answer, component.Chat: "好"})
			reply, err := s.say("讲个笑话")
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.DecidedBy).To(Equal(source))
			i := slices.IndexFunc(s.events, func(e trace.Event) bool { return e.Kind == trace.KindRoute })
			Expect(s.events[i].RawAnswer()).To(Equal(answer))
		},
		Entry(nil, route("chat", 0.9), "llm"), Entry(nil, route("chat", 0.1), "rules"), Entry(nil, "聊天吧", "rules"),
		Entry(nil, route("music", 1), "rules"),
	)

	It("X3: is read from a code fence, after reasoning, and from the last of several answers", func() {
		s := newStage(says{component.Chat: "好", component.Router: "<think>" + route("image_gen", 1) + "</think>先是 " +
			route("image_gen", 0.9) + " 不对：\n```json\n" + route("chat", 0.8) + "\n```"})
		reply, err := s.say(drawing)
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Predicted).To(Equal(toolrouter.RouteChat))
		Expect(reply.Confidence).To(Equal(0.8))
	})

	Describe("in mode llm", func() {
		alone := func(answer, fault string) (*stage, agent.Reply, error) {
			s := newStage(says{component.Router: answer, component.Chat: "好"})
			s.config.Mode, s.faults = toolrouter.ModeLLM, fault
			reply, err := s.say(drawing)
			return s, reply, err
		}

		It("ignores the threshold", func() {
			_, reply, err := alone(route("chat", 0.1), "")
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(toolrouter.RouteChat))
		})

		It("is an invalid label if the model's answer is invalid; the chat model answers the turn", func() {
			s, reply, err := alone("嗯", "")
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(toolrouter.RouteInvalid))
			Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteChat))
			Expect(s.of(trace.KindFallback)).To(Equal([]string{"fallback router→chat (malformed_json)"}))
		})

		DescribeTable("is missing if the answer is empty, truncated or refused; the turn ends with an error",
			func(fault string, kind llm.ErrorKind) {
				s, reply, err := alone(routeLast("chat"), "router:"+fault)
				Expect(err).To(MatchError(kind))
				Expect(reply).To(Equal(agent.Reply{}))
				Expect(s.of(trace.KindRoute)).To(BeEmpty())
			},
			Entry(nil, "empty_content", llm.KindEmptyContent),
			Entry(nil, "error_in_stream", llm.KindServerError), Entry(nil, "stalled_stream", llm.KindTimeout),
			Entry(nil, "reset", llm.KindConnectionReset), Entry(nil, "content_blocked", llm.KindBadRequest),
		)

		DescribeTable("X4: is missing if the answer is truncated before a complete route; the raw answer is recorded",
			func(answer string) {
				s, reply, err := alone(answer+limit, "")
				Expect(err).To(MatchError(llm.KindTruncated))
				Expect(reply).To(Equal(agent.Reply{}))
				Expect(s.of(trace.KindRoute)).To(BeEmpty())
				i := slices.IndexFunc(s.events, func(e trace.Event) bool { return e.Kind == trace.KindNoDecision })
				Expect(s.events[i].RawAnswer()).To(Equal(answer))
			},
			Entry("the answer ends before the route", `{"confidence":0.9,"reason":"因`),
			Entry("the answer ends within the route", `{"confidence":0.9,"route":"cha`),
		)

		It("15.14: is accepted if a truncated answer contains a complete route", func() {
			_, reply, err := alone(`{"route":"chat","reason":"因`+limit, "")
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal(toolrouter.RouteChat))
		})

		It("remains in the reply if answering fails afterwards", func() {
			_, reply, err := alone(route("chat", 0.9), "chat:auth")
			Expect(err).To(MatchError(llm.KindAuth))
			Expect(reply).To(Equal(agent.Reply{Predicted: toolrouter.RouteChat, DecidedBy: "llm", Confidence: 0.9,
				Attributes:    map[string]string{"vision": "no"},
				ModelDecision: &agent.ModelDecision{Label: toolrouter.RouteChat, Confidence: new(0.9)}}))
		})

		It("X10: is missing if the model call fails; the turn has no answer", func() {
			s, reply, err := alone(route("chat", 0.9), "router:auth")
			Expect(err).To(MatchError(llm.KindAuth))
			Expect(reply).To(Equal(agent.Reply{}))
			Expect(s.of(trace.KindDone)).To(Equal([]string{"done "}))
		})
	})
})

func decidedAt(s *stage) time.Duration {
	for _, e := range s.events {
		if e.Kind == trace.KindRoute {
			return e.Offset
		}
	}
	return -1
}
