package eval_test

import (
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// called is the event of a node's call; kind "": it succeeded.
func called(kind llm.ErrorKind) trace.Event {
	return trace.Event{Kind: trace.KindSpan, Node: "n", Span: &trace.Span{Error: string(kind)}}
}

var _ = DescribeTable("a node's visit ends as its last call does",
	func(want llm.ErrorKind, events ...trace.Event) {
		r := rowOf(nil, []string{""}, eval.Outcome{Turns: []eval.TurnResult{{Events: events}}}, nil)
		Expect(r.Nodes).To(HaveLen(1))
		Expect(r.Nodes[0].CallError).To(Equal(want))
	},
	Entry("that succeeds", llm.ErrorKind(""), called("")),
	Entry("that succeeds after failures", llm.ErrorKind(""), called(llm.KindServerError), called(llm.KindServerError),
		called("")),
	Entry("T6: that polls an existing task", llm.KindServerError, called(""), called(llm.KindServerError),
		called(llm.KindServerError)),
	Entry("T6: whose task never completes", llm.KindTimeout, called(""), called(""),
		trace.Event{Kind: trace.KindTimeout, Node: "n", Reason: "polls_exhausted"}),
	Entry("that timed out before it succeeded", llm.ErrorKind(""), called(llm.KindTimeout),
		trace.Event{Kind: trace.KindTimeout, Node: "n", Reason: "timeout"}, called("")),
	Entry("whose answer contains no decision", llm.KindMalformedJSON, called(""),
		trace.Event{Kind: trace.KindRoute, Node: "n", Reason: string(llm.KindMalformedJSON)}),
	Entry("whose answer has too low a confidence", llm.ErrorKind(trace.LowConfidence), called(""),
		trace.Event{Kind: trace.KindFallback, Node: "n", Reason: trace.LowConfidence}),
	Entry("whose decision is accepted", llm.ErrorKind(""), called(""),
		trace.Event{Kind: trace.KindRoute, Node: "n", Reason: "llm"}),
	Entry("whose decision is accepted although optional parts are missing", llm.ErrorKind(""), called(""),
		trace.Event{Kind: trace.KindFallback, Node: "n", Reason: "no_prompt"}),
	Entry("while another node's answer is rejected", llm.ErrorKind(""), called(""),
		trace.Event{Kind: trace.KindRoute, Node: "m", Reason: string(llm.KindMalformedJSON)}),
)

var _ = It("records the duration of a node's answered calls, and counts the others", Label("definition"), func() {
	failed := at("a", 5, 60)
	failed.Span.Error = string(llm.KindServerError)
	r := rowOf(nil, []string{""},
		eval.Outcome{Turns: []eval.TurnResult{{Events: []trace.Event{at("a", 0, 5), failed}}}}, nil)
	Expect(r.Nodes[0].CallDurations).To(Equal([]eval.Millis{eval.Millis(5 * ms)}))
	Expect(r.Nodes[0].Calls).To(BeEquivalentTo(2))
	Expect(r.Nodes[0].Duration).To(Equal(eval.Millis(65 * ms)))
})

var _ = It("15.24: counts repeated requests, without those answered from an earlier run", func() {
	again := func(attempt int, cached bool) trace.Event {
		return trace.Event{Kind: trace.KindSpan, Node: "n", Span: &trace.Span{Attempt: attempt, Cached: cached}}
	}
	r := rowOf(nil, []string{""},
		eval.Outcome{Turns: []eval.TurnResult{{Events: []trace.Event{again(1, false), again(2, false), again(3, false),
			again(2, true)}}}}, nil)
	Expect(r.Retried).To(BeEquivalentTo(2))
	Expect(r.Calls).To(BeEquivalentTo(4))
})

// at is a call of a node; from and duration are in milliseconds.
func at(node string, from, duration time.Duration) trace.Event {
	return trace.Event{Offset: (from + duration) * ms, Kind: trace.KindSpan, Node: node,
		Span: &trace.Span{Start: from * ms, Duration: duration * ms}}
}

var _ = DescribeTable("a node's time is that of a visit, from entry to exit, and its calls have their own",
	Label("definition"),
	func(want []eval.NodeVisit, events ...trace.Event) {
		r := rowOf(nil, []string{""}, eval.Outcome{Turns: []eval.TurnResult{{Events: events}}}, nil)
		Expect(r.Nodes).To(Equal(want))
	},
	Entry("calls of one visit, with the delay between them", visited("a", 30, 5, 10), at("a", 0, 5), at("a", 20, 10)),
	Entry("calls of one visit, one of them affected by a fault", visited("a", 30, 5, 10), at("a", 0, 5),
		trace.Event{Offset: 20 * ms, Kind: trace.KindFault, Node: "part", Reason: "server_error"}, at("a", 20, 10)),
	Entry("two visits, separated by one of another node",
		slices.Concat(visited("a", 5, 5), visited("b", 10, 10), visited("a", 5, 5)),
		at("a", 0, 5), at("b", 5, 10), at("a", 15, 5)),
	Entry("two visits, separated by one without calls", slices.Concat(visited("a", 5, 5), visited("a", 5, 5)),
		at("a", 0, 5), trace.Event{Offset: 5 * ms, Kind: trace.KindReview, Node: "b"}, at("a", 5, 5)),
	Entry("one visit, with its own events between the calls", visited("a", 15, 5, 5),
		at("a", 0, 5), trace.Event{Offset: 5 * ms, Kind: trace.KindRetry, Node: "a"}, at("a", 10, 5)),
	Entry("one visit during a long call of another node", slices.Concat(visited("a", 10, 2, 2), visited("b", 20, 20)),
		at("a", 0, 2), at("a", 8, 2), at("b", 0, 20)),
	Entry("one visit with two concurrent calls, the longer one started before another node's call",
		slices.Concat(visited("a", 20, 5, 20), visited("b", 5, 5)),
		at("a", 0, 5), at("a", 0, 20), at("b", 6, 5)),
)

// visited is a visit with this duration and these calls, in milliseconds.
func visited(node string, duration time.Duration, calls ...time.Duration) []eval.NodeVisit {
	n := eval.NodeVisit{Node: node, Turn: 1, Duration: eval.Millis(duration * ms), Calls: int64(len(calls))}
	for _, c := range calls {
		n.CallDurations = append(n.CallDurations, eval.Millis(c*ms))
	}
	return []eval.NodeVisit{n}
}
