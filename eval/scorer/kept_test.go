package scorer_test

import (
	"context"
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

// spoken is a turn of a session that left such contexts when it was compressed.
func spoken(contexts ...string) (p eval.TurnResult) {
	for _, c := range contexts {
		data, err := json.Marshal(trace.Compression{TokensBefore: 100, TokensAfter: 10, Context: c})
		Expect(err).NotTo(HaveOccurred())
		p.Events = append(p.Events, trace.Event{Kind: trace.KindCompression, Data: data})
	}
	return p
}

var _ = Describe("L7: what a compressed session still holds", Label("definition"), func() {
	// kept is of turns of sessions with such labels.
	kept := func(sessions, wants []string, turns ...eval.TurnResult) eval.Score {
		GinkgoHelper()
		c := expecting(wants...)
		for i, s := range sessions {
			c.Turns[i].Session = s
		}
		s, err := scorer.RetainedFacts{Field: "retained_facts"}.Score(context.Background(), c, eval.Outcome{Turns: turns})
		Expect(err).NotTo(HaveOccurred())
		return s
	}
	two := `{"retained_facts":["ResNet-50",["91.3%","0.913"]]}`

	It("is the share of the labelled facts that stands in what was left, whatever the answer", func() {
		said := spoken("用了 ResNet50")
		said.Reply = agent.Reply{Content: "91.3%", ErrorReply: &agent.ErrorReply{Code: "FAILED"}}
		s := kept([]string{"a"}, []string{two}, said)
		Expect([]any{s.Name, s.Value, s.Verdict, s.Reason}).To(Equal([]any{"compression.facts_kept", 0.5, eval.Fail, "without 91.3%"}))
	})

	It("is of the last compression in the turn or before it", func() {
		s := kept([]string{"a", "a", "a"}, []string{"", "", two}, spoken("nothing"), spoken("nothing", "ResNet-50: 91.3 %"), spoken())
		Expect([]any{s.Value, s.Turn}).To(Equal([]any{1.0, 3}))
	})

	It("holds what was said since the last compression, its own turn's words included, and before no other", func() {
		asked := func(text, answer string, contexts ...string) eval.TurnResult {
			p := spoken(contexts...)
			p.Input.Text, p.Reply.Content = text, answer
			return p
		}
		c := expecting("", "", two)
		for i, text := range []string{"what of 91.3 %?", "go on", "91.3%"} {
			c.Turns[i].Session, c.Turns[i].Text = "a", text
		}
		of := func(turns ...eval.TurnResult) float64 {
			s, err := scorer.RetainedFacts{Field: "retained_facts"}.Score(context.Background(), c, eval.Outcome{Turns: turns})
			Expect(err).NotTo(HaveOccurred())
			return s.Value
		}
		Expect(of(asked("", "no", "nothing"), asked("", "ResNet-50 it is"), spoken())).To(Equal(1.0), "asked in the turn of the compression, answered in the next")
		Expect(of(asked("", "ResNet-50"), asked("", "no", "nothing"), spoken())).To(Equal(0.0), "before the compression")
		Expect(of(spoken(), spoken("nothing"), asked("", "ResNet-50 91.3%"))).To(Equal(0.0), "its own words are no memory")
		sorry := asked("", "ResNet-50")
		sorry.Reply.ErrorReply = &agent.ErrorReply{Code: "FAILED"}
		Expect(of(spoken("91.3%"), sorry, spoken())).To(Equal(0.5), "an apology is not kept")
	})

	It("is unjudged where nothing was compressed after a turn of the session that was lost", func() {
		failed, sorry := spoken(), spoken()
		failed.Error = true
		sorry.Reply.ErrorReply = &agent.ErrorReply{Code: "FAILED"}
		for _, lost := range []eval.TurnResult{failed, sorry} {
			Expect(kept([]string{"a", "a"}, []string{"", two}, lost, spoken())).To(And(HaveField("Turn", 2), HaveField("Verdict", eval.Unscored)))
			Expect(kept([]string{"b", "a"}, []string{"", two}, lost, spoken()).Name).To(BeEmpty())
			Expect(kept([]string{"", ""}, []string{"", two}, lost, spoken()).Name).To(BeEmpty())
			Expect(kept([]string{"a", "a"}, []string{"", two}, lost, spoken("ResNet-50")).Value).To(Equal(0.5))
		}
	})

	It("is of the same session, and of a turn without one of that turn alone", func() {
		Expect(kept([]string{"a", "b"}, []string{"", two}, spoken("ResNet-50"), spoken()).Name).To(BeEmpty())
		Expect(kept([]string{"", ""}, []string{"", two}, spoken("ResNet-50"), spoken()).Name).To(BeEmpty())
		Expect(kept([]string{""}, []string{two}, spoken("ResNet-50")).Value).To(Equal(0.5))
	})

	It("is the mean of the turns that count: one that nothing was compressed before does not", func() {
		s := kept([]string{"a", "a", "a", "a"}, []string{two, two, `{"x":1}`, two}, spoken(), spoken("ResNet-50"), spoken(), spoken("ResNet-50 91.3%"))
		Expect([]any{s.Value, s.Turn}).To(Equal([]any{0.75, 2}))
	})

	It("is unjudged where a labelled turn was not played, and has no name without one", func() {
		Expect(kept([]string{"a", "a"}, []string{"", two}, spoken("x"))).To(And(HaveField("Name", "compression.facts_kept"), HaveField("Verdict", eval.Unscored)))
		Expect(kept([]string{"a", "a"}, []string{"", ""}, spoken("x"))).To(Equal(eval.Score{}))
		Expect(kept([]string{"a"}, []string{two}, spoken())).To(Equal(eval.Score{}))
	})

	It("cannot be judged by what is no list of facts", func() {
		_, err := scorer.RetainedFacts{Field: "retained_facts"}.Score(context.Background(), expecting(`{"retained_facts":7}`), eval.Outcome{})
		Expect(err).To(MatchError(HavePrefix("cases.jsonl:7: expect.retained_facts: ")))
	})
})
