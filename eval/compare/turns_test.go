package compare_test

import (
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/compare"
)

// talk returns the result of a conversation that expects the label image, then chat. "" means that
// the turn has no decision.
func talk(id, first, second string) eval.Result {
	r := eval.Result{Suite: "s", Variant: "v", Fault: eval.NoFault, Case: id, Epoch: 1, Tags: []string{"talk"},
		Turns: make([]eval.TurnSummary, 2)}
	s := eval.Score{Name: eval.RouteScore, Verdict: eval.Pass}
	for i, got := range []string{first, second} {
		j := eval.TurnScore{Turn: i + 1, Expected: eval.OneOf{[]string{"image", "chat"}[i]}, Actual: got}
		if got != "" {
			j.Verdict = eval.PassIf(j.Expected.Has(got))
		}
		s.Turns = append(s.Turns, j)
		if s.Verdict == eval.Pass {
			s.Turn, s.Expected, s.Actual, s.Verdict = j.Turn, j.Expected, j.Actual, j.Verdict
		}
	}
	r.Scores, r.Text = []eval.Score{s}, fmt.Sprint("turn ", s.Turn)
	return r
}

// talks returns conversations. The first few of them are wrong in their first or second turn.
func talks(wrongFirst, wrongSecond int) (list []eval.Result) {
	for i := range 34 {
		first, second := "image", "chat"
		if i < wrongFirst {
			first = "chat"
		}
		if i < wrongSecond {
			second = "image"
		}
		list = append(list, talk(fmt.Sprintf("t%02d", i), first, second))
	}
	return list
}

var _ = Describe("comparing conversations", Label("definition"), func() {
	It("counts a conversation once for accuracy, and each of its turns for its class", func() {
		c := between(compare.Selection{}, source("old", talks(3, 0)...), source("new", talks(0, 0)...))[0]
		v := c.Pairs[0]
		Expect([]int64{v.Cases, v.Fixed, v.Broken}).To(Equal([]int64{34, 3, 0}))
		Expect(*c.Candidates[0].Accuracy.Value).To(Equal(31.0 / 34))
		Expect(*c.Candidates[0].MacroF1.Value).To(BeNumerically("~", (62.0/65+68.0/71)/2, 1e-12))
		Expect(c.Candidates[0].MacroF1.N).To(Equal(int64(68)))
		Expect(*v.MacroF1.Value).To(BeNumerically("~", 1-(62.0/65+68.0/71)/2, 1e-12))
		Expect(v.Classes).To(HaveLen(2))
		by := map[string]compare.Breakdown{}
		for _, p := range v.Classes {
			by[p.Name] = p
		}
		Expect([]any{*by["image"].Reference.Value, *by["image"].Candidate.Value, by["image"].Fixed}).
			To(Equal([]any{31.0 / 34, 1.0, int64(3)}))
		Expect([]any{*by["chat"].Reference.Value, *by["chat"].Candidate.Value, by["chat"].Fixed}).
			To(Equal([]any{1.0, 1.0, int64(0)}))
		Expect(v.Tags[0].Fixed).To(Equal(int64(3)))
	})

	DescribeTable("shows the turn of a conversation that changed",
		func(before, after eval.Result, want compare.ChangedCase) {
			v := between(compare.Selection{}, source("old", before), source("new", after))[0].Pairs[0]
			Expect(slices.Concat(v.FixedCases, v.BrokenCases)).To(Equal([]compare.ChangedCase{want}))
		},
		Entry("the first turn changed from wrong to correct", talk("c", "chat", "chat"), talk("c", "image", "chat"),
			compare.ChangedCase{Case: "c", Turn: 1, Text: "turn 1", Expected: eval.OneOf{"image"},
				Reference: compare.CaseAnswers{Labels: []string{"chat"}, Scored: 1},
				Candidate: compare.CaseAnswers{Labels: []string{"image"}, Correct: 1, Scored: 1}}),
		Entry("the second turn changed from correct to wrong", talk("c", "image", "chat"), talk("c", "image", "image"),
			compare.ChangedCase{Case: "c", Turn: 2, Text: "turn 2", Expected: eval.OneOf{"chat"},
				Reference: compare.CaseAnswers{Labels: []string{"chat"}, Correct: 1, Scored: 1},
				Candidate: compare.CaseAnswers{Labels: []string{"image"}, Scored: 1}}),
	)

	It("compares the classes even if another turn of the conversation has no decision", func() {
		before, after := talks(0, 0), talks(0, 0)
		for i := range before {
			before[i], after[i] = talk(before[i].Case, "chat", ""), talk(before[i].Case, "image", "")
		}
		c := between(compare.Selection{}, source("old", before...), source("new", after...))[0]
		Expect(*c.Candidates[0].Accuracy.Value).To(BeZero(), "wrong is proven")
		Expect(c.Candidates[1].Accuracy).To(And(HaveField("Value", BeNil()), HaveField("Missing", int64(34))))
		Expect(*c.Candidates[1].MacroF1.Value).To(Equal(1.0))
		Expect(c.Candidates[1].MacroF1).To(And(HaveField("N", int64(34)), HaveField("Missing", int64(34))))
		image := c.Pairs[0].Classes[slices.IndexFunc(c.Pairs[0].Classes,
			func(p compare.Breakdown) bool { return p.Name == "image" })]
		Expect(image.Fixed).To(Equal(int64(34)))
	})
})
