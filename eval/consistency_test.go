package eval_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = Describe("A scored row", func() {
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
	It("is consistent as written", func() {
		for _, r := range []eval.Result{judged(), wrong()} {
			Expect(r.CheckConsistency()).To(Succeed())
		}
	})

	DescribeTable("contradicts its scores", func(edit func(*eval.Result), want string) {
		r := judged()
		edit(&r)
		Expect(r.CheckConsistency()).To(MatchError(want))
	},
		Entry("in the expected label", func(r *eval.Result) { r.Expected = eval.OneOf{"b"} },
			`expected is ["b"], where scores.expected is ["a"]`),
		Entry("in a wrong result", func(r *eval.Result) { r.Correct = new(false) },
			"correct is false, which is not what the scores come to"),
		Entry("in a missing expectation", func(r *eval.Result) { r.Expected = nil },
			`expected is [], where scores.expected is ["a"]`),
		Entry("in the predicted label", func(r *eval.Result) { r.Predicted = "b" },
			`predicted is "b", where scores.actual is "a"`),
		Entry("in a correct result", func(r *eval.Result) { *r = wrong(); r.Correct = new(true) },
			"correct is true, which is not what the scores come to"),
		Entry("in a missing result", func(r *eval.Result) { *r = wrong(); r.Correct = nil },
			"correct is null, where the scores come to false"),
		Entry("in a result without a verdict", func(r *eval.Result) { r.Scores[0].Verdict = eval.Unscored },
			"correct is true, which is not what the scores come to"),
		Entry("in a wrong fallback", func(r *eval.Result) {
			r.Scores = append(r.Scores,
				eval.Score{Name: eval.FallbackScore, Verdict: eval.Fail, Turn: 1, Actual: "x",
					Expected: eval.OneOf{"b"}})
		}, "correct is true, which is not what the scores come to"),
	)

	DescribeTable("has a score that contradicts itself", func(edit func(*eval.Score), want string) {
		r := wrong()
		edit(&r.Scores[0])
		Expect(r.CheckConsistency()).To(MatchError(want))
	},
		Entry("in its verdict", func(s *eval.Score) { s.Verdict = eval.Pass },
			`scores.verdict is "pass", where actual is "b" and expected ["a"]`),
		Entry("in one turn", func(s *eval.Score) {
			s.Turns = []eval.TurnScore{{Turn: 1, Actual: "b", Expected: s.Expected, Verdict: eval.Fail},
				{Turn: 2, Actual: "a", Expected: s.Expected, Verdict: eval.Fail}}
		}, `scores.verdict is "fail", where actual is "a" and expected ["a"]`),
		Entry("in the turn that it shows", func(s *eval.Score) {
			s.Turn, s.Turns = 2, []eval.TurnScore{{Turn: 1, Actual: "b", Expected: s.Expected, Verdict: eval.Fail},
				{Turn: 2, Actual: "a", Expected: s.Expected, Verdict: eval.Pass}}
		}, "scores.turn is 2, and its actual, expected and verdict are not those of scores.turns"),
	)
})
