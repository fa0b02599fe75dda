package scorer_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

// found returns a reply with these retrieved entries.
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

	DescribeTable("S3: passes if an expected entry was found, or nothing if nothing is expected",
		func(want string, r agent.Reply, verdict eval.Verdict, got string) {
			s := score(expecting(`{"styles":`+want+`}`), r)
			Expect(s.Name).To(Equal("retrieval.hit_rate"))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Actual).To(Equal(got))
			Expect(s.IsAttribute).To(BeTrue())
		},
		Entry("the expected entry", `["ink-wash"]`, found("ink-wash"), eval.Pass, "ink-wash"),
		Entry("the expected entry and another one", `["ink-wash"]`, found("gongbi", "ink-wash"), eval.Pass,
			"gongbi, ink-wash"),
		Entry("one of several expected entries", `["ink-wash","gongbi"]`, found("gongbi"), eval.Pass, "gongbi"),
		Entry("only another entry: fail", `["ink-wash"]`, found("gongbi"), eval.Fail, "gongbi"),
		Entry("nothing found, but an entry expected: fail", `["ink-wash"]`, found(), eval.Fail, ""),
		Entry("nothing found and nothing expected", `[]`, found(), eval.Pass, ""),
		Entry("an entry found, but nothing expected: fail", `[]`, found("gongbi"), eval.Fail, "gongbi"),
	)

	It("is unscored for an error reply, because the agent may not have searched", func() {
		for _, want := range []string{`{"styles":["ink-wash"]}`, `{"styles":[]}`} {
			r := found("ink-wash")
			r.ErrorReply = &agent.ErrorReply{Code: "EXECUTOR_FAILED"}
			s := score(expecting(want), r)
			Expect(s.Name).To(Equal("retrieval.hit_rate"), "it is missing")
			Expect(s.Verdict).To(Equal(eval.Unscored))
		}
	})

	DescribeTable("passes a conversation if all turns with an expectation pass",
		func(verdict eval.Verdict, turn int, replies ...agent.Reply) {
			s := score(expecting(`{"styles":["a"]}`, `{"action":"unknown"}`, `{"styles":["b"]}`), replies...)
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Turn).To(Equal(turn))
		},
		Entry("all turns pass", eval.Pass, 3, found("a"), found(), found("b")),
		Entry("the first turn with an expectation fails", eval.Fail, 1, found("b"), found(), found("b")),
		Entry("the last turn with an expectation fails", eval.Fail, 3, found("a"), found(), found("a")),
		Entry("a turn with an expectation is an error reply: unscored", eval.Unscored, 1,
			agent.Reply{ErrorReply: sorry}, found(), found("b")),
		Entry("a turn without an expectation is an error reply: pass", eval.Pass, 3, found("a"),
			agent.Reply{ErrorReply: sorry},
			found("b")),
		Entry("a turn with an expectation did not run: unscored", eval.Unscored, 3, found("a")),
	)

	It("returns a score without a name if the case has no expectation", func() {
		for _, want := range []string{"", `{"action":"unknown"}`} {
			Expect(score(expecting(want), found("a"))).To(Equal(eval.Score{}))
		}
	})

	DescribeTable("returns an error with the position of an invalid list",
		func(want, problem string) {
			s, err := scorer.HitRate{Field: "styles"}.Score(context.Background(), expecting(want),
				outcomeOf(found("a")))
			Expect(err).To(MatchError(HavePrefix("cases.jsonl:7: " + problem)))
			Expect(s).To(Equal(eval.Score{Name: "retrieval.hit_rate", Turn: 1, IsAttribute: true}))
		},
		Entry("a text in place of the list", `{"styles":"a"}`, "expect.styles: "),
		Entry("a list in place of the expect object", `[]`, "expect: "),
	)
})
