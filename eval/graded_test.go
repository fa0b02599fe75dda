package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval"
)

var _ = Describe("L4: grading facts with a model", func() {
	// runTrial runs one trial with the given expectations and replies.
	runTrial := func(grade func(eval.Trial) (system.Grader, error), labels []string,
		turns ...eval.TurnResult) eval.Result {
		GinkgoHelper()
		steps := make([]eval.LabeledTurn, len(labels))
		for i, w := range labels {
			steps[i].Expected = json.RawMessage(w)
		}
		condition := &eval.Condition{Suite: "s", Variant: "v", Fault: eval.NoFault, NewGrader: grade,
			FactsField: "facts",
			NewTarget: func(eval.Trial) (eval.Target, error) {
				return targetFunc(func(ctx context.Context, _ []agent.Turn) (eval.Outcome, error) {
					err := clock.Sleep(ctx, time.Second)
					return eval.Outcome{Turns: turns, Duration: time.Second}, err
				}), nil
			}}
		k, err := run(context.Background(), func(yield func(eval.Trial, error) bool) {
			yield(eval.Trial{Condition: condition, Case: eval.Case{ID: "c", Turns: steps}, Epoch: 1}, nil)
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(k.results).To(HaveLen(1))
		return k.results[0]
	}
	answered := func(text string) eval.TurnResult { return eval.TurnResult{Reply: agent.Reply{Content: text}} }
	type asked struct {
		facts  [][]string
		answer string
	}
	// fixedResult returns a grader whose call takes a second and returns fixed values.
	fixedResult := func(stated []bool, err error, seen *[]asked) func(eval.Trial) (system.Grader, error) {
		return func(eval.Trial) (system.Grader, error) {
			return func(ctx context.Context, facts [][]string, answer string) ([]bool, error) {
				*seen = append(*seen, asked{facts: facts, answer: answer})
				trace.Emit(ctx, call(7, 2))
				return stated, errors.Join(err, clock.Sleep(ctx, time.Second))
			}, nil
		}
	}
	two := []string{`{"facts":["a",["b","B"]]}`}

	It("covers every answered turn whose case lists facts, and no other turn", func() {
		var seen []asked
		r := runTrial(fixedResult([]bool{true, false}, nil, &seen),
			[]string{two[0], `{"intent":"x"}`, ``, two[0], two[0], two[0]},
			answered("one"), answered("two"), answered("three"),
			eval.TurnResult{Reply: agent.Reply{Content: "sorry", ErrorReply: &agent.ErrorReply{Code: "FAILED"}}},
			eval.TurnResult{Reply: agent.Reply{Content: "lost"}, HasError: true}, answered("six"))
		facts := [][]string{{"a"}, {"b", "B"}}
		Expect(seen).To(Equal([]asked{{facts, "one"}, {facts, "six"}}))
		Expect(r.Outcome.Turns[5].FactGrading.Stated).To(Equal([]bool{true, false}))
		Expect(r.Grading).To(Equal(&eval.GradingCost{Turns: 2, Calls: 2, Tokens: eval.Tokens{In: 14, Out: 4}}))
	})

	It("adds no calls, tokens or time to the turn, but records them separately", func() {
		var seen []asked
		with, without := runTrial(fixedResult([]bool{true, true}, nil, &seen), two, answered("one")), runTrial(nil,
			two, answered("one"))
		Expect(with.Outcome.Turns[0].FactGrading.Events).To(HaveLen(1))
		with.Grading, with.Outcome, without.Outcome = nil, eval.Outcome{}, eval.Outcome{}
		Expect(with).To(Equal(without))
	})

	DescribeTable("leaves the trial unchanged if grading fails, and records the error",
		func(grade func(eval.Trial) (system.Grader, error), message string) {
			r := runTrial(grade, two, answered("one"))
			Expect(r.Error).To(BeNil())
			Expect(r.Outcome.Turns[0].FactGrading.Stated).To(BeNil())
			Expect(r.Outcome.Turns[0].FactGrading.Error).To(ContainSubstring(message))
			Expect(r.Grading).To(And(HaveField("Turns", int64(1)), HaveField("Failed", int64(1))))
		},
		Entry("the call of the grader fails", fixedResult([]bool{true, true}, errors.New("refused"), new([]asked)),
			"refused"),
		Entry("the grader returns too few facts", fixedResult([]bool{true}, nil, new([]asked)),
			"the grader judges 1 facts of 2"),
		Entry("the grader returns too many facts", fixedResult([]bool{true, true, true}, nil, new([]asked)),
			"the grader judges 3 facts of 2"),
		Entry("the grader cannot be created",
			func(eval.Trial) (system.Grader, error) { return nil, errors.New("no link") }, "no link"),
		Entry("the grader panics", func(eval.Trial) (system.Grader, error) { panic("bug") }, "bug"),
	)
})

// modelCall returns the event of a call by a node; from and to are in milliseconds.
func modelCall(node string, from, to time.Duration) trace.Event {
	return trace.Event{Kind: trace.KindSpan, Node: node,
		Span: &trace.Span{Start: from * ms, Duration: (to - from) * ms}}
}

var _ = Describe("A result", func() {
	rowOf := func(turns ...[]trace.Event) eval.Result {
		GinkgoHelper()
		condition := eval.Condition{ModelNodes: []string{"m"}, NewTarget: func(eval.Trial) (eval.Target, error) {
			return targetFunc(func(context.Context, []agent.Turn) (eval.Outcome, error) {
				return events(turns...),
					nil
			}), nil
		}}
		k, err := run(context.Background(), func(yield func(eval.Trial, error) bool) {
			yield(eval.Trial{Condition: &condition, Case: eval.Case{Turns: make([]eval.LabeledTurn, len(turns))}}, nil)
		})
		Expect(err).NotTo(HaveOccurred())
		return k.results[0]
	}

	DescribeTable("L4: contains the largest number of model calls that ran at the same time in a turn",
		Label("definition"),
		func(want int64, turns ...[]trace.Event) {
			Expect(rowOf(turns...).PeakCalls).To(Equal(want))
		},
		Entry("0, if there is no call", int64(0), []trace.Event{{Kind: trace.KindDone}}),
		Entry("1, if each call ends before the next one starts", int64(1),
			[]trace.Event{modelCall("m", 0, 5), modelCall("m", 5, 9), modelCall("m", 9, 12)}),
		Entry("2, if two calls overlap", int64(2),
			[]trace.Event{modelCall("m", 0, 6), modelCall("m", 5, 9), modelCall("m", 9, 12)}),
		Entry("3, if three calls overlap, in any order of their events", int64(3),
			[]trace.Event{modelCall("m", 4, 5), modelCall("m", 1, 6), modelCall("m", 0, 7), modelCall("m", 6, 8)}),
		Entry("the maximum over the turns, not the sum", int64(2),
			[]trace.Event{modelCall("m", 0, 5), modelCall("m", 1, 5)}, []trace.Event{modelCall("m", 0, 5)}),
		Entry("1, if the calls have no duration", int64(1), []trace.Event{modelCall("m", 3, 3), modelCall("m", 3, 3)}),
		Entry("2, if a call without duration occurs while two others run", int64(2),
			[]trace.Event{modelCall("m", 0, 5), modelCall("m", 1, 4), modelCall("m", 3, 3)}),
		Entry("1, if only one of the overlapping calls is that of a model", int64(1),
			[]trace.Event{modelCall("m", 0, 5), modelCall("recall", 1, 4), modelCall("recall", 2, 4)}),
		Entry("0, if there are only calls of other services", int64(0), []trace.Event{modelCall("recall", 1, 4)}),
	)

	It("L6: contains the cache hits, misses and errors of all turns, without answers that a node reuses within a turn",
		Label("definition"), func() {
			hit, miss, again := trace.Event{Kind: trace.KindCacheHit}, trace.Event{Kind: trace.KindCacheMiss}, trace.Event{Kind: trace.KindCacheHit, Reason: "same_request"}
			Expect(rowOf([]trace.Event{hit, miss, again, hit}, []trace.Event{hit, miss, {Kind: trace.KindCacheError}}).
				Cache).
				To(Equal(eval.CacheStats{Hits: 3, Misses: 2, Errors: 1}))
		})

	It("L7: contains the length of a session before and after each compression", Label("definition"), func() {
		to := func(data string) trace.Event {
			return trace.Event{Kind: trace.KindCompression, Data: json.RawMessage(data)}
		}
		r := rowOf([]trace.Event{to(`{"tokens_before":2400,"tokens_after":600,"retained_messages":3,"context":"…"}`)},
			[]trace.Event{to(`{"tokens_before":0}`), to(`{"tokens_before":10,"tokens_after":-1}`), to(`[]`)},
			[]trace.Event{to(`{"tokens_before":100,"tokens_after":120}`)})
		Expect(r.Compressions).To(
			Equal([]eval.Compression{{Turn: 1, TokensBefore: 2400, TokensAfter: 600},
				{Turn: 3, TokensBefore: 100, TokensAfter: 120}}))
	})
})
