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

// compressedTurn returns a turn in which the session was compressed, once for each of these
// results.
func compressedTurn(contexts ...string) (p eval.TurnResult) {
	for _, c := range contexts {
		data, err := json.Marshal(trace.Compression{TokensBefore: 100, TokensAfter: 10, Context: c})
		Expect(err).NotTo(HaveOccurred())
		p.Events = append(p.Events, trace.Event{Kind: trace.KindCompression, Data: data})
	}
	return p
}

var _ = Describe("L7: RetainedFacts", Label("definition"), func() {
	// kept returns the score for turns with these sessions and these expect objects.
	kept := func(sessions, labels []string, turns ...eval.TurnResult) eval.Score {
		GinkgoHelper()
		c := expecting(labels...)
		for i, s := range sessions {
			c.Turns[i].Session = s
		}
		s, err := scorer.RetainedFacts{Field: "retained_facts"}.Score(context.Background(), c,
			eval.Outcome{Turns: turns})
		Expect(err).NotTo(HaveOccurred())
		return s
	}
	two := `{"retained_facts":["ResNet-50",["91.3%","0.913"]]}`

	It("scores the share of the listed facts in the compressed context, independent of the answer", func() {
		said := compressedTurn("用了 ResNet50")
		said.Reply = agent.Reply{Content: "91.3%", ErrorReply: &agent.ErrorReply{Code: "FAILED"}}
		s := kept([]string{"a"}, []string{two}, said)
		Expect([]any{s.Name, s.Value, s.Verdict, s.Reason}).
			To(Equal([]any{"compression.facts_kept", 0.5, eval.Fail, "without 91.3%"}))
	})

	It("uses the last compression in or before the turn", func() {
		s := kept([]string{"a", "a", "a"}, []string{"", "", two}, compressedTurn("nothing"),
			compressedTurn("nothing", "ResNet-50: 91.3 %"), compressedTurn())
		Expect([]any{s.Value, s.Turn}).To(Equal([]any{1.0, 3}))
	})

	It("also searches the messages since the last compression and in its turn, but no earlier ones", func() {
		asked := func(text, answer string, contexts ...string) eval.TurnResult {
			p := compressedTurn(contexts...)
			p.Input.Text, p.Reply.Content = text, answer
			return p
		}
		c := expecting("", "", two)
		for i, text := range []string{"what of 91.3 %?", "go on", "91.3%"} {
			c.Turns[i].Session, c.Turns[i].Text = "a", text
		}
		of := func(turns ...eval.TurnResult) float64 {
			s, err := scorer.RetainedFacts{Field: "retained_facts"}.Score(context.Background(), c,
				eval.Outcome{Turns: turns})
			Expect(err).NotTo(HaveOccurred())
			return s.Value
		}
		Expect(of(asked("", "no", "nothing"), asked("", "ResNet-50 it is"), compressedTurn())).
			To(Equal(1.0), "asked in the turn of the compression, answered in the next")
		Expect(of(asked("", "ResNet-50"), asked("", "no", "nothing"), compressedTurn())).
			To(Equal(0.0), "before the compression")
		Expect(of(compressedTurn(), compressedTurn("nothing"), asked("", "ResNet-50 91.3%"))).
			To(Equal(0.0), "its own words are no memory")
		sorry := asked("", "ResNet-50")
		sorry.Reply.ErrorReply = &agent.ErrorReply{Code: "FAILED"}
		Expect(of(compressedTurn("91.3%"), sorry, compressedTurn())).To(Equal(0.5), "an error reply is not stored")
	})

	It("is unscored if no compression is known after a failed turn of the session", func() {
		failed, sorry := compressedTurn(), compressedTurn()
		failed.HasError = true
		sorry.Reply.ErrorReply = &agent.ErrorReply{Code: "FAILED"}
		for _, lost := range []eval.TurnResult{failed, sorry} {
			Expect(kept([]string{"a", "a"}, []string{"", two}, lost, compressedTurn())).
				To(And(HaveField("Turn", 2), HaveField("Verdict", eval.Unscored)))
			Expect(kept([]string{"b", "a"}, []string{"", two}, lost, compressedTurn()).Name).To(BeEmpty())
			Expect(kept([]string{"", ""}, []string{"", two}, lost, compressedTurn()).Name).To(BeEmpty())
			Expect(kept([]string{"a", "a"}, []string{"", two}, lost, compressedTurn("ResNet-50")).Value).To(Equal(0.5))
		}
	})

	It("does not search other sessions; a turn without a session has its own", func() {
		Expect(kept([]string{"a", "b"}, []string{"", two}, compressedTurn("ResNet-50"), compressedTurn()).Name).
			To(BeEmpty())
		Expect(kept([]string{"", ""}, []string{"", two}, compressedTurn("ResNet-50"), compressedTurn()).Name).
			To(BeEmpty())
		Expect(kept([]string{""}, []string{two}, compressedTurn("ResNet-50")).Value).To(Equal(0.5))
	})

	It("scores the mean over the turns with facts; a turn without an earlier compression does not count", func() {
		s := kept([]string{"a", "a", "a", "a"}, []string{two, two, `{"x":1}`, two}, compressedTurn(),
			compressedTurn("ResNet-50"), compressedTurn(), compressedTurn("ResNet-50 91.3%"))
		Expect([]any{s.Value, s.Turn}).To(Equal([]any{0.75, 2}))
	})

	It("is unscored if a turn with facts did not run, and empty if no turn counts", func() {
		Expect(kept([]string{"a", "a"}, []string{"", two}, compressedTurn("x"))).
			To(And(HaveField("Name", "compression.facts_kept"), HaveField("Verdict", eval.Unscored)))
		Expect(kept([]string{"a", "a"}, []string{"", ""}, compressedTurn("x"))).To(Equal(eval.Score{}))
		Expect(kept([]string{"a"}, []string{two}, compressedTurn())).To(Equal(eval.Score{}))
	})

	It("returns an error with the position of an invalid list of facts", func() {
		_, err := scorer.RetainedFacts{Field: "retained_facts"}.Score(context.Background(),
			expecting(`{"retained_facts":7}`), eval.Outcome{})
		Expect(err).To(MatchError(HavePrefix("cases.jsonl:7: expect.retained_facts: ")))
	})
})
