package reports_test

import (
	"encoding/json"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// nodesTrial returns a trial of an agent that has several nodes and reads documents.
func nodesTrial() eval.Result {
	const ms = time.Millisecond
	of := func(text string) json.RawMessage { return json.RawMessage(text) }
	turn := eval.TurnResult{
		Input: agent.Turn{Text: "综述一下", State: map[string]json.RawMessage{"documents": of(`["zh-01","zh-02"]`)}},
		Reply: agent.Reply{Content: "两项研究一致。", Predicted: "REVIEW_GENERATION", AnsweredBy: "REVIEW_GENERATION",
			DecidedBy:  "llm",
			Attributes: map[string]string{"strategy": "multi_doc_summary", "targets": "zh-01,zh-02"},
			Retrieved:  []agent.Hit{{ID: "zh-01#3", Similarity: 0.625}}},
		Events: []trace.Event{
			{Offset: 1 * ms, Kind: trace.KindThinkingStart, Node: "strategy_selection"},
			{Offset: 1 * ms, Kind: trace.KindThoughtChunk, Node: "strategy_selection", Text: "两篇文献，"},
			{Offset: 2 * ms, Kind: trace.KindThoughtChunk, Node: "strategy_selection", Text: "逐篇总结"},
			{Offset: 2 * ms, Kind: trace.KindThinkingEnd, Node: "strategy_selection"},
			{Offset: 2 * ms, Kind: trace.KindNodeComplete, Node: "strategy_selection"},
			{Offset: 3 * ms, Kind: trace.KindCompression, Node: "conversation", Reason: "threshold",
				Data: of(`{"tokens_before":2600,"tokens_after":900,"retained_messages":3,"context":"x"}`)},
			{Offset: 3 * ms, Kind: trace.KindCompression, Node: "conversation", Reason: "failed", Data: of(`[]`)},
			{Offset: 3 * ms, Kind: trace.KindSummaryInit, Node: "document_summary", Data: of(`{"total":2}`)},
			{Offset: 4 * ms, Kind: trace.KindSummaryStart, Node: "document_summary", Data: of(`{"doc_id":"zh-01"}`)},
			{Offset: 5 * ms, Kind: trace.KindSummaryChunk, Node: "document_summary", Text: "一",
				Data: of(`{"doc_id":"zh-01"}`)},
			{Offset: 6 * ms, Kind: trace.KindSummaryComplete, Node: "document_summary", Reason: "cached",
				Data: of(`{"doc_id":"zh-01","title":"城市树荫与热浪"}`)},
			{Offset: 7 * ms, Kind: trace.KindSummaryError, Node: "document_summary", Reason: "timeout",
				Data: of(`{"doc_id":"zh-02\u001b[31m"}`)},
			{Offset: 7 * ms, Kind: trace.KindSummaryError, Node: "document_summary", Reason: "timeout",
				Data: of(`"x"`)},
			{Offset: 8 * ms, Kind: trace.KindNodeError, Node: "execution", Reason: "timeout", Text: "第 2 步失败"},
		},
		Duration: 9 * ms,
	}
	return eval.Result{Suite: "shelf", Case: "s1", Variant: "hybrid", Epoch: 1,
		Outcome: eval.Outcome{Turns: []eval.TurnResult{turn}, Duration: 9 * ms}}
}

var _ = Describe("the timeline of an agent that has several nodes and reads documents", func() {
	It("shows the size of the session", func() {
		r := nodesTrial()
		r.Outcome.Turns[0].Events = append(r.Outcome.Turns[0].Events,
			trace.Event{Kind: trace.KindNodeComplete, Node: "session_save",
				Data: json.RawMessage(`{"message_count":4,"total_token_count":1200}`)})
		Expect(renderText(r, 100)).To(ContainSubstring("4 messages, 1,200 tokens"))
	})
})
