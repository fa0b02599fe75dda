package finding_test

import (
	"encoding/json"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/reports/finding"
)

const ms = time.Millisecond

func call(node string, at time.Duration, tokens int64, failure string) trace.Event {
	return trace.Event{Offset: at + ms, Kind: trace.KindSpan, Node: node,
		Span: &trace.Span{Provider: "p", Model: "m", Start: at, Duration: ms,
			Attempt: 1, Tokens: trace.Tokens{In: tokens}, Error: failure}}
}

func texts(list []finding.TimelineRow) (words []string) {
	for _, m := range list {
		words = append(words, m.Text)
	}
	return words
}

var _ = Describe("The rows of a timeline", func() {
	It("merge the polls of a task into one row, which contains the start time of each poll", func() {
		events := []trace.Event{call("image", 0, 0, ""), call("image", 2*ms, 0, ""), call("image", 6*ms, 0, ""),
			call("image", 14*ms, 0, "")}
		rows := finding.MergedTimelineRows(events, 100)
		Expect(rows).To(HaveLen(1))
		Expect(rows[0].Text).To(Equal("p/m, asked 4 times, 15.0 ms"))
		Expect(rows[0].MergedStarts).To(Equal([]time.Duration{2 * ms, 6 * ms, 14 * ms}))
		Expect([]time.Duration{rows[0].Start, rows[0].Duration}).To(Equal([]time.Duration{0, 15 * ms}))
		Expect(finding.TimelineRows(events, 100)).To(HaveLen(4))
	})

	DescribeTable("do not merge calls that are not polls of one task", func(events ...trace.Event) {
		Expect(texts(finding.MergedTimelineRows(events, 100))).To(Equal(texts(finding.TimelineRows(events, 100))))
	},
		Entry("only two consecutive calls", call("image", 0, 0, ""), call("image", 2*ms, 0, "")),
		Entry("calls of a model, which use tokens", call("image", 0, 5, ""), call("image", 2*ms, 5, ""),
			call("image", 4*ms, 5, "")),
		Entry("calls that failed", call("image", 0, 0, "timeout"), call("image", 2*ms, 0, "timeout"),
			call("image", 4*ms, 0, "timeout")),
		Entry("calls that alternate between two nodes", call("a", 0, 0, ""), call("b", 2*ms, 0, ""),
			call("a", 4*ms, 0, "")),
		Entry("calls at the same time", call("a", 0, 0, ""), call("a", 0, 0, ""), call("a", 0, 0, "")),
	)

	It("15.12: show every duration with three digits, including waits", func() {
		e := call("image", 0, 0, "")
		e.Span.Duration, e.Span.TTFT = 1500*ms, 420*ms
		events := []trace.Event{e, {Kind: trace.KindRetry, Reason: "timeout", Text: "1.25s"},
			{Kind: trace.KindQueue, Reason: "busy", Text: "40ms"}}
		for _, got := range [][]string{texts(finding.MergedTimelineRows(events, 100)),
			texts(finding.TimelineRows(events, 100))} {
			Expect(got).To(ConsistOf("p/m, 1.50 s, TTFT 0.420 s", "retry (timeout): 1.25 s", "queue (busy): 40.0 ms"))
		}
	})

	DescribeTable("have a role that depends on the kind of their event",
		func(e trace.Event, role finding.TimelineRowKind, minor bool) {
			m := finding.TimelineRows([]trace.Event{e}, 100)[0]
			Expect([]any{m.Kind, m.IsMinor}).To(Equal([]any{role, minor}))
		},
		Entry("a successful call", call("a", 0, 0, ""), finding.RowCall, false),
		Entry("a failed call", call("a", 0, 0, "timeout"), finding.RowFailed, false),
		Entry("a fallback", trace.Event{Kind: trace.KindFallback}, finding.RowFailed, false),
		Entry("an error", trace.Event{Kind: trace.KindError, Data: json.RawMessage(`{}`)}, finding.RowFailed, false),
		Entry("an event that reports that no decision was made", trace.Event{Kind: trace.KindNoDecision},
			finding.RowFailed, false),
		Entry("an answer with an invalid form", trace.Event{Kind: trace.KindFormCheck, Reason: "malformed_json"},
			finding.RowFailed, false),
		Entry("a decision that a guard overrides", trace.Event{Kind: trace.KindGuard}, finding.RowFailed, false),
		Entry("a decision that is corrected", trace.Event{Kind: trace.KindCorrection}, finding.RowFailed, false),
		Entry("a Critic loop that is exhausted", trace.Event{Kind: trace.KindCriticLoop, Reason: trace.ReasonMaxRounds},
			finding.RowFailed, false),
		Entry("a Critic loop that continues", trace.Event{Kind: trace.KindCriticLoop}, finding.RowOther, false),
		Entry("a decision", trace.Event{Kind: trace.KindRoute}, finding.RowOther, false),
		Entry("a review of a critic", trace.Event{Kind: trace.KindReview, Review: &trace.Review{}},
			finding.RowOther, false),
		Entry("a thought", trace.Event{Kind: trace.KindThoughtLog}, finding.RowOther, true),
		Entry("a user interface component", trace.Event{Kind: trace.KindGenUIComponent}, finding.RowOther, true),
		Entry("a banner", trace.Event{Kind: trace.KindBanner}, finding.RowOther, true),
		Entry("pieces of a streamed reply", trace.Event{Kind: trace.KindChunk, Text: "x"}, finding.RowOther, true),
	)

	It("shorten free texts to the given width", func() {
		e := trace.Event{Kind: trace.KindThoughtLog, Text: strings.Repeat("画", 500)}
		Expect(finding.TimelineRows([]trace.Event{e}, 11)[0].Text).To(Equal("thought: 画画画画画…"))
		Expect([]rune(finding.TimelineRows([]trace.Event{e}, 300)[0].Text)).To(HaveLen(159))
	})
})

var _ = Describe("The description of a reply", func() {
	It("contains the label, what decided it, and which component answered", func() {
		r := agent.Reply{Predicted: "image", AnsweredBy: "chat", DecidedBy: "llm", Rule: "r1", Confidence: 0.5}
		Expect(finding.DescribeDecision(r)).
			To(Equal([]finding.NamedValue{{"", "image"}, {"answered by", "chat"}, {"decided by", "llm"}, {"rule", "r1"},
				{"confidence", "0.50"}}))
		Expect(finding.RouteText(r)).To(Equal("image, answered by chat, decided by llm, rule r1, confidence 0.50"))
		Expect(finding.RouteText(agent.Reply{DecidedBy: "agent", ModelDecision: &agent.ModelDecision{}})).
			To(Equal("(none), decided by agent, confidence –"), "which nobody stated")
		Expect(finding.RouteText(agent.Reply{DecidedBy: "agent",
			ModelDecision: &agent.ModelDecision{Confidence: new(0.0)}})).
			To(Equal("(none), decided by agent, confidence 0.00"))
		Expect(finding.RouteText(agent.Reply{DecidedBy: "llm", Steps: []agent.Step{{}}})).
			To(Equal("(none), decided by llm"))
	})
})
