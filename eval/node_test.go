package eval_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// called is the event of a call of a node, "" for one that succeeded.
func called(kind llm.Kind) trace.Event {
	return trace.Event{Kind: trace.KindSpan, Node: "n", Span: &trace.Span{Error: string(kind)}}
}

var _ = DescribeTable("a node's work ends as its last call does",
	func(want llm.Kind, events ...trace.Event) {
		r := rowOf(nil, []string{""}, eval.Outcome{Turns: []eval.Played{{Events: events}}}, nil)
		Expect(r.Nodes).To(HaveLen(1))
		Expect(r.Nodes[0].Failed).To(Equal(want))
	},
	Entry("that succeeds", llm.Kind(""), called("")),
	Entry("that succeeds after others", llm.Kind(""), called(llm.KindServer), called(llm.KindServer), called("")),
	Entry("T6: that asks for a task which was made", llm.KindServer, called(""), called(llm.KindServer), called(llm.KindServer)),
	Entry("T6: whose task is never done", llm.KindTimeout, called(""), called(""), trace.Event{Kind: trace.KindTimeout, Node: "n", Reason: "polls_exhausted"}),
	Entry("that timed out before it succeeded", llm.Kind(""), called(llm.KindTimeout), trace.Event{Kind: trace.KindTimeout, Node: "n", Reason: "timeout"}, called("")),
	Entry("whose answer is no decision", llm.KindInvalid, called(""), trace.Event{Kind: trace.KindRoute, Node: "n", Reason: string(llm.KindInvalid)}),
	Entry("whose answer is not sure enough", llm.Kind(trace.LowConfidence), called(""), trace.Event{Kind: trace.KindFallback, Node: "n", Reason: trace.LowConfidence}),
	Entry("whose decision is taken", llm.Kind(""), called(""), trace.Event{Kind: trace.KindRoute, Node: "n", Reason: "llm"}),
	Entry("whose decision is taken, without all that it might say", llm.Kind(""), called(""), trace.Event{Kind: trace.KindFallback, Node: "n", Reason: "no_prompt"}),
	Entry("while another's answer is turned down", llm.Kind(""), called(""), trace.Event{Kind: trace.KindRoute, Node: "m", Reason: string(llm.KindInvalid)}),
)
