package eval_test

import (
	"context"
	"errors"
	"math"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// criticInput returns the event of a review of an attempt that can be judged again.
func criticInput(attempt string, loop int, score float64, passed bool) trace.Event {
	e := review(time.Duration(loop)*time.Second, loop, score, passed)
	e.Review.ReviewedWork = attempt
	return e
}

var _ = Describe("S5: a second judgment of the first attempt", func() {
	// runTrial runs one trial with the given events per turn and the given judge.
	runTrial := func(judge func(eval.Trial) (eval.Judge, error), turns ...[]trace.Event) eval.Result {
		GinkgoHelper()
		steps := make([]eval.LabeledTurn, len(turns))
		condition := &eval.Condition{Suite: "s", Variant: "v", Fault: eval.NoFault, NewJudge: judge,
			NewTarget: func(eval.Trial) (eval.Target, error) {
				return targetFunc(func(ctx context.Context, _ []agent.Turn) (eval.Outcome, error) {
					err := clock.Sleep(ctx, time.Second)
					o := events(turns...)
					o.Duration = time.Second
					return o, err
				}), nil
			}}
		k, err := run(context.Background(), func(yield func(eval.Trial, error) bool) {
			yield(eval.Trial{Condition: condition, Case: eval.Case{ID: "c", Turns: steps}, Epoch: 1}, nil)
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(k.results).To(HaveLen(1))
		return k.results[0]
	}
	// fixedResult returns a judge whose call takes a second and returns a fixed score.
	fixedResult := func(score float64, err error, asked *[]any) func(eval.Trial) (eval.Judge, error) {
		return func(eval.Trial) (eval.Judge, error) {
			return func(ctx context.Context, attempt any) (float64, error) {
				*asked = append(*asked, attempt)
				trace.Emit(ctx, call(7, 2))
				return score, errors.Join(err, clock.Sleep(ctx, time.Second))
			}, nil
		}
	}
	twice := []trace.Event{criticInput("first", 1, 0.4, false), back(), criticInput("second", 2, 0.5, false), back(),
		criticInput("third", 3, 0.9, true)}

	It("is made in every turn whose first attempt the critic sent back, and in no other turn", func() {
		var asked []any
		r := runTrial(fixedResult(0.6, nil, &asked), twice,
			[]trace.Event{criticInput("passed", 1, 0.9, true)},
			[]trace.Event{criticInput("given up", 1, 0.2, false), exhausted()},
			[]trace.Event{{Kind: trace.KindDone}},
			[]trace.Event{criticInput("cut off", 1, 0.3, false), back()})
		Expect(asked).To(Equal([]any{"first", "cut off"}))
		var seconds []*eval.SecondJudgment
		for _, l := range r.LoopRounds {
			seconds = append(seconds, l.SecondJudgment)
		}
		Expect(seconds).To(HaveExactElements(HaveField("Score", HaveValue(Equal(0.6))), BeNil(), BeNil(), BeNil(),
			BeNil(), Not(BeNil())))
	})

	It("adds no calls, tokens or time to the turn, but records them separately", func() {
		var asked []any
		with, without := runTrial(fixedResult(0.6, nil, &asked), twice), runTrial(nil, twice)
		Expect(with.LoopRounds[0].SecondJudgment).
			To(HaveValue(Equal(eval.SecondJudgment{Score: new(0.6), Calls: 1, Tokens: eval.Tokens{In: 7, Out: 2}})))
		Expect(with.Outcome.Turns[0].SecondJudgment.Events).To(HaveLen(1))
		with.LoopRounds[0].SecondJudgment, with.Outcome, without.Outcome = nil, eval.Outcome{}, eval.Outcome{}
		Expect(with).To(Equal(without))
	})

	DescribeTable("leaves the trial unchanged if it fails, and then has no score",
		func(judge func(eval.Trial) (eval.Judge, error), message string) {
			r := runTrial(judge, twice)
			Expect(r.Error).To(BeNil())
			Expect(r.LoopRounds[0].SecondJudgment).NotTo(BeNil())
			Expect(r.LoopRounds[0].SecondJudgment.Score).To(BeNil())
			Expect(r.Outcome.Turns[0].SecondJudgment.Error).To(ContainSubstring(message))
		},
		Entry("the call of the judge fails", fixedResult(0.6, errors.New("refused"), new([]any)), "refused"),
		Entry("the judge returns no number", fixedResult(math.NaN(), nil, new([]any)), "NaN is not in 0..1"),
		Entry("the judge returns a score above the maximum of 1", fixedResult(1.1, nil, new([]any)),
			"1.1 is not in 0..1"),
		Entry("the judge cannot be created", func(eval.Trial) (eval.Judge, error) { return nil, errors.New("no link") },
			"no link"),
		Entry("the judge panics", func(eval.Trial) (eval.Judge, error) { panic("bug") }, "bug"),
	)

	It("ends when the trial times out", func() {
		stuck := func(eval.Trial) (eval.Judge, error) {
			return func(ctx context.Context, _ any) (float64, error) { return 0.5, clock.Sleep(ctx, time.Hour) }, nil
		}
		r := runTrial(stuck, twice)
		Expect(r.Error).To(BeNil(), "the turns were over")
		Expect(r.LoopRounds[0].SecondJudgment.Score).To(BeNil())
	})

	It("uses its own random seed, which is the same for all variants and faults", func() {
		var seen []uint64
		note := func(t eval.Trial) (eval.Judge, error) {
			seen = append(seen, t.TrialSeed(), uint64(t.RescoredTurn))
			return nil, errors.New("enough")
		}
		runTrial(note, nil, twice)
		t := eval.Trial{Condition: &eval.Condition{Variant: "other", Fault: "x:y"}, Case: eval.Case{ID: "c"}, Epoch: 1}
		first := t.TrialSeed()
		t.RescoredTurn = 2
		Expect(seen).To(Equal([]uint64{t.TrialSeed(), 2}))
		Expect(t.TrialSeed()).NotTo(Equal(first))
		t.RescoredTurn = 1
		Expect(t.TrialSeed()).NotTo(BeElementOf(seen[0], first))
	})
})

var _ = DescribeTable("a Critic loop round records which parts of the attempt the critic received",
	func(by trace.CriticInput, isReal bool, want eval.CriticInput, labeled bool) {
		e := review(ms, 1, 0.9, true)
		e.Review.CriticInput = by
		condition := eval.Condition{RealCritic: isReal, NewTarget: func(eval.Trial) (eval.Target, error) {
			return targetFunc(func(context.Context, []agent.Turn) (eval.Outcome,
				error) {
				return events([]trace.Event{e}), nil
			}), nil
		}}
		k, err := run(context.Background(), func(yield func(eval.Trial, error) bool) {
			yield(eval.Trial{Condition: &condition, Case: eval.Case{Turns: make([]eval.LabeledTurn, 1)}}, nil)
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(k.results[0].LoopRounds).To(HaveLen(1))
		Expect(k.results[0].LoopRounds[0].CriticInput).To(Equal(want))
		Expect(k.results[0].LoopRounds[0].SawLabeledImage()).To(Equal(labeled))
	},
	Entry("a simulated critic with the image: the labeled image", trace.CriticInputImage, false,
		trace.CriticInputImage, true),
	Entry("a real critic with the image: another image than the labeled one", trace.CriticInputImage, true,
		eval.CriticInputOtherImage, false),
	Entry("a simulated critic with the prompt: the prompt", trace.CriticInputPrompt, false,
		trace.CriticInputPrompt, false),
	Entry("a real critic with the prompt: the prompt", trace.CriticInputPrompt, true, trace.CriticInputPrompt, false),
	Entry("a simulated critic with the plan: the plan", trace.CriticInputPlan, false, trace.CriticInputPlan, false),
	Entry("a critic that does not report its input: unknown", trace.CriticInput(""), false,
		trace.CriticInput(""), false),
)
