package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/graph"
	"evalctl/agent/service"
	"evalctl/agent/trace"
)

const finished = "event: done\ndata: " +
	`{"type":"done","data":{"content":"","answeredBy":"","predicted":"","sessionId":"s1"}}` + "\n\n"

// failed returns the last events that a client receives if the agent fails.
func failed(code, node, message string) string {
	return fmt.Sprintf("event: error\ndata: {\"type\":\"error\",\"data\":{\"code\":%[1]q,\"message\":%[3]q,\"node\":%[2]q}}\n\n"+
		"event: done\ndata: {\"type\":\"done\",\"data\":{\"content\":\"\",\"answeredBy\":\"\",\"predicted\":\"\",\"sessionId\":\"s1\","+
		"\"errorReply\":{\"code\":%[1]q,\"message\":%[3]q,\"node\":%[2]q}}}\n\n", code, node, message)
}

var _ = Describe("The event stream of an answer", func() {
	It("S7: contains each event once and in order, and then done", func() {
		body := streamed(only(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			for _, e := range []trace.Event{
				{Kind: trace.KindThoughtLog, Node: "planner", Text: "看懂了 <a&b>\n第二行"},
				{Kind: trace.KindRoute, To: "chat"},
				{Kind: trace.KindSpan, Span: &trace.Span{Model: "m"}},
				{Kind: trace.KindBanner, Text: "🎨 正在生成图片..."},
				{Kind: trace.KindReview, Review: &trace.Review{Loop: 1}},
				{Kind: trace.KindChunk, Text: "你"},
				{Kind: trace.KindChunk, Text: "好"},
				{Kind: trace.KindFallback}, {Kind: trace.KindRetry}, {Kind: trace.KindTimeout}, {Kind: trace.KindGuard},
				{Kind: trace.KindCacheHit}, {Kind: trace.KindCriticLoop},
				{Kind: trace.KindGenUIComponent, Node: "genui",
					Data: json.RawMessage("{\n  \"widgetType\": \"AgentMessage\",\r\n  \"props\": {\"text\": \"<b>\"}\n}")},
				{Kind: trace.KindError, Node: "error_handler",
					Data: json.RawMessage(`{"code":"MASK_REQUIRED","message":"先画蒙版","node":"planner"}`)},
				{Kind: trace.KindDone, Text: "你好"},
			} {
				emit(e)
			}
			return agent.Reply{Content: "你好", Predicted: "image_gen", AnsweredBy: "chat",
				GeneratedImageURL: "https://e.com/a.png?b=1&c=2",
				ErrorReply: &agent.ErrorReply{Code: "MASK_REQUIRED", Node: "planner", Message: "先画蒙版",
					Cause: "timeout"}}, nil
		}))
		Expect(body).To(Equal(`event: thought_log
data: {"type":"thought_log","data":{"node":"planner","message":"看懂了 <a&b>\n第二行"}}

event: banner
data: {"type":"banner","data":{"text":"🎨 正在生成图片..."}}

event: chunk
data: {"type":"chunk","data":{"text":"你"}}

event: chunk
data: {"type":"chunk","data":{"text":"好"}}

event: gen_ui_component
data: {"type":"gen_ui_component","data":{"widgetType":"AgentMessage","props":{"text":"<b>"}}}

event: error
data: {"type":"error","data":{"code":"MASK_REQUIRED","message":"先画蒙版","node":"planner"}}

event: done
data: {"type":"done","data":{"content":"你好","answeredBy":"chat","predicted":"image_gen","generatedImageUrl":"https://e.com/a.png?b=1&c=2","sessionId":"s1","errorReply":{"code":"MASK_REQUIRED","message":"先画蒙版","node":"planner","cause":"timeout"}}}

`))
	})

	It("contains only done if the agent emits no events", func() {
		Expect(streamed(only(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
			return agent.Reply{}, nil
		}))).To(Equal(finished))
	})

	It("has headers that prevent buffering by proxies", func() {
		w := recorded(made(only(silent)), "POST", chatPath, `{"sessionId":"s1"}`)
		h := w.Header()
		Expect(h.Get("Content-Type")).To(Equal("text/event-stream; charset=utf-8"))
		Expect(h.Get("Cache-Control")).To(Equal("no-cache"))
		Expect(h.Get("X-Accel-Buffering")).To(Equal("no"))
		Expect(h.Get("X-Session-Id")).To(Equal("s1"))
		Expect(w.Flushed).To(BeTrue())
	})

	It("ends with error and done if the agent returns an error; the text of the error appears only in the log", func() {
		cfg := only(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
			return agent.Reply{}, errors.New("401 from https://secret.example")
		})
		log := logged(&cfg)
		Expect(streamed(cfg)).To(Equal(failed("AGENT_FAILED", "unknown", "回答没能完成，请稍后再试。")))
		Expect(log).To(gbytes.Say(
			`level=WARN msg="agent failed" agent=a session=s1 error="401 from https://secret.example"`))
	})

	It("names the node in which an error occurred, and contains the partial reply in done", func() {
		body := streamed(only(func(_ context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			emit(trace.Event{Kind: trace.KindChunk, Text: "半"})
			return agent.Reply{Content: "半", Predicted: "chat"}, &graph.Error{Path: []string{"planner", "rag"},
				Err: errors.New("x")}
		}))
		Expect(body).To(HavePrefix("event: chunk\n"))
		Expect(body).To(ContainSubstring(`"code":"AGENT_FAILED","message":"回答没能完成，请稍后再试。","node":"rag"`))
		Expect(body).To(ContainSubstring(
			`{"content":"半","answeredBy":"","predicted":"chat","sessionId":"s1","errorReply":{"code":"AGENT_FAILED","message":"回答没能完成，请稍后再试。","node":"rag"`))
	})

	It("does not repeat an error that the agent has already emitted", func() {
		body := streamed(only(func(_ context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			emit(trace.Event{Kind: trace.KindError, Data: json.RawMessage(`{"code":"C","message":"m","node":"n"}`)})
			return agent.Reply{ErrorReply: &agent.ErrorReply{Code: "C", Node: "n", Message: "m"}}, errors.New("x")
		}))
		Expect(body).To(Equal(failed("C", "n", "m")))
	})

	It("X6: ends with an error if the agent panics, and the panic is logged", func() {
		cfg := only(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) { panic("ouch") })
		log := logged(&cfg)
		Expect(streamed(cfg)).To(Equal(failed("INTERNAL", "agent", "出了点意外，请稍后再试。")))
		Expect(log).To(gbytes.Say(
			`level=ERROR msg="agent panicked" agent=a session=s1 error="panic in agent: ouch" stack=.*stream_test.go`))
	})

	It("X6: names the node of a panic that the agent has caught", func() {
		Expect(streamed(only(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
			return agent.Reply{}, clock.CatchPanic("router", func() error { panic("ouch") })
		}))).To(Equal(failed("INTERNAL", "router", "出了点意外，请稍后再试。")))
	})

	DescribeTable("ends with an error if an event cannot be encoded, and the agent is canceled", func(kind trace.Kind) {
		cfg := only(func(ctx context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			emit(trace.Event{Kind: kind, Data: json.RawMessage(`{"widgetType":`)})
			<-ctx.Done()
			return agent.Reply{}, ctx.Err()
		})
		log := logged(&cfg)
		Expect(streamed(cfg)).To(Equal(failed("AGENT_FAILED", "unknown", "回答没能完成，请稍后再试。")))
		Expect(log).To(gbytes.Say("unexpected end of JSON input"))
	},
		Entry(nil, trace.KindGenUIComponent),
		Entry(nil, trace.KindError),
	)
})

var _ = Describe("The event stream of a slow agent", func() {
	const comment = ": still working\n\n"

	It("X5: contains a comment after each Heartbeat without an event", func() {
		body, duration := simulated(
			only(func(ctx context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
				ctx = trace.WithRecorder(ctx, emit)
				for _, silence := range []time.Duration{40 * time.Second, 14 * time.Second, 29 * time.Second} {
					if err := clock.Sleep(ctx, silence); err != nil {
						return agent.Reply{}, err
					}
					// clients do not receive this event, so it does not count
					trace.Emit(ctx, trace.Event{Kind: trace.KindSpan})
					trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Text: "。"})
				}
				return agent.Reply{}, nil
			}))
		const chunk = "event: chunk\ndata: " + `{"type":"chunk","data":{"text":"。"}}` + "\n\n"
		Expect(body).To(Equal(comment + comment + chunk + chunk + comment + chunk + finished))
		Expect(duration).To(Equal(83 * time.Second))
	})

	It("ends after Timeout, and still contains the agent's last events", func() {
		cfg := only(func(ctx context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			err := clock.Sleep(ctx, time.Hour)
			emit(trace.Event{Kind: trace.KindThoughtLog, Node: "critic", Text: "到此为止"})
			return agent.Reply{}, err
		})
		cfg.Heartbeat = time.Hour
		body, duration := simulated(cfg)
		Expect(body).To(Equal("event: thought_log\ndata: " +
			`{"type":"thought_log","data":{"node":"critic","message":"到此为止"}}` + "\n\n" +
			failed("TIMEOUT", "unknown", "这次回答用时太长，已经停止，请稍后再试。")))
		Expect(duration).To(Equal(service.DefaultTimeout))
	})

	It("does not end early if the agent answers within Timeout", func() {
		cfg := only(func(ctx context.Context, _ agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			return agent.Reply{}, clock.Sleep(ctx, time.Second)
		})
		cfg.Timeout = time.Second + 1
		Expect(first(simulated(cfg))).To(Equal(finished))
	})
})

func first[A, B any](a A, _ B) A { return a }
