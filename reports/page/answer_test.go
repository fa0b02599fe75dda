package page_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/reports/page"
)

// twoTurns returns a trial whose first turn is wrong. In each turn, the router calls a model for a
// decision, and a streamed call answers. answer is the text that the model returned.
func twoTurns(answer string) eval.Result {
	r := eval.Result{Key: "k", Suite: "s", Case: "c", Variant: "v", Epoch: 1, Predicted: "image",
		Expected: eval.OneOf{"search"},
		Turns:    []eval.TurnSummary{{ModelDecision: &agent.ModelDecision{Label: "image", Confidence: new(0.516)}}, {}},
		Scores: []eval.Score{{Name: eval.RouteScore, Turn: 1, Actual: "image", Expected: eval.OneOf{"search"},
			Verdict: eval.Fail, Turns: []eval.TurnScore{
				{Turn: 1, Actual: "image", Expected: eval.OneOf{"search"}, Verdict: eval.Fail},
				{Turn: 2, Actual: "chat", Expected: eval.OneOf{"chat", "search"}, Verdict: eval.Pass}}}}}
	for _, label := range []string{"image", "chat"} {
		r.Outcome.Turns = append(r.Outcome.Turns, eval.TurnResult{
			Input: agent.Turn{Text: "who won"}, Reply: agent.Reply{Content: "hello", Predicted: label},
			Events: []trace.Event{
				{Kind: trace.KindSpan, Node: "router", Span: &trace.Span{Provider: "p", Model: "m", Duration: 1e9,
					Attempt: 1, Tokens: trace.Tokens{In: 412, Out: 21}, SentMessages: []trace.SentMessage{
						{Role: "system", Prompt: "0123456789ab"}, {Role: "user", Text: "who won"}}}},
				{Offset: 1e9, Kind: trace.KindRoute, Node: "router", Text: label, Data: trace.RawAnswerData(answer)},
				{Offset: 3e9, Kind: trace.KindSpan, Node: "chat", Span: &trace.Span{Provider: "p", Model: "m",
					Start: 1e9, Duration: 2e9, TTFT: 5e8, Attempt: 2,
					SentMessages: []trace.SentMessage{{Role: "user", Text: strings.Repeat("ä", 2100),
						OmittedChars: 7}}}},
			}})
	}
	return r
}

var _ = Describe("The calls in the trace of a trial", func() {
	const raw = "{\n\"label\": \"image\"}"

	It("have a model, tokens, time to first token, sent messages, and the answer that decided", func() {
		t := page.TrialOf(twoTurns(raw), 0)
		Expect(t.DecidingTurn).To(Equal(1))
		Expect(*t.Turns[0].Decision).To(
			Equal(page.Decision{Predicted: "image", Expected: "search", Verdict: 2, Confidence: "0.52"}))
		Expect(*t.Turns[1].Decision).To(
			Equal(page.Decision{Predicted: "chat", Expected: "chat or search", Verdict: 1}))
		router, route, chat := t.Turns[0].Events[0], t.Turns[0].Events[1], t.Turns[0].Events[2]
		Expect(*router.Call).To(Equal(page.Call{Model: "p/m", InputTokens: 412, OutputTokens: 21,
			Messages: []page.SentMessage{{Role: "system", Prompt: "0123456789ab"}, {Role: "user", Text: "who won"}}}))
		Expect(router).To(And(HaveField("Answer", raw), HaveField("Decides", true), HaveField("Text", "")))
		Expect(route).To(And(HaveField("Answer", ""), HaveField("Call", BeNil())))
		Expect(*chat.Call).To(And(HaveField("Attempt", 2), HaveField("FirstToken", 500.0),
			HaveField("Messages", ConsistOf(page.SentMessage{Role: "user", Text: strings.Repeat("ä", 2000),
				OmittedChars: 107}))))
	})

	DescribeTable("mark the reply with the scored decision",
		func(predicted string, steps []agent.Step, answers []string, want int) {
			r := twoTurns("{}")
			first := &r.Outcome.Turns[0]
			first.Reply.Predicted, first.Reply.Steps, first.Events = predicted, steps, nil
			for i, answer := range answers {
				at := time.Duration(i) * 1e9
				first.Events = append(first.Events,
					trace.Event{Kind: trace.KindSpan, Node: "router", Offset: at + 5e8,
						Span: &trace.Span{Start: at, Duration: 5e8, SentMessages: []trace.SentMessage{{Text: "x"}}}},
					trace.Event{Kind: trace.KindRoute, Node: "router", Offset: at + 6e8,
						Data: trace.RawAnswerData(answer)})
			}
			var marked []int
			for _, e := range page.TrialOf(r, 0).Turns[0].Events {
				if e.Decides {
					marked = append(marked, slices.Index(answers, e.Answer))
				}
			}
			Expect(marked).To(Equal([]int{want}))
		},
		Entry("of a turn with several decisions: the first one", "image",
			[]agent.Step{{Proposed: "image", Executed: "plan"}, {Proposed: "brief", Executed: "brief"}},
			[]string{`{"next":"image"}`, `{"next":"brief"}`}, 0),
		Entry("of a turn with several decisions, after an invalid reply", "image",
			[]agent.Step{{Proposed: "image", Executed: "image"}, {Proposed: "END", Executed: "END"}},
			[]string{`{`, `{"next":"image"}`, `{"next":"END"}`}, 1),
		Entry("of a turn with one decision: the last valid reply", "image", nil,
			[]string{`{`, `{"next":"image"}`}, 1),
		Entry("of a turn whose decision is not the model's: the last reply", "rules", nil,
			[]string{`{"next":"a"}`, `{"next":"b"}`}, 1),
	)

	It("name what decided: a baseline model as such, and no route after an error reply that none answered", func() {
		r := twoTurns("{}")
		r.DecidedBy, r.AnsweredBy = "llm", "failed"
		reply := &r.Outcome.Turns[0].Reply
		reply.DecidedBy, reply.AnsweredBy = "llm", "failed"
		reply.Attributes = map[string]string{"vision": "no", "strategy": "draft", "style": ""}
		sum := eval.Summary{Suites: []eval.SuiteSummary{{Name: "s",
			Conditions: []eval.ConditionSummary{{Variant: "v", BaselineModel: true}}}}}
		parts := unpacked(packed(sum, []eval.Result{r}, page.EncodeOptions{}, 0))
		Expect(decoded[page.Meta](parts, "meta").Suites[0]).To(And(HaveField("Sources", []string{"model"}),
			HaveField("Labels", ContainElement("none (failed)"))))
		fromFile := decoded[page.Block](parts, "b0").Cases[0].Trials[0].Turns[0].Facts
		served, _ := page.CaseOf(sum.Suites[0], []eval.Result{r})
		Expect(served.Trials[0].Turns[0].Facts).To(Equal(fromFile))
		Expect(fromFile).To(Equal([]page.Pair{
			{Name: "decided", Value: "image · answered by none (failed) · by model"},
			{Name: "attributes", Value: "strategy = draft"}}))
		Expect(r.Outcome.Turns[0].Reply.DecidedBy).To(Equal("llm"), "the result is not changed")
	})

	It("have the same confidence as the list, which states whether the agent followed the model", func() {
		for _, one := range []struct {
			model, own float64
			want       string
			percent    int
			rejected   bool
		}{
			{0.835, 0.835, "0.83", 83, false}, // stored as less than 0.835
			{0.985, 0.985, "0.98", 98, false},
			{0.826, 1, "0.83", 83, true},
			{1, 1, "1.00", 100, false},
			{0.004, 0.004, "0.00", 0, false},
		} {
			r := twoTurns("{}")
			r.Confidence = &one.own
			r.Turns[0].ModelDecision.Confidence = &one.model
			r.Outcome.Turns[0].Reply.Confidence = one.own
			sum := eval.Summary{Suites: []eval.SuiteSummary{{Name: "s",
				Conditions: []eval.ConditionSummary{{Variant: "v"}}}}}
			parts := unpacked(packed(sum, []eval.Result{r}, page.EncodeOptions{}, 0))
			columns := decoded[page.Trials](parts, "t0").Conditions[0]
			Expect(columns.Confidence).To(Equal([]int{one.percent}))
			Expect(columns.Rejected != nil).To(Equal(one.rejected))
			d := decoded[page.Block](parts, "b0").Cases[0].Trials[0].Turns[0].Decision
			Expect(*d).To(And(HaveField("Confidence", one.want), HaveField("IsRejected", one.rejected)))
		}
	})

	It("have an answer of at most 2,000 characters, with the number of omitted ones", func() {
		e := page.TrialOf(twoTurns(strings.Repeat("ä", 2100)), 0).Turns[0].Events[0]
		Expect(e.Answer).To(Equal(strings.Repeat("ä", 2000)))
		Expect(e.OmittedChars).To(Equal(100))
	})

	It("have the answer in the event that contains it, if no call of its node succeeded", func() {
		r := twoTurns(raw)
		r.Outcome.Turns[0].Events[0].Span.Error = "timeout"
		r.Outcome.Turns[0].Events[0].Span.Message = "after 3 s"
		events := page.TrialOf(r, 0).Turns[0].Events
		Expect(events[0]).To(And(HaveField("Text", "timeout: after 3 s"), HaveField("Answer", "")))
		Expect(events[1]).To(And(HaveField("Answer", raw), HaveField("Decides", true)))
	})
})

// withPrompts is a source of trials of a run that stored prompts.
type withPrompts struct {
	source
	prompts map[string]string
	err     error
}

func (w withPrompts) Prompts() (map[string]string, error) { return w.prompts, w.err }

var _ = Describe("The messages that were sent to models", func() {
	list := []eval.Result{twoTurns("{}")}
	sum := eval.Summary{Suites: []eval.SuiteSummary{{Name: "s",
		Conditions: []eval.ConditionSummary{{Variant: "v"}}}}}
	pack := func(list []eval.Result, sum eval.Summary, source page.TrialSource, maxBytes int64) page.Packed {
		p := page.NewPacker(sum, page.EncodeOptions{MaxBytes: maxBytes})
		for _, r := range list {
			Expect(p.Add(r)).To(Succeed())
		}
		out, err := p.Pack(0, source)
		Expect(err).NotTo(HaveOccurred())
		return out
	}

	It("are in the file with the prompts of the run, each of them once and cut after 8,000 characters", func() {
		long := strings.Repeat("提示", 4100)
		parts := unpacked(pack(list, sum,
			withPrompts{source: sourceOf(list), prompts: map[string]string{"0123456789ab": long}}, 0))
		Expect(decoded[page.Prompts](parts, "prompts")).To(Equal(page.Prompts{
			"0123456789ab": {Text: strings.Repeat("提示", 4000), OmittedChars: 200}}))
		Expect(decoded[page.Block](parts, "b0").Cases[0].Trials[0].Turns[1].Events[2].Call.Messages).To(HaveLen(1))
	})

	It("are left out before traces, except those of the decisions of failing trials", func() {
		shape := small()
		list := shape.results()
		rules := strings.Repeat("Answer in one word. ", 150)
		for i := range list {
			events := list[i].Outcome.Turns[0].Events
			events[0].Span.SentMessages = []trace.SentMessage{{Role: "system", Text: rules},
				{Role: "user", Text: strings.Repeat(ask(i)+" ", 100)}}
			list[i].Outcome.Turns[0].Events = append(events,
				trace.Event{Kind: trace.KindRoute, Node: "router", Data: json.RawMessage(`{"rawResponse":"{}"}`)})
		}
		whole := pack(list, shape.summary(), sourceOf(list), 0)
		Expect(whole.Traced).To(BeEquivalentTo(len(list)))
		out := pack(list, shape.summary(), sourceOf(list), whole.Size()-1_000)
		Expect(out.Traced).To(BeEquivalentTo(len(list)))
		parts := unpacked(out)
		wrong := 0
		for name := range parts {
			if !strings.HasPrefix(name, "b") {
				continue
			}
			b := decoded[page.Block](parts, name)
			for _, c := range b.Cases {
				for _, t := range c.Trials {
					fails := t.Condition%3 == 0 && t.Turns[0].Decision.Verdict != 1 // each third condition is without a fault
					if fails {
						wrong++
					}
					sent := t.Turns[0].Events[0].Call.Messages
					Expect(sent != nil).To(Equal(fails))
					if fails {
						Expect(sent[0]).To(Equal(page.SentMessage{Role: "system", Text: rules}), "whole")
						Expect(sent[1].OmittedChars).To(BeNumerically(">", 1_000))
					}
				}
			}
		}
		Expect(wrong).To(BeNumerically(">", 10))
	})

	It("are shown without prompts if these cannot be read, with a note", func() {
		out := pack(list, sum, withPrompts{source: sourceOf(list), err: errors.New("prompts: permission denied")}, 0)
		Expect(out.Notes).To(ConsistOf("the prompts could not be read: prompts: permission denied"))
		Expect(out.Traced).To(BeEquivalentTo(1))
	})
})
