package eval_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = Describe("Result.CheckConsistency", func() {
	judged := func() eval.Result {
		return eval.Result{Predicted: "a", Expected: eval.OneOf{"a"}, Correct: new(true),
			Scores: []eval.Score{{Name: eval.RouteScore, Verdict: eval.Pass, Turn: 1, Actual: "a",
				Expected: eval.OneOf{"a"}}}}
	}
	wrong := func() eval.Result {
		r := judged()
		r.Predicted, r.Correct, r.Scores[0].Actual, r.Scores[0].Verdict = "b", new(false), "b", eval.Fail
		return r
	}
	It("accepts a result as a run writes it", func() {
		for _, r := range []eval.Result{judged(), wrong()} {
			Expect(r.CheckConsistency()).To(Succeed())
		}
	})

	DescribeTable("returns an error for a result that contradicts its scores",
		func(edit func(*eval.Result), want string) {
			r := judged()
			edit(&r)
			Expect(r.CheckConsistency()).To(MatchError(want))
		},
		Entry("its expected label differs from that of the score",
			func(r *eval.Result) { r.Expected = eval.OneOf{"b"} },
			`expected is ["b"], where scores.expected is ["a"]`),
		Entry("it is wrong although the score is a pass", func(r *eval.Result) { r.Correct = new(false) },
			"correct is false, which is not what the scores come to"),
		Entry("it has no expected label although the score has one", func(r *eval.Result) { r.Expected = nil },
			`expected is [], where scores.expected is ["a"]`),
		Entry("its predicted label differs from that of the score", func(r *eval.Result) { r.Predicted = "b" },
			`predicted is "b", where scores.actual is "a"`),
		Entry("it is correct although the score is a fail",
			func(r *eval.Result) { *r = wrong(); r.Correct = new(true) },
			"correct is true, which is not what the scores come to"),
		Entry("it is unscored although the score is a fail", func(r *eval.Result) { *r = wrong(); r.Correct = nil },
			"correct is null, where the scores come to false"),
		Entry("it is correct although the score has no verdict",
			func(r *eval.Result) { r.Scores[0].Verdict = eval.Unscored },
			"correct is true, which is not what the scores come to"),
		Entry("it is correct although the fallback score is a fail", func(r *eval.Result) {
			r.Scores = append(r.Scores,
				eval.Score{Name: eval.FallbackScore, Verdict: eval.Fail, Turn: 1, Actual: "x",
					Expected: eval.OneOf{"b"}})
		}, "correct is true, which is not what the scores come to"),
	)

	DescribeTable("returns an error for a score that contradicts itself", func(edit func(*eval.Score), want string) {
		r := wrong()
		edit(&r.Scores[0])
		Expect(r.CheckConsistency()).To(MatchError(want))
	},
		Entry("it is a pass although the actual label is not expected", func(s *eval.Score) { s.Verdict = eval.Pass },
			`scores.verdict is "pass", where actual is "b" and expected ["a"]`),
		Entry("it is a fail in one turn although the actual label of that turn is expected", func(s *eval.Score) {
			s.Turns = []eval.TurnScore{{Turn: 1, Actual: "b", Expected: s.Expected, Verdict: eval.Fail},
				{Turn: 2, Actual: "a", Expected: s.Expected, Verdict: eval.Fail}}
		}, `scores.verdict is "fail", where actual is "a" and expected ["a"]`),
		Entry("the values of its scored turn differ from those in its list of turns", func(s *eval.Score) {
			s.Turn, s.Turns = 2, []eval.TurnScore{{Turn: 1, Actual: "b", Expected: s.Expected, Verdict: eval.Fail},
				{Turn: 2, Actual: "a", Expected: s.Expected, Verdict: eval.Pass}}
		}, "scores.turn is 2, and its actual, expected and verdict are not those of scores.turns"),
	)
})
