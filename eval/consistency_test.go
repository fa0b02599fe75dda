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
		Entry("another expected label than in the score", func(r *eval.Result) { r.Expected = eval.OneOf{"b"} },
			`expected is ["b"], where scores.expected is ["a"]`),
		Entry("a wrong result although the score is a pass", func(r *eval.Result) { r.Correct = new(false) },
			"correct is false, which is not what the scores come to"),
		Entry("no expected label although the score has one", func(r *eval.Result) { r.Expected = nil },
			`expected is [], where scores.expected is ["a"]`),
		Entry("another predicted label than in the score", func(r *eval.Result) { r.Predicted = "b" },
			`predicted is "b", where scores.actual is "a"`),
		Entry("a correct result although the score is a fail",
			func(r *eval.Result) { *r = wrong(); r.Correct = new(true) },
			"correct is true, which is not what the scores come to"),
		Entry("an unscored result although the score is a fail", func(r *eval.Result) { *r = wrong(); r.Correct = nil },
			"correct is null, where the scores come to false"),
		Entry("a correct result although the score has no verdict",
			func(r *eval.Result) { r.Scores[0].Verdict = eval.Unscored },
			"correct is true, which is not what the scores come to"),
		Entry("a correct result although the fallback score is a fail", func(r *eval.Result) {
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
		Entry("a pass although the actual label is not expected", func(s *eval.Score) { s.Verdict = eval.Pass },
			`scores.verdict is "pass", where actual is "b" and expected ["a"]`),
		Entry("a fail in one turn although its actual label is expected", func(s *eval.Score) {
			s.Turns = []eval.TurnScore{{Turn: 1, Actual: "b", Expected: s.Expected, Verdict: eval.Fail},
				{Turn: 2, Actual: "a", Expected: s.Expected, Verdict: eval.Fail}}
		}, `scores.verdict is "fail", where actual is "a" and expected ["a"]`),
		Entry("a scored turn whose values differ from those in the list of turns", func(s *eval.Score) {
			s.Turn, s.Turns = 2, []eval.TurnScore{{Turn: 1, Actual: "b", Expected: s.Expected, Verdict: eval.Fail},
				{Turn: 2, Actual: "a", Expected: s.Expected, Verdict: eval.Pass}}
		}, "scores.turn is 2, and its actual, expected and verdict are not those of scores.turns"),
	)
})
