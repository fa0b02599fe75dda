package eval_test

import (
	"context"
	"errors"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
)

var _ = Describe("The result of a turn with several decisions", func() {
	steps := []agent.Step{{Proposed: "a", Executed: "a", DecidedBy: "llm"}, {Executed: "END", DecidedBy: "review"}}
	labels := []string{`{"path":["a","END"]}`, "", `{"p\u0061th":["END"]}`, `{"next":"path"}`}
	outcome := eval.Outcome{Turns: []eval.TurnResult{
		{Reply: agent.Reply{Steps: steps[1:]}}, {Reply: agent.Reply{Steps: steps}},
		{Reply: agent.Reply{IsDeferred: true}},
		{Reply: agent.Reply{Steps: steps[:1]}},
	}}
	rowWith := func(path string, o eval.Outcome, err error) eval.Result {
		GinkgoHelper()
		k, failed := run(context.Background(), func(yield func(eval.Trial, error) bool) {
			for t := range singleTrial(nil, labels, o, err) {
				t.Condition.DecisionPathField = path
				yield(t, nil)
			}
		})
		Expect(failed).NotTo(HaveOccurred())
		return k.results[0]
	}

	It("contains the decisions, and is marked as an episode if it has several decisions or its case expects several",
		func() {
			turns := rowWith("path", outcome, nil).Turns
			Expect(turns[1].Steps).To(Equal(steps))
			var episodes, gathered []bool
			for _, t := range turns {
				episodes, gathered = append(episodes, t.HasDecisionSequence), append(gathered, t.IsDeferred)
			}
			Expect(episodes).To(Equal([]bool{true, true, true, false}))
			Expect(gathered).To(Equal([]bool{false, false, true, false}))
			Expect(turns[2].HasLatency()).To(BeFalse())
			Expect(turns[2].IsLatencyMissing()).To(BeFalse())
			Expect(turns[1].HasLatency()).To(BeTrue())
		})

	It("is marked as an episode if its case expects several decisions, even when the turn did not run", func() {
		turns := rowWith("path", eval.Outcome{}, errors.New("broken")).Turns
		Expect(turns[0]).To(And(HaveField("HasDecisionSequence", true), HaveField("Answered", false)))
		Expect(rowWith("", outcome, nil).Turns[0].HasDecisionSequence).
			To(BeFalse(), "no path is labelled in such a cell")
	})

	It("N7: contains the number of an earlier turn of the same session whose question this turn answers",
		func() {
			asked := eval.TurnResult{Events: []trace.Event{{Kind: trace.KindQuestion}}}
			k, failed := run(context.Background(), func(yield func(eval.Trial, error) bool) {
				for t := range singleTrial(nil, []string{"", "", "", "", ""},
					eval.Outcome{Turns: []eval.TurnResult{asked, asked, {}, {}, {}}}, nil) {
					for i, session := range []string{"x", "", "", "x", "x"} {
						t.Case.Turns[i].Session = session
					}
					yield(t, nil)
				}
			})
			Expect(failed).NotTo(HaveOccurred())
			var asks []bool
			var resumes []int
			for _, t := range k.results[0].Turns {
				asks, resumes = append(asks, t.AsksUser), append(resumes, t.ResumesTurn)
			}
			Expect(asks).To(Equal([]bool{true, true, false, false, false}))
			Expect(resumes).To(Equal([]int{0, 0, 0, 1, 0}))
		})

	It("contains only a limited length of each text", func() {
		long := eval.Outcome{Turns: []eval.TurnResult{{Reply: agent.Reply{Steps: []agent.Step{{Proposed: strings.Repeat(
			"长", 1000)}}}}}}
		Expect(rowWith("path", long, nil).Turns[0].Steps[0].Proposed).To(Equal(strings.Repeat("长", eval.MaxTextChars)))
	})
})
