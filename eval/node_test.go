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

// called returns the event of a node's call; kind "" means that it succeeded.
func called(kind llm.ErrorKind) trace.Event {
	return trace.Event{Kind: trace.KindSpan, Node: "n", Span: &trace.Span{Error: string(kind)}}
}

var _ = DescribeTable("the visit of a node has the error of its last call",
	func(want llm.ErrorKind, events ...trace.Event) {
		r := rowOf(nil, []string{""}, eval.Outcome{Turns: []eval.TurnResult{{Events: events}}}, nil)
		Expect(r.Nodes).To(HaveLen(1))
		Expect(r.Nodes[0].CallError).To(Equal(want))
	},
	Entry("no error, if the only call succeeds", llm.ErrorKind(""), called("")),
	Entry("no error, if a call succeeds after failures", llm.ErrorKind(""), called(llm.KindServerError),
		called(llm.KindServerError),
		called("")),
	Entry("T6: the error of the last poll, if the task was started but polling fails", llm.KindServerError, called(""),
		called(llm.KindServerError),
		called(llm.KindServerError)),
	Entry("T6: a timeout, if the task never completes", llm.KindTimeout, called(""), called(""),
		trace.Event{Kind: trace.KindTimeout, Node: "n", Reason: "polls_exhausted"}),
	Entry("no error, if a call succeeds after a timeout", llm.ErrorKind(""), called(llm.KindTimeout),
		trace.Event{Kind: trace.KindTimeout, Node: "n", Reason: "timeout"}, called("")),
	Entry("the reason of the rejection, if the answer contains no decision", llm.KindMalformedJSON, called(""),
		trace.Event{Kind: trace.KindRoute, Node: "n", Reason: string(llm.KindMalformedJSON)}),
	Entry("low confidence, if the answer is rejected because of it", llm.ErrorKind(trace.ReasonLowConfidence),
		called(""),
		trace.Event{Kind: trace.KindFallback, Node: "n", Reason: trace.ReasonLowConfidence}),
	Entry("no error, if the decision is accepted", llm.ErrorKind(""), called(""),
		trace.Event{Kind: trace.KindRoute, Node: "n", Reason: "llm"}),
	Entry("no error, if the decision is accepted although optional parts are missing", llm.ErrorKind(""), called(""),
		trace.Event{Kind: trace.KindFallback, Node: "n", Reason: "no_prompt"}),
	Entry("no error, if only the answer of another node is rejected", llm.ErrorKind(""), called(""),
		trace.Event{Kind: trace.KindRoute, Node: "m", Reason: string(llm.KindMalformedJSON)}),
)

var _ = It("a visit of a node contains the durations of its answered calls and the number of all its calls",
	Label("definition"), func() {
		failed := at("a", 5, 60)
		failed.Span.Error = string(llm.KindServerError)
		r := rowOf(nil, []string{""},
			eval.Outcome{Turns: []eval.TurnResult{{Events: []trace.Event{at("a", 0, 5), failed}}}}, nil)
		Expect(r.Nodes[0].CallDurations).To(Equal([]eval.Millis{eval.Millis(5 * ms)}))
		Expect(r.Nodes[0].Calls).To(BeEquivalentTo(2))
		Expect(r.Nodes[0].Duration).To(Equal(eval.Millis(65 * ms)))
	})

var _ = It("15.24: a result counts repeated requests, but not those that the cache answered", func() {
	again := func(attempt int, cached bool) trace.Event {
		return trace.Event{Kind: trace.KindSpan, Node: "n", Span: &trace.Span{Attempt: attempt, FromCache: cached}}
	}
	r := rowOf(nil, []string{""},
		eval.Outcome{Turns: []eval.TurnResult{{Events: []trace.Event{again(1, false), again(2, false), again(3, false),
			again(2, true)}}}}, nil)
	Expect(r.RetriedRequests).To(BeEquivalentTo(2))
	Expect(r.Calls).To(BeEquivalentTo(4))
})

// at returns the event of a call of a node; from and duration are in milliseconds.
func at(node string, from, duration time.Duration) trace.Event {
	return trace.Event{Offset: (from + duration) * ms, Kind: trace.KindSpan, Node: node,
		Span: &trace.Span{Start: from * ms, Duration: duration * ms}}
}

var _ = DescribeTable("the events of a turn are grouped into visits of nodes, each with the time from its first to its last call",
	Label("definition"),
	func(want []eval.NodeVisit, events ...trace.Event) {
		r := rowOf(nil, []string{""}, eval.Outcome{Turns: []eval.TurnResult{{Events: events}}}, nil)
		Expect(r.Nodes).To(Equal(want))
	},
	Entry("two calls of a node: one visit, including the delay between them", visited("a", 30, 5, 10), at("a", 0, 5),
		at("a", 20, 10)),
	Entry("a fault between two calls of a node: one visit", visited("a", 30, 5, 10), at("a", 0, 5),
		trace.Event{Offset: 20 * ms, Kind: trace.KindFault, Node: "part", Reason: "server_error"}, at("a", 20, 10)),
	Entry("a call of another node between two calls: two visits",
		slices.Concat(visited("a", 5, 5), visited("b", 10, 10), visited("a", 5, 5)),
		at("a", 0, 5), at("b", 5, 10), at("a", 15, 5)),
	Entry("a review by another node between two calls: two visits",
		slices.Concat(visited("a", 5, 5), visited("a", 5, 5)),
		at("a", 0, 5), trace.Event{Offset: 5 * ms, Kind: trace.KindReview, Node: "b"}, at("a", 5, 5)),
	Entry("an event of the node itself between its calls: one visit", visited("a", 15, 5, 5),
		at("a", 0, 5), trace.Event{Offset: 5 * ms, Kind: trace.KindRetry, Node: "a"}, at("a", 10, 5)),
	Entry("two calls during a long call of another node: one visit",
		slices.Concat(visited("a", 10, 2, 2), visited("b", 20, 20)),
		at("a", 0, 2), at("a", 8, 2), at("b", 0, 20)),
	Entry("two overlapping calls that started before the call of another node: one visit",
		slices.Concat(visited("a", 20, 5, 20), visited("b", 5, 5)),
		at("a", 0, 5), at("a", 0, 20), at("b", 6, 5)),
)

// visited returns a visit of a node with this duration and these call durations, in milliseconds.
func visited(node string, duration time.Duration, calls ...time.Duration) []eval.NodeVisit {
	n := eval.NodeVisit{Node: node, Turn: 1, Duration: eval.Millis(duration * ms), Calls: int64(len(calls))}
	for _, c := range calls {
		n.CallDurations = append(n.CallDurations, eval.Millis(c*ms))
	}
	return []eval.NodeVisit{n}
}

var _ = It("after 1,000 visits in a turn, the last visit of a node also contains its later calls", func() {
	var turn []trace.Event
	for n := range time.Duration(600) {
		turn = append(turn, at("a", 2*n, 1), at("b", 2*n+1, 1))
	}
	r := rowOf(nil, []string{"", ""}, events(turn, append(turn, at("c", 1200, 1))), nil)
	Expect(r.Nodes).To(HaveLen(2*1000 + 1))
	for _, n := range []int{998, 999, 1998, 1999} {
		Expect(r.Nodes[n].Calls).To(BeEquivalentTo(101))
		Expect(r.Nodes[n].CallDurations).To(HaveLen(101))
		Expect(r.Nodes[n].Duration).To(Equal(eval.Millis(101*ms)), "without the time of the other node")
	}
	Expect(r.Nodes[2000].Node).To(Equal("c"))
})
