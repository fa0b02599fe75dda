package eval_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/cache"
	"evalctl/agent/trace"
	"evalctl/eval"
)

var _ = Describe("The cost of a trial", func() {
	prices := func(provider, model string) (eval.Price, bool) {
		p, ok := map[string]eval.Price{"chat": {In: 0.28, Out: 0.42}, "paint": {Image: 0.028}, "free": {}}[model]
		return p, ok && provider == "p"
	}
	span := func(model string, in, out, images int64) trace.Event {
		return trace.Event{Kind: trace.KindSpan,
			Span: &trace.Span{Provider: "p", Model: model, Tokens: trace.Tokens{In: in, Out: out}, Images: images}}
	}
	review := func(loop int) trace.Event {
		return trace.Event{Offset: time.Duration(loop) * time.Second, Kind: trace.KindReview,
			Review: &trace.Review{Loop: loop, Reviewer: "llm"}}
	}
	play := func(known eval.PriceFunc, events ...trace.Event) (r eval.Result) {
		GinkgoHelper()
		condition := &eval.Condition{Prices: known, NewTarget: func(eval.Trial) (eval.Target, error) {
			return outcome{eval.Outcome{Turns: []eval.TurnResult{{Events: events}}}}, nil
		}}
		trials := func(yield func(eval.Trial, error) bool) {
			yield(eval.Trial{Condition: condition,
				Case: eval.Case{ID: "c", Turns: []eval.LabeledTurn{{Turn: agent.Turn{Text: "画"}}}}, Epoch: 1}, nil)
		}
		Expect(eval.Runner{Parallel: 1, Timeout: time.Hour, SimulatedClock: true}.Run(context.Background(), trials,
			eval.SinkFunc(func(one eval.Result) error { r = one; return nil }))).To(Succeed())
		return r
	}

	It("uses the lower price for cached tokens, if there is one", func() {
		of := func(p eval.Price) float64 {
			e := span("m", 1_000_000, 0, 0)
			e.Span.Tokens.CachedIn = 750_000
			return *play(func(string, string) (eval.Price, bool) { return p, true }, e).Cost
		}
		Expect(of(eval.Price{In: 4, CachedIn: 1})).To(Equal(1.75))
		Expect(of(eval.Price{In: 4})).To(Equal(4.0))
	})

	It("is the price of all tokens and images, in total and for each Critic loop round", func() {
		r := play(prices, span("chat", 1_000_000, 500_000, 0), span("paint", 0, 0, 1), review(1), span("free", 9, 9, 0),
			span("paint", 0, 0, 1), review(2))
		Expect(r.Cost).To(HaveValue(BeNumerically("~", 0.28+0.21+0.056, 1e-12)))
		Expect(r.LoopRounds).To(HaveLen(2))
		Expect(r.LoopRounds[0].Cost).To(HaveValue(BeNumerically("~", 0.28+0.21+0.028, 1e-12)))
		Expect(r.LoopRounds[1].Cost).To(HaveValue(BeNumerically("~", 0.028, 1e-12)))
		Expect(r.LoopRounds[1].Tokens).To(Equal(eval.Tokens{In: 9, Out: 9}))
	})

	It("does not include cache lookups and stores as calls", func() {
		kept := trace.Event{Kind: trace.KindSpan, Node: "cache", Span: &trace.Span{Provider: cache.ProviderName}}
		r := play(prices, kept, span("chat", 1, 1, 0), kept, review(1), kept, span("chat", 1, 1, 0))
		Expect([]int64{r.Calls, r.LoopRounds[0].Calls}).To(Equal([]int64{2, 1}))
		Expect(r.Nodes).To(ContainElement(And(HaveField("Node", "cache"), HaveField("Calls", BeNumerically(">", 0)))),
			"the node's own figures have them")
	})

	It("is unknown if it exceeds MaxCost, for any number of calls", func() {
		dear := func(string, string) (eval.Price, bool) { return eval.Price{Image: 6e9}, true }
		Expect(play(dear, span("paint", 0, 0, 1), span("paint", 0, 0, 1), span("paint", 0, 0, 1),
			span("paint", 0, 0, 1)).Cost).To(BeNil())
		most := func(string, string) (eval.Price, bool) { return eval.Price{Image: eval.MaxCost}, true }
		Expect(play(most, span("paint", 0, 0, 1)).Cost).To(HaveValue(BeEquivalentTo(eval.MaxCost)))
		Expect(play(most, span("paint", 0, 0, 1), span("paint", 0, 0, 1)).Cost).To(BeNil())
	})

	It("is unknown if one or all of the models have no price", func() {
		r := play(prices, span("chat", 10, 10, 0), review(1), span("other", 1, 1, 0), review(2))
		Expect(r.Cost).To(BeNil())
		Expect(r.LoopRounds[0].Cost).NotTo(BeNil())
		Expect(r.LoopRounds[1].Cost).To(BeNil())
		Expect(play(nil, span("chat", 10, 10, 0)).Cost).To(BeNil())
	})

	It("is unknown if a call reports no tokens, unless the model is free", func() {
		uncounted := func(model string) trace.Event {
			e := span(model, 0, 0, 0)
			e.Span.UsageUnreported = true
			return e
		}
		r := play(prices, span("chat", 10, 10, 0), uncounted("chat"))
		Expect(r.Cost).To(BeNil())
		Expect(r.Tokens).To(Equal(eval.Tokens{In: 10, Out: 10, UnreportedCalls: 1}))
		Expect(play(prices, uncounted("free")).Cost).To(HaveValue(BeZero()))
	})

	It("is unknown to a budget if a call failed during its answer, before it reported tokens", func() {
		real := func(string) bool { return true }
		cut := span("chat", 0, 0, 0)
		cut.Span.Error = "truncated"
		_, known := eval.PriceFunc(prices).Cost(play(prices, cut), real)
		Expect(known).To(BeTrue(), "refused, it cost nothing")
		cut.Span.UsageUnreported = true
		_, known = eval.PriceFunc(prices).Cost(play(prices, cut), real)
		Expect(known).To(BeFalse())
	})

	It("covers the calls that an external agent reports, but not the request to that agent", func() {
		question := span("chat", 0, 0, 0)
		question.Span.IsExternalAgent = true
		r := play(prices, span("chat", 1, 1, 0), span("chat", 1, 1, 0), question)
		Expect([]int64{r.Calls, r.ExternalRequests}).To(Equal([]int64{2, 1}))
		Expect(r.HasUnreportedCalls()).To(BeFalse())
		Expect(play(prices, question).HasUnreportedCalls()).To(BeTrue())
	})

	It("is 0 without calls", func() {
		Expect(play(nil).Cost).To(HaveValue(BeZero()))
	})
})

// outcome is a target that returns a fixed outcome.
type outcome struct{ eval.Outcome }

func (o outcome) Run(context.Context, []agent.Turn) (eval.Outcome, error) { return o.Outcome, nil }
