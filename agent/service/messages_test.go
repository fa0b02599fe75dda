package service_test

import (
	"context"
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/service"
	"evalctl/agent/system"
	"evalctl/agent/trace"
)

// batching returns the configuration of a service whose agent accepts several messages in one turn.
func batching(f agent.Func) service.Config {
	cfg := only(f)
	cfg.Systems = map[string]system.System{"a": {Contract: system.Contract{AllowBatch: true}}}
	return cfg
}

var _ = Describe("A turn with several messages", func() {
	It("is passed to the agent as a batch; its text joins all messages", func() {
		var t agent.Turn
		s := made(batching(func(_ context.Context, got agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			t = got
			return agent.Reply{}, nil
		}))
		w := recorded(s, "POST", chatPath, `{"messages":["在吗","昨天聊了啥"]}`)
		Expect(w.Code).To(Equal(200), w.Body.String())
		Expect(t.Batch).To(Equal([]string{"在吗", "昨天聊了啥"}))
		Expect(t.Text).To(Equal("在吗 昨天聊了啥"))
	})

	DescribeTable("is rejected if a message is empty or there are too many", func(body, message string) {
		w := recorded(made(batching(silent)), "POST", chatPath, body)
		Expect(w.Code).To(Equal(400))
		_, said := problemOf(w)
		Expect(said).To(Equal(message))
	},
		Entry(nil, `{"messages":[]}`, "messages: there are none"),
		Entry(nil, `{"messages":["x","\u3000"]}`, "messages[1]: is empty"),
		Entry(nil, `{"messages":["x"],"text":"x"}`, "text: does not go with messages"),
		Entry(nil, `{"messages":[`+strings.Repeat(`"x",`, 100)+`"x"]}`, "messages: there are more than 100"),
		Entry(nil, `{"messages":"x"}`, "messages: must be a list, got a string"),
	)

	It("is rejected if the agent accepts only one message", func() {
		w := recorded(made(only(silent)), "POST", chatPath, `{"messages":["x"]}`)
		Expect(w.Code).To(Equal(400))
		_, said := problemOf(w)
		Expect(said).To(Equal("messages: a takes one message a turn, as text"))
		Expect(recorded(made(only(silent)), "POST", chatPath, `{"messages":null,"text":"x"}`).Code).To(Equal(200))
	})
})

var _ = Describe("The answer of an agent that consists of nodes", func() {
	It("L8: contains the events of nodes, reasoning and documents under the agent's event names", func() {
		cfg := only(func(_ context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			emit(trace.Event{Kind: trace.KindThinkingStart, Node: "plan"})
			emit(trace.Event{Kind: trace.KindThoughtChunk, Node: "plan", Text: "先看摘要"})
			emit(trace.Event{Kind: trace.KindThinkingEnd, Node: "plan"})
			emit(trace.Event{Kind: trace.KindSummaryError, Node: "sum", Reason: "timeout",
				Data: json.RawMessage(`{"doc_id":"d1"}`)})
			emit(trace.Event{Kind: trace.KindCacheMiss, Node: "sum"})
			emit(trace.Event{Kind: trace.KindNodeComplete, Node: "sum"})
			emit(trace.Event{Kind: trace.KindChunk, Text: "好"})
			return agent.Reply{Content: "好"}, nil
		})
		cfg.Systems = map[string]system.System{"a": {EventNames: map[trace.Kind]string{trace.KindChunk: "answer_chunk",
			trace.KindDone: "final_answer"}}}
		body := streamed(cfg)
		var names []string
		for line := range strings.Lines(body) {
			if name, ok := strings.CutPrefix(line, "event: "); ok {
				names = append(names, strings.TrimSpace(name))
			}
		}
		Expect(names).To(Equal([]string{"thinking_start", "thought_chunk", "thinking_end", "doc_summary_error",
			"node_complete", "answer_chunk", "final_answer"}))
		Expect(body).To(ContainSubstring(
			`data: {"type":"doc_summary_error","data":{"node":"sum","reason":"timeout","detail":{"doc_id":"d1"}}}`))
		Expect(body).To(ContainSubstring(`data: {"type":"thought_chunk","data":{"node":"plan","text":"先看摘要"}}`))
		Expect(body).To(ContainSubstring("event: final_answer\n"))
	})
})

var _ = Describe("The answer of an agent that sends several messages", func() {
	It("contains an event for each message and question, and all of them again in done", func() {
		body := streamed(only(func(_ context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			said := []agent.ReplyMessage{{Content: "在呢"}, {Content: "昨天聊了火锅", DelaySeconds: 1.5}}
			for _, one := range said {
				data, err := json.Marshal(one)
				Expect(err).NotTo(HaveOccurred())
				emit(trace.Event{Kind: trace.KindMessage, Data: data})
			}
			emit(trace.Event{Kind: trace.KindFormCheck, Node: "chat"})
			emit(trace.Event{Kind: trace.KindCorrection, From: "a", To: "b"})
			emit(trace.Event{Kind: trace.KindQuestion,
				Data: json.RawMessage(`{"thread_id":"t","questions":[{"key":"k","question":"写给谁看？"}]}`)})
			return agent.Reply{Content: "在呢\n昨天聊了火锅", AnsweredBy: "chat", Predicted: "chat", Replies: said}, nil
		}))
		Expect(body).To(Equal(`event: message
data: {"type":"message","data":{"content":"在呢","send_delay_seconds":0}}

event: message
data: {"type":"message","data":{"content":"昨天聊了火锅","send_delay_seconds":1.5}}

event: question
data: {"type":"question","data":{"thread_id":"t","questions":[{"key":"k","question":"写给谁看？"}]}}

event: done
data: {"type":"done","data":{"content":"在呢\n昨天聊了火锅","answeredBy":"chat","predicted":"chat","replies":[{"content":"在呢","send_delay_seconds":0},{"content":"昨天聊了火锅","send_delay_seconds":1.5}],"sessionId":"s1"}}

`))
	})

	It("marks in its done event that the message was answered together with a later one", func() {
		body := streamed(only(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
			return agent.Reply{IsDeferred: true}, nil
		}))
		Expect(body).To(ContainSubstring(`"batched":true,"sessionId":"s1"`))
	})

	It("contains the attributes of the reply, if there are any", func() {
		body := streamed(only(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
			return agent.Reply{Content: "好",
				Attributes: map[string]string{"strategy": "chunk_recall", "targets": "zh-01,zh-03"}}, nil
		}))
		Expect(body).To(ContainSubstring(
			`"attributes":{"strategy":"chunk_recall","targets":"zh-01,zh-03"},"sessionId":"s1"`))
	})
})
