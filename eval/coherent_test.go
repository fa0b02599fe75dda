package eval_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

var _ = Describe("a judged row", func() {
	judged := func() eval.Result {
		return eval.Result{Predicted: "a", Expected: eval.OneOf{"a"}, Correct: new(true),
			Scores: []eval.Score{{Name: eval.RouteScore, Verdict: eval.Pass, Turn: 1, Got: "a", Want: eval.OneOf{"a"}}}}
	}
	It("contradicts nothing as it is written", func() { Expect(judged().Incoherent()).To(Succeed()) })

	DescribeTable("contradicts its scores", func(edit func(*eval.Result), want string) {
		r := judged()
		edit(&r)
		Expect(r.Incoherent()).To(MatchError(want))
	},
		Entry("in what was expected", func(r *eval.Result) { r.Expected = eval.OneOf{"b"} }, `expected is ["b"], where scores.want is ["a"]`),
		Entry("in being wrong", func(r *eval.Result) { r.Correct = new(false) }, "correct is false, which is not what the scores come to"),
		Entry("in being right", func(r *eval.Result) { r.Scores[0].Verdict = eval.Fail }, "correct is true, which is not what the scores come to"),
		Entry("in being judged", func(r *eval.Result) { r.Scores[0].Verdict = eval.Unjudged }, "correct is true, which is not what the scores come to"),
		Entry("where another answer is wrong", func(r *eval.Result) {
			r.Scores = append(r.Scores, eval.Score{Name: eval.FallbackScore, Verdict: eval.Fail, Turn: 1, Got: "x", Want: eval.OneOf{"b"}})
		}, "correct is true, which is not what the scores come to"),
	)
})
