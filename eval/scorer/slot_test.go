package scorer_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

var sorry = &agent.Failure{Code: "PLANNER_FAILED"}

var _ = Describe("Slot", func() {
	score := func(c eval.Case, replies ...agent.Reply) eval.Score {
		GinkgoHelper()
		s, err := scorer.Slot{Name: "subject"}.Score(context.Background(), c, replied(replies...))
		Expect(err).NotTo(HaveOccurred())
		return s
	}
	naming := func(subject string) agent.Reply { return agent.Reply{Slots: map[string]string{"subject": subject}} }

	DescribeTable("is right when it holds an accepted word, whatever its case, width and spaces",
		func(want, got string, verdict eval.Verdict) {
			s := score(expecting(`{"slots":{"subject":`+want+`}}`), naming(got))
			Expect(s.Name).To(Equal("slots.subject"))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Value == 1).To(Equal(verdict == eval.Pass))
			Expect(s.Got).To(Equal(got))
			Expect(s.Turn).To(Equal(1))
			Expect(s.Aspect).To(BeTrue(), "it does not decide whether the trial is correct")
		},
		Entry("the word", `"猫"`, "猫", eval.Pass),
		Entry("within more", `"猫"`, "一只打伞的猫", eval.Pass),
		Entry("another of several", `["cat","猫"]`, "a Cat", eval.Pass),
		Entry("full width and spaces", `"oil painting"`, "an ＯＩＬ  Painting", eval.Pass),
		Entry("spaces in Chinese", `"赛博朋克"`, "赛博 朋克风", eval.Pass),
		Entry("a plural", `"cat"`, "two cats", eval.Pass),
		Entry("another plural", `"fox"`, "foxes in snow", eval.Pass),
		Entry("a word beside Chinese", `"cyberpunk"`, "cyberpunk风", eval.Pass),
		Entry("a part of a word", `"ink"`, "pink", eval.Fail),
		Entry("a part of a word, then the word", `"ink"`, "pink ink", eval.Pass),
		Entry("the beginning of a word", `"car"`, "carpet", eval.Fail),
		Entry("the end of a word", `"man"`, "woman", eval.Fail),
		Entry("none of several", `["cat","猫"]`, "狗", eval.Fail),
		Entry("only a part of the word", `"金毛犬"`, "金毛", eval.Fail),
		Entry("nothing", `"猫"`, "", eval.Fail),
		Entry("nothing wanted, nothing got", `""`, " ", eval.Pass),
		Entry("nothing wanted, something got", `""`, "猫", eval.Fail),
		Entry("nothing or a word", `["","猫"]`, "猫", eval.Pass),
	)

	It("is wrong where a decision was made that names nothing", func() {
		Expect(score(expecting(`{"slots":{"subject":"猫"}}`), agent.Reply{Predicted: "generate_image"}).Verdict).To(Equal(eval.Fail))
	})

	It("is right where a decision was made and the rest went wrong", func() {
		r := naming("猫")
		r.Failure = &agent.Failure{Code: "EXECUTOR_FAILED"}
		Expect(score(expecting(`{"slots":{"subject":"猫"}}`), r).Verdict).To(Equal(eval.Pass))
	})

	DescribeTable("has no name where the case has no label",
		func(want string) { Expect(score(expecting(want), naming("猫"))).To(Equal(eval.Score{})) },
		Entry("no expectation", ""), Entry("another expectation", `{"action":"generate_image"}`),
		Entry("another slot", `{"slots":{"style":"水墨"}}`),
	)

	It("cannot judge by what is no label, says where it stands, and is missing", func() {
		s, err := scorer.Slot{Name: "subject"}.Score(context.Background(), expecting(`{"slots":{"subject":3}}`), replied(naming("猫")))
		Expect(err).To(MatchError(HavePrefix("cases.jsonl:7: expect.slots: ")))
		Expect(s).To(Equal(eval.Score{Name: "slots.subject", Turn: 1, Aspect: true}))
	})
})

var _ = Describe("a label of some turns", func() {
	const cat = `{"slots":{"subject":"猫"}}`
	naming := func(subject string) agent.Reply { return agent.Reply{Slots: map[string]string{"subject": subject}} }

	DescribeTable("is judged by the first labelled turn that does not pass, else by the last",
		func(verdict eval.Verdict, turn int, wants []string, replies ...agent.Reply) {
			s, err := scorer.Slot{Name: "subject"}.Score(context.Background(), expecting(wants...), replied(replies...))
			Expect(err).NotTo(HaveOccurred())
			Expect(s.Name).To(Equal("slots.subject"))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Turn).To(Equal(turn))
		},
		Entry("all pass", eval.Pass, 3, []string{cat, "", cat}, naming("猫"), naming("狗"), naming("猫")),
		Entry("the first fails", eval.Fail, 1, []string{cat, cat}, naming("狗"), naming("猫")),
		Entry("the last fails", eval.Fail, 2, []string{cat, cat}, naming("猫"), naming("狗")),
		Entry("one made no decision: missing, not wrong", eval.Unjudged, 1, []string{cat, cat}, agent.Reply{Failure: sorry}, naming("猫")),
		Entry("one failed before another made no decision", eval.Fail, 1, []string{cat, cat}, naming("狗"), agent.Reply{Failure: sorry}),
		Entry("one was not played: missing, not wrong", eval.Unjudged, 2, []string{cat, cat}, naming("猫")),
		Entry("none was played", eval.Unjudged, 1, []string{cat}),
		Entry("the unlabelled one made no decision", eval.Pass, 2, []string{"", cat}, agent.Reply{Failure: sorry}, naming("猫")),
	)
})
