package backend_test

import (
	"encoding/json"
	"fmt"
	"iter"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

var _ = Describe("Cases whose message is ambiguous without the history", func() {
	const n = 20
	want := json.RawMessage(`{"route":"image_gen"}`)
	ambiguous := eval.LabeledTurn{Turn: agent.Turn{Text: "那就来一个吧",
		History: []agent.Message{{Role: "user", Content: "想要一只橘猫的头像"}, {Role: "assistant", Content: "要画吗？"}}},
		Expected: want}

	cases := func(steps []eval.LabeledTurn, tags ...string) iter.Seq2[eval.Case, error] {
		return func(yield func(eval.Case, error) bool) {
			for i := range n {
				if !yield(eval.Case{ID: fmt.Sprint("vague ", i), Tags: tags, Turns: steps}, nil) {
					return
				}
			}
		}
	}
	// right runs the cases with the given number of history messages in each request. It returns
	// the number of correct answers and the confidences.
	right := func(history int, cases iter.Seq2[eval.Case, error]) (k int, sure []float64) {
		GinkgoHelper()
		s := suiteWithRouter("accuracy: 1")
		s.Variants[0].Settings["history"] = fmt.Sprint(history)
		_, rows := executedTurns(s, cases, 1, 1, backend.Config{CasesNeedingHistory: n})
		for _, r := range rows {
			if *r.Correct {
				k++
			}
			sure = append(sure, *r.Confidence)
		}
		return k, sure
	}

	It("are decided by the heuristic with confidence 0.3 if the request contains no history", func() {
		k, sure := right(0, cases([]eval.LabeledTurn{ambiguous}, eval.NeedsHistoryTag))
		Expect(k).To(BeZero(), "the rules take it for a chat")
		Expect(sure).To(HaveEach(0.3))
	})

	It("are decided by the router's word rules if the only earlier message is a substring of the current message",
		func() {
			again := ambiguous
			again.History = []agent.Message{{Role: "user", Content: "来一个"}, {Role: "assistant", Content: "要画吗？"}}
			k, _ := right(0, cases([]eval.LabeledTurn{again}, eval.NeedsHistoryTag))
			Expect(k).To(BeZero())
			k, _ = right(1, cases([]eval.LabeledTurn{again}, eval.NeedsHistoryTag))
			Expect(k).To(Equal(n))
		})

	It("are decided by the label if the request contains history; cases without the tag needs-history always are",
		func() {
			k, sure := right(1, cases([]eval.LabeledTurn{ambiguous}, eval.NeedsHistoryTag))
			Expect(k).To(Equal(n))
			Expect(sure).To(HaveEach(1.0))
			k, _ = right(0, cases([]eval.LabeledTurn{ambiguous}))
			Expect(k).To(Equal(n))
		})

	It("are decided by the label in the first turn, and in later turns only if the request contains history", func() {
		talk := []eval.LabeledTurn{{Turn: agent.Turn{Text: "想要一只橘猫的头像"}, Expected: want},
			{Turn: agent.Turn{Text: "那就来一个吧"}, Expected: want}}
		for history, last := range []string{"chat", "image_gen"} {
			s := suiteWithRouter("accuracy: 1")
			s.Variants[0].Settings["history"] = fmt.Sprint(history)
			_, rows := executedTurns(s, cases(talk, eval.NeedsHistoryTag), 1, 1, backend.Config{CasesNeedingHistory: n})
			for _, r := range rows {
				got := r.Decisions()
				Expect([]string{got[0].Actual, got[1].Actual}).To(Equal([]string{"image_gen", last}))
			}
		}
	})

	It("are counted in the report's note on the router", func() {
		note := func(of int64) string {
			b, err := backend.New(backend.Config{Suite: suiteWithRouter("accuracy: 1"), CasesNeedingHistory: of})
			Expect(err).NotTo(HaveOccurred())
			return b.ModelNotes()[0].Note
		}
		Expect(note(0)).To(Equal("stock answers, labeled, accuracy 1"))
		Expect(note(1)).To(HaveSuffix(", guessing at 1 case where it is not shown what was said before"))
		Expect(note(12)).To(HaveSuffix(", guessing at 12 cases where it is not shown what was said before"))
	})

	It("are decided by the label in a system whose prompt contains the history", func() {
		s, err := suite.Parse("own.yaml",
			[]byte("name: own\ntarget: prompt\ndataset: own\nvariants: [{name: a}]\nmodels: {model: {accuracy: 1}}\n"))
		Expect(err).NotTo(HaveOccurred())
		step := ambiguous
		step.Expected = json.RawMessage(`{"label":"picture"}`)
		material := suite.DatasetInfo{Labels: []system.Label{{Name: "picture"}, {Name: "other"}}}
		c, _ := executedTurns(s, cases([]eval.LabeledTurn{step}, eval.NeedsHistoryTag), 1, 1,
			backend.Config{CasesNeedingHistory: n, DatasetInfo: material})
		Expect(*c.Metrics["route.accuracy"].Value).To(Equal(1.0))
	})
})
