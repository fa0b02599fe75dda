package eval_test

import (
	"context"
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// fixedScorer is a scorer that returns a fixed score and error.
type fixedScorer struct {
	score eval.Score
	err   error
}

func (j fixedScorer) Score(context.Context, eval.Case, eval.Outcome) (eval.Score, error) {
	return j.score, j.err
}

// bug is a scorer that panics.
type bug struct{}

func (bug) Score(context.Context, eval.Case, eval.Outcome) (eval.Score, error) { panic("boom") }

var _ = Describe("A result", func() {
	right := eval.Score{Name: "route", Verdict: eval.Pass, Value: 1, Turn: 1, Actual: "a", Expected: eval.OneOf{"a"}}
	wrong := eval.Score{Name: "route", Verdict: eval.Fail, Turn: 1, Actual: "b", Expected: eval.OneOf{"a"}}
	side := func(v eval.Verdict) eval.Score {
		return eval.Score{Name: "slots.subject", Verdict: v, Value: 1, Turn: 2, Actual: "x", Expected: eval.OneOf{"y"},
			IsAttribute: true}
	}
	two := eval.Outcome{Turns: []eval.TurnResult{
		{Reply: agent.Reply{Predicted: "a", AnsweredBy: "failed", DecidedBy: "llm",
			ErrorReply: &agent.ErrorReply{Code: "EXECUTOR_FAILED", Cause: "timeout"}}},
		{Reply: agent.Reply{Predicted: "b", AnsweredBy: "b", DecidedBy: "guard",
			ErrorReply: &agent.ErrorReply{Code: "MASK_REQUIRED"}}},
	}}
	by := func(scores ...eval.Score) (list []eval.Scorer) {
		for _, s := range scores {
			list = append(list, fixedScorer{score: s})
		}
		return list
	}
	none := []string{"", ""}

	DescribeTable("is correct or wrong depending on the scores of the whole answer, not of an attribute",
		func(want *bool, scores ...eval.Score) {
			r := rowOf(by(scores...), none, two, nil)
			Expect(r.Correct).To(Equal(want))
			Expect(r.Scores).To(Equal(scores))
		},
		Entry("correct, if the decision is right but an attribute is wrong", new(true), right, side(eval.Fail)),
		Entry("wrong, if the decision is wrong but an attribute is right", new(false), wrong, side(eval.Pass)),
		Entry("unscored, if only an attribute was scored", nil, side(eval.Pass)),
		Entry("correct, if the expected component answers in the same turn in which the decision is wrong",
			new(true), wrong,
			eval.Score{Name: "fallback", Verdict: eval.Pass, Turn: 1, Expected: eval.OneOf{"x"}}),
		Entry("wrong, if the expected component answers in another turn only", new(false), wrong,
			eval.Score{Name: "fallback", Verdict: eval.Pass, Turn: 2, Expected: eval.OneOf{"x"}}),
		Entry("correct, if the expected component answers in both turns", new(true), wrong,
			eval.Score{Name: "fallback", Verdict: eval.Pass, Turn: 2, Expected: eval.OneOf{"x"},
				Turns: []eval.TurnScore{{Turn: 1, Verdict: eval.Pass}, {Turn: 2, Verdict: eval.Pass}}}),
	)

	It("has an entry for each turn: answered, error reply, failed, or not run", func() {
		chunk := []trace.Event{{Offset: 3 * ms, Kind: trace.KindBanner}, {Offset: 5 * ms, Kind: trace.KindChunk}}
		o := eval.Outcome{Turns: []eval.TurnResult{
			{Duration: 9 * ms, Events: chunk,
				Reply: agent.Reply{DecidedBy: "llm", ModelDecision: &agent.ModelDecision{Label: "b"}}}, two.Turns[0],
			{Duration: 7 * ms, HasError: true},
		}}
		r := rowOf(nil, []string{"", "", "", ""}, o, errors.New("x"))
		first := eval.Millis(5 * ms)
		Expect(r.Turns).To(Equal([]eval.TurnSummary{
			{Duration: eval.Millis(9 * ms), TTFT: &first, Answered: true, DecidedBy: "llm",
				ModelDecision: &agent.ModelDecision{Label: "b"}},
			{Answered: true, ErrorReply: "EXECUTOR_FAILED", ErrorReplyCause: "timeout", DecidedBy: "llm"},
			{Duration: eval.Millis(7 * ms)}, {},
		}))
		Expect(rowOf(nil, none, two, errors.New("x")).Turns[1].Answered).
			To(BeFalse(), "the target does not say which failed")
		Expect(rowOf(nil, none, eval.Outcome{}, errors.New("x")).Turns).To(Equal([]eval.TurnSummary{{}, {}}))
	})

	It("contains the label and the component of the scored turn, not of the turn of an attribute", func() {
		r := rowOf(by(side(eval.Fail), right), none, two, nil)
		Expect([]string{r.Predicted, r.AnsweredBy, r.DecidedBy, r.ErrorReply, r.ErrorReplyCause}).
			To(Equal([]string{"a", "failed", "llm", "EXECUTOR_FAILED", "timeout"}))
		Expect(r.Expected).To(Equal(eval.OneOf{"a"}))
	})

	It("contains the last turn if no turn was scored, without the error reply of an earlier turn", func() {
		r := rowOf(nil, none, two, nil)
		Expect([]string{r.AnsweredBy, r.ErrorReply, r.ErrorReplyCause}).To(Equal([]string{"b", "MASK_REQUIRED", ""}))
		fine := eval.Outcome{Turns: append(two.Turns[:1:1], eval.TurnResult{Reply: agent.Reply{AnsweredBy: "b"}})}
		r = rowOf(nil, none, fine, nil)
		Expect([]string{r.AnsweredBy, r.ErrorReply, r.ErrorReplyCause}).To(Equal([]string{"b", "", ""}))
	})

	It("retains only the score of the decision if an error follows the decision", Label("definition"), func() {
		after := errors.New("the chat failed")
		r := rowOf(by(right, side(eval.Pass)), none, two, after)
		Expect(r.Correct).To(HaveValue(BeTrue()))
		Expect(r.Scores[0].Verdict).To(Equal(eval.Pass))
		Expect(r.Scores[1].Verdict).To(Equal(eval.Unscored))
		Expect(r.Error.Kind).To(Equal(eval.AgentError))
		r = rowOf(by(wrong), none, two, after)
		Expect(r.Correct).To(HaveValue(BeFalse()))
		served := eval.Score{Name: "fallback", Verdict: eval.Pass, Turn: 2, Actual: "b", Expected: eval.OneOf{"b"}}
		r = rowOf(by(right, served), none, two, after)
		Expect(r.Correct).To(BeNil(), "another answer than the one decided was expected, and none came")
		undecided := right
		undecided.Verdict = eval.Unscored
		Expect(rowOf(by(undecided), none, two, after).Correct).To(BeNil())
	})

	DescribeTable("retains the scores of turns before the error, unless scoring itself failed", Label("definition"),
		func(failure error, kept ...eval.Verdict) {
			lost := eval.Score{Name: "route", Turn: 2, Expected: eval.OneOf{"b"}, Turns: []eval.TurnScore{
				{Turn: 1, Expected: eval.OneOf{"a"}, Actual: "a", Verdict: eval.Pass, Answered: true},
				{Turn: 2, Expected: eval.OneOf{"b"}}}}
			r := rowOf(by(lost), none, two, failure)
			Expect(r.Correct).To(BeNil())
			var got []eval.Verdict
			for _, j := range r.Decisions() {
				got = append(got, j.Verdict)
			}
			Expect(got).To(Equal(kept))
		},
		Entry("an error of the agent: the decision of the first turn stays scored", errors.New("the chat failed"),
			eval.Pass, eval.Unscored),
		Entry("an error of the harness: nothing stays scored", &eval.Error{Kind: eval.HarnessError},
			eval.Unscored, eval.Unscored),
	)

	It("has one decision score for a case with one label", func() {
		Expect(rowOf(by(right), none, two, nil).Decisions()).To(Equal([]eval.TurnScore{
			{Turn: 1, Expected: eval.OneOf{"a"}, Actual: "a", Verdict: eval.Pass, Answered: true}}))
		Expect(rowOf(nil, none, two, nil).Decisions()).To(BeEmpty())
	})

	DescribeTable("is unscored, not wrong, if scoring fails",
		func(scorers []eval.Scorer, failure error, kind eval.ErrorKind, names ...string) {
			r := rowOf(scorers, none, two, failure)
			Expect(r.Error.Kind).To(Equal(kind))
			Expect(r.Correct).To(BeNil())
			var got []string
			for _, s := range r.Scores {
				got = append(got, s.Name)
				Expect(s.Verdict).To(Equal(eval.Unscored), s.Name)
				Expect(s.Value).To(BeZero(), s.Name)
			}
			Expect(got).To(Equal(names))
		},
		Entry("the harness fails", by(right, side(eval.Fail)), &eval.Error{Kind: eval.HarnessError}, eval.HarnessError,
			"route", "slots.subject"),
		Entry("a later scorer returns an error",
			[]eval.Scorer{fixedScorer{score: side(eval.Pass)}, fixedScorer{score: right},
				fixedScorer{score: eval.Score{Name: "fallback"}, err: errors.New("x")}},
			nil, eval.ScorerError, "slots.subject", "route", "fallback"),
		Entry("an earlier scorer returns an error",
			[]eval.Scorer{fixedScorer{err: errors.New("x")}, fixedScorer{score: right},
				fixedScorer{score: side(eval.Fail)}},
			nil, eval.ScorerError, "route", "slots.subject"),
		Entry("a scorer panics", []eval.Scorer{bug{}, fixedScorer{score: side(eval.Pass)}}, nil,
			eval.ScorerError, "slots.subject"),
		Entry("a scorer panics after the trial timed out: the result contains the timeout",
			[]eval.Scorer{bug{}, fixedScorer{score: right}},
			context.DeadlineExceeded, eval.TimeoutError, "route"),
	)
})

var _ = Describe("The timeout of a trial", func() {
	DescribeTable("does not include the user's pauses between turns",
		func(works time.Duration, kind eval.ErrorKind) {
			c := eval.Case{ID: "c", Turns: []eval.LabeledTurn{{},
				{Turn: agent.Turn{Delay: agent.Delay(31 * time.Minute)}}}}
			condition := &eval.Condition{NewTarget: func(eval.Trial) (eval.Target, error) {
				return targetFunc(func(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
					return eval.Outcome{}, clock.Sleep(ctx, time.Duration(turns[1].Delay)+works)
				}), nil
			}}
			k, err := run(context.Background(),
				func(yield func(eval.Trial, error) bool) { yield(eval.Trial{Condition: condition, Case: c}, nil) })
			Expect(err).NotTo(HaveOccurred())
			if kind == "" {
				Expect(k.results[0].Error).To(BeNil())
				return
			}
			Expect(k.results[0].Error).To(HaveField("Kind", kind))
		},
		Entry("two turns, each just below a minute: no timeout", 2*time.Minute-ms, eval.ErrorKind("")),
		Entry("two turns, each just above a minute: a timeout", 2*time.Minute+ms, eval.TimeoutError),
	)
})
