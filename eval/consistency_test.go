package eval_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = Describe("a judged row", func() {
	judged := func() eval.Result {
		return eval.Result{Predicted: "a", Expected: eval.OneOf{"a"}, Correct: new(true),
			Scores: []eval.Score{{Name: eval.RouteScore, Verdict: eval.Pass, Turn: 1, Actual: "a", Expected: eval.OneOf{"a"}}}}
	}
	wrong := func() eval.Result {
		r := judged()
		r.Predicted, r.Correct, r.Scores[0].Actual, r.Scores[0].Verdict = "b", new(false), "b", eval.Fail
		return r
	}
	It("contradicts nothing as it is written", func() {
		for _, r := range []eval.Result{judged(), wrong()} {
			Expect(r.CheckConsistency()).To(Succeed())
		}
	})

	DescribeTable("contradicts its scores", func(edit func(*eval.Result), want string) {
		r := judged()
		edit(&r)
		Expect(r.CheckConsistency()).To(MatchError(want))
	},
		Entry("in what was expected", func(r *eval.Result) { r.Expected = eval.OneOf{"b"} }, `expected is ["b"], where scores.expected is ["a"]`),
		Entry("in being wrong", func(r *eval.Result) { r.Correct = new(false) }, "correct is false, which is not what the scores come to"),
		Entry("in that nothing was expected", func(r *eval.Result) { r.Expected = nil }, `expected is [], where scores.expected is ["a"]`),
		Entry("in what was predicted", func(r *eval.Result) { r.Predicted = "b" }, `predicted is "b", where scores.actual is "a"`),
		Entry("in being right", func(r *eval.Result) { *r = wrong(); r.Correct = new(true) }, "correct is true, which is not what the scores come to"),
		Entry("in not being judged", func(r *eval.Result) { *r = wrong(); r.Correct = nil }, "correct is null, where the scores come to false"),
		Entry("in being judged", func(r *eval.Result) { r.Scores[0].Verdict = eval.Unscored }, "correct is true, which is not what the scores come to"),
		Entry("where another answer is wrong", func(r *eval.Result) {
			r.Scores = append(r.Scores, eval.Score{Name: eval.FallbackScore, Verdict: eval.Fail, Turn: 1, Actual: "x", Expected: eval.OneOf{"b"}})
		}, "correct is true, which is not what the scores come to"),
	)

	DescribeTable("has a score that contradicts itself", func(edit func(*eval.Score), want string) {
		r := wrong()
		edit(&r.Scores[0])
		Expect(r.CheckConsistency()).To(MatchError(want))
	},
		Entry("in being right", func(s *eval.Score) { s.Verdict = eval.Pass }, `scores.verdict is "pass", where actual is "b" and expected ["a"]`),
		Entry("in a turn", func(s *eval.Score) {
			s.Turns = []eval.TurnScore{{Turn: 1, Actual: "b", Expected: s.Expected, Verdict: eval.Fail}, {Turn: 2, Actual: "a", Expected: s.Expected, Verdict: eval.Fail}}
		}, `scores.verdict is "fail", where actual is "a" and expected ["a"]`),
		Entry("in which turn tells", func(s *eval.Score) {
			s.Turn, s.Turns = 2, []eval.TurnScore{{Turn: 1, Actual: "b", Expected: s.Expected, Verdict: eval.Fail}, {Turn: 2, Actual: "a", Expected: s.Expected, Verdict: eval.Pass}}
		}, "scores.turn is 2, and its actual, expected and verdict are not those of scores.turns"),
	)
})
