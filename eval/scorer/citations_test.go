package scorer_test

import (
	"context"
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

var _ = Describe("31.7: Citations", Label("definition"), func() {
	scored := func(turns ...trace.Citations) eval.Score {
		GinkgoHelper()
		var o eval.Outcome
		for _, c := range turns {
			data, err := json.Marshal(c)
			Expect(err).NotTo(HaveOccurred())
			o.Turns = append(o.Turns, eval.TurnResult{Events: []trace.Event{{Kind: trace.KindCitations, Data: data}}})
		}
		s, err := scorer.Citations{}.Score(context.Background(), expecting(""), o)
		Expect(err).NotTo(HaveOccurred())
		return s
	}

	It("scores the share of the cited sources that were shown, over all turns", func() {
		s := scored(trace.Citations{Count: 2}, trace.Citations{Count: 2, NotInPrompt: []string{"zh-99"}},
			trace.Citations{Count: 1})
		Expect([]any{s.Name, s.Value, s.Verdict, s.Turn, s.Actual, s.Reason}).
			To(Equal([]any{"citations.valid", 0.8, eval.Fail, 2, "4 of 5", "without zh-99"}))
		Expect(s.IsMeasurement()).To(BeTrue())
	})

	It("passes if all cited sources were shown", func() {
		s := scored(trace.Citations{Count: 3})
		Expect([]any{s.Value, s.Verdict, s.Reason}).To(Equal([]any{1.0, eval.Pass, ""}))
	})

	It("returns a score without a name for a trial without citations", func() {
		Expect(scored()).To(Equal(eval.Score{}))
	})
})
