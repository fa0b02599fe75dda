package scorer_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

// found is a reply with these retrieved entries.
func found(ids ...string) (r agent.Reply) {
	for _, id := range ids {
		r.Retrieved = append(r.Retrieved, agent.Hit{ID: id, Similarity: 0.8})
	}
	return r
}

var _ = Describe("HitRate", func() {
	score := func(c eval.Case, replies ...agent.Reply) eval.Score {
		GinkgoHelper()
		s, err := scorer.HitRate{Field: "styles"}.Score(context.Background(), c, outcomeOf(replies...))
		Expect(err).NotTo(HaveOccurred())
		return s
	}

	DescribeTable("S3: is a hit with any expected entry, or with nothing if nothing is expected",
		func(want string, r agent.Reply, verdict eval.Verdict, got string) {
			s := score(expecting(`{"styles":`+want+`}`), r)
			Expect(s.Name).To(Equal("retrieval.hit_rate"))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Actual).To(Equal(got))
			Expect(s.IsAttribute).To(BeTrue())
		},
		Entry("the entry", `["ink-wash"]`, found("ink-wash"), eval.Pass, "ink-wash"),
		Entry("the entry among others", `["ink-wash"]`, found("gongbi", "ink-wash"), eval.Pass, "gongbi, ink-wash"),
		Entry("one of several expected", `["ink-wash","gongbi"]`, found("gongbi"), eval.Pass, "gongbi"),
		Entry("only others", `["ink-wash"]`, found("gongbi"), eval.Fail, "gongbi"),
		Entry("nothing", `["ink-wash"]`, found(), eval.Fail, ""),
		Entry("nothing expected, nothing found", `[]`, found(), eval.Pass, ""),
		Entry("nothing expected, something found", `[]`, found("gongbi"), eval.Fail, "gongbi"),
	)

	It("leaves an error reply unscored, because an empty result may mean that no search took place", func() {
		for _, want := range []string{`{"styles":["ink-wash"]}`, `{"styles":[]}`} {
			r := found("ink-wash")
			r.ErrorReply = &agent.ErrorReply{Code: "EXECUTOR_FAILED"}
			s := score(expecting(want), r)
			Expect(s.Name).To(Equal("retrieval.hit_rate"), "it is missing")
			Expect(s.Verdict).To(Equal(eval.Unscored))
		}
	})

	DescribeTable("is a hit for several turns if all labeled ones are hits",
		func(verdict eval.Verdict, turn int, replies ...agent.Reply) {
			s := score(expecting(`{"styles":["a"]}`, `{"action":"unknown"}`, `{"styles":["b"]}`), replies...)
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Turn).To(Equal(turn))
		},
		Entry("all", eval.Pass, 3, found("a"), found(), found("b")),
		Entry("not the first", eval.Fail, 1, found("b"), found(), found("b")),
		Entry("not the last", eval.Fail, 3, found("a"), found(), found("a")),
		Entry("one is an error reply", eval.Unscored, 1, agent.Reply{ErrorReply: sorry}, found(), found("b")),
		Entry("the unlabeled one is an error reply", eval.Pass, 3, found("a"), agent.Reply{ErrorReply: sorry},
			found("b")),
		Entry("one did not run", eval.Unscored, 3, found("a")),
	)

	It("has no name if the case has no label", func() {
		for _, want := range []string{"", `{"action":"unknown"}`} {
			Expect(score(expecting(want), found("a"))).To(Equal(eval.Score{}))
		}
	})

	DescribeTable("reports the position of an invalid list, and is missing",
		func(want, problem string) {
			s, err := scorer.HitRate{Field: "styles"}.Score(context.Background(), expecting(want),
				outcomeOf(found("a")))
			Expect(err).To(MatchError(HavePrefix("cases.jsonl:7: " + problem)))
			Expect(s).To(Equal(eval.Score{Name: "retrieval.hit_rate", Turn: 1, IsAttribute: true}))
		},
		Entry("a text", `{"styles":"a"}`, "expect.styles: "), Entry("not an object", `[]`, "expect: "),
	)
})
