package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// singleTrial yields one trial with one turn per expectation ("": none). Its target returns the
// given outcome and error.
func singleTrial(scorers []eval.Scorer, labels []string, o eval.Outcome, err error) iter.Seq2[eval.Trial, error] {
	c := eval.Case{ID: "c", Pos: "cases.jsonl:7"}
	for _, w := range labels {
		c.Turns = append(c.Turns, eval.LabeledTurn{Expected: json.RawMessage(w)})
	}
	condition := &eval.Condition{Suite: "s", Variant: "v", Fault: eval.NoFault, Scorers: scorers,
		NewTarget: func(eval.Trial) (eval.Target, error) {
			return targetFunc(func(context.Context, []agent.Turn) (eval.Outcome, error) { return o, err }), nil
		}}
	return func(yield func(eval.Trial, error) bool) {
		yield(eval.Trial{Condition: condition, Case: c, Epoch: 1}, nil)
	}
}

// rowOf runs one trial and returns its result.
func rowOf(scorers []eval.Scorer, labels []string, o eval.Outcome, err error) eval.Result {
	GinkgoHelper()
	k, failed := run(context.Background(), singleTrial(scorers, labels, o, err))
	Expect(failed).NotTo(HaveOccurred())
	Expect(k.results).To(HaveLen(1))
	return k.results[0]
}

// events returns an outcome with one turn for each list of events.
func events(turns ...[]trace.Event) (o eval.Outcome) {
	for _, t := range turns {
		o.Turns = append(o.Turns, eval.TurnResult{Events: t})
	}
	return o
}

const ms = time.Millisecond

// review returns the event of a critic's review, at this time after the start of the turn.
func review(at time.Duration, loop int, score float64, passed bool) trace.Event {
	return trace.Event{Offset: at, Kind: trace.KindReview, Node: "critic",
		Review: &trace.Review{Loop: loop, Score: score, Passed: passed, Reviewer: "llm"}}
}

// call returns the event of a call with these billed tokens.
func call(in, out int64) trace.Event {
	return trace.Event{Kind: trace.KindSpan, Node: "critic", Span: &trace.Span{Tokens: trace.Tokens{In: in, Out: out}}}
}

func back() trace.Event {
	return trace.Event{Kind: trace.KindCriticLoop, From: "critic", To: "rag", Reason: "rejected"}
}

func exhausted() trace.Event {
	return trace.Event{Kind: trace.KindCriticLoop, From: "critic", To: "genui", Reason: trace.ReasonMaxRounds}
}

var _ = Describe("The Critic loop rounds in a result", func() {
	loops := func(want string, turns ...[]trace.Event) []eval.LoopRound {
		GinkgoHelper()
		labels := make([]string, len(turns))
		labels[0] = want
		r := rowOf(nil, labels, events(turns...), nil)
		Expect(r.Error).To(BeNil())
		return r.LoopRounds
	}

	It("contain the score of each review, with the time, calls and tokens that the round added", func() {
		Expect(loops("", []trace.Event{
			call(10, 1), call(20, 2), review(900*ms, 1, 0.41, false), back(),
			call(30, 3), review(1500*ms, 2, 0.83, true), call(5, 5),
		})).To(Equal([]eval.LoopRound{
			{Turn: 1, Round: 1, Score: 0.41, Reviewer: "llm", AddedTime: eval.Millis(900 * ms), Calls: 2,
				Tokens: eval.Tokens{In: 30, Out: 3}},
			{Turn: 1, Round: 2, Score: 0.83, Passed: true, Reviewer: "llm", AddedTime: eval.Millis(600 * ms), Calls: 1,
				Tokens: eval.Tokens{In: 30, Out: 3}},
		}))
	})

	It("start at 1 again in each turn", func() {
		list := loops("", []trace.Event{call(1, 1), review(ms, 1, 0.9, true), call(9, 9)},
			[]trace.Event{{Kind: trace.KindDone}},
			[]trace.Event{call(2, 2), review(5*ms, 1, 0.2, false), exhausted()})
		Expect(list).To(HaveLen(2))
		Expect(list[1]).To(Equal(eval.LoopRound{Turn: 3, Round: 1, Score: 0.2, Reviewer: "llm", Exhausted: true,
			AddedTime: eval.Millis(5 * ms), Calls: 1,
			Tokens: eval.Tokens{In: 2, Out: 2}}))
	})

	It("are marked as exhausted only if no further attempt is permitted", func() {
		list := loops("", []trace.Event{review(ms, 1, 0.1, false), back(), review(2*ms, 2, 0.1, false), exhausted()})
		Expect(list[0].Exhausted).To(BeFalse())
		Expect(list[1].Exhausted).To(BeTrue())
	})

	It("are neither passed nor exhausted if the turn ends for another reason", func() {
		list := loops("", []trace.Event{review(ms, 1, 0.1, false), back(), call(1, 1)})
		Expect(list).To(HaveLen(1))
		Expect(list[0].Passed || list[0].Exhausted).To(BeFalse())
	})

	It("show that the critic failed and the attempt was accepted without a review", func() {
		waved := trace.Event{Kind: trace.KindReview, Review: &trace.Review{Loop: 1, Passed: true, Reviewer: "none"}}
		Expect(loops("", []trace.Event{waved})).
			To(HaveExactElements(And(HaveField("Reviewer", "none"), HaveField("Passed", true))))
	})

	DescribeTable("state whether the user would accept each of three attempts, from the labels of the case",
		func(images string, want ...any) {
			three := []trace.Event{review(ms, 1, 0.1, false), back(), review(2*ms, 2, 0.1, false), back(),
				review(3*ms, 3, 0.8, true)}
			list := loops(`{"images":`+images+`}`, three)
			var good []any
			for _, l := range list {
				if l.Acceptable == nil {
					good = append(good, nil)
					continue
				}
				good = append(good, *l.Acceptable)
			}
			Expect(good).To(Equal(want))
		},
		Entry("one label per attempt", `[{"acceptable":false},{"acceptable":true},{"acceptable":false}]`,
			false, true, false),
		Entry("fewer labels than attempts: the last label also applies to later attempts",
			`[{"acceptable":false},{"acceptable":true}]`, false, true, true),
		Entry("more labels than attempts: the additional labels are ignored",
			`[{"acceptable":true},{"acceptable":true},{"acceptable":false},{"acceptable":true}]`,
			true, true, false),
		Entry("an empty list of labels: unknown", `[]`, nil, nil, nil),
		Entry("null in place of labels: unknown", `null`, nil, nil, nil),
	)

	It("become a scorer error with the position of the case if the labels cannot be read", func() {
		broken := []string{`{"images":3}`}
		r := rowOf(nil, broken, events([]trace.Event{review(ms, 1, 0.9, true)}), nil)
		Expect(r.Error).To(HaveValue(MatchFields(eval.ScorerError, "cases.jsonl:7: expect.images: ")))
		Expect(r.LoopRounds).To(HaveLen(1))
		Expect(rowOf(nil, broken, events([]trace.Event{call(1, 1)}), nil).Error).
			To(BeNil(), "nobody asks for them without a critic")
	})

	It("contain the completed rounds if the trial ends in an error", func() {
		r := rowOf(nil, []string{""}, events([]trace.Event{review(ms, 1, 0.1, false), back()}), errors.New("x"))
		Expect(r.LoopRounds).To(HaveLen(1))
		Expect(r.Error.Kind).To(Equal(eval.AgentError))
	})

	It("are an empty JSON list without a critic", func() {
		b, err := json.Marshal(rowOf(nil, []string{""}, events([]trace.Event{call(1, 1)}), nil))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(b)).To(ContainSubstring(`"loops":[]`))
	})

	It("are equal after they are written as JSON and read back", func() {
		want := loops(`{"images":[{"description":"a cat","quality":0.4,"acceptable":false}]}`,
			[]trace.Event{call(3, 4), review(1500*time.Microsecond, 1, 0.41, false), exhausted()})
		b, err := json.Marshal(want)
		Expect(err).NotTo(HaveOccurred())
		Expect(b).To(MatchJSON(`[{"turn":1,"loop":1,"score":0.41,"passed":false,"reviewer":"llm","exhausted":true,"added_ms":1.5,"calls":1,
			"tokens":{"in":3,"out":4},"cost":null,"acceptable":false}]`))
		var got []eval.LoopRound
		Expect(json.Unmarshal(b, &got)).To(Succeed())
		Expect(got).To(Equal(want))
	})
})
