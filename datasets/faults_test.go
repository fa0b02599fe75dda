package datasets_test

import (
	"context"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/scorer"
	"evalctl/eval/suite"
)

var _ = Describe("faults.yaml", func() {
	It("puts every shipped system under all faults, as one name", func() {
		Expect(datasets.Collections()).To(Equal([]string{"faults"}))
		list, err := datasets.Collection("faults")
		Expect(err).NotTo(HaveOccurred())
		var names []string
		for _, s := range list {
			names = append(names, s.Target)
			Expect(s.Matrix).To(BeTrue())
			Expect(s.Gates).To(Equal([]string{"fault.correct >= 100% fired"}))
		}
		Expect(names).To(Equal(datasets.Shipped()))
	})

	It("has a variant that makes use of each part of each system", func() {
		for _, name := range datasets.Shipped() {
			s, err := datasets.Matrix(name)
			Expect(err).NotTo(HaveOccurred())
			for _, part := range s.PartNames() {
				if p, _ := s.System().Part(part); p.Work == system.Grades {
					continue
				}
				Expect(slices.ContainsFunc(s.Variants, func(v suite.Variant) bool {
					asked := slices.Contains(v.Faults, suite.AllFaults) || slices.Contains(v.Faults, part+":"+suite.AllFaults)
					return asked && s.Reaches(v, part)
				})).To(BeTrue(), "%s: %s", name, part)
			}
		}
	})

	It("plays cases that there are", func() {
		for _, name := range datasets.Shipped() {
			s, err := datasets.Matrix(name)
			Expect(err).NotTo(HaveOccurred())
			data, _, err := datasets.ForSuite(s, 1, nil)
			Expect(err).NotTo(HaveOccurred())
			Expect(data.Picked).To(BeEquivalentTo(len(s.Cases)), name)
		}
	})

	It("T5 T6 X4: finds a picture that fails and goes straight to chat wrong, where the words ask for search or the time", func() {
		s, err := datasets.Matrix("toolrouter")
		Expect(err).NotTo(HaveOccurred())
		v := s.Variants[0]
		score := func(id, fault, from, to string) eval.Verdict {
			GinkgoHelper()
			o, ok := s.OutcomeOf(v, fault)
			Expect(ok).To(BeTrue())
			p := eval.Played{Reply: agent.Reply{Predicted: from, Source: "llm", Served: to}, Events: []trace.Event{
				{Kind: trace.KindFault, Node: "image"},
				{Kind: trace.KindFallback, From: "search", To: "digest"},
				{Kind: trace.KindFallback, From: from, To: to},
			}}
			score, err := scorer.Degraded{Fault: fault, Demands: o.Then}.Score(context.Background(), eval.Case{ID: id, Turns: []eval.Step{{}}}, eval.Outcome{Turns: []eval.Played{p}})
			Expect(err).NotTo(HaveOccurred())
			return score.Verdict
		}
		for _, want := range []struct{ id, fault, from, to string }{
			{"tr-web-040", "image:reset", "image_gen", "web_search"},
			{"tr-turn-119", "image:auth", "image_gen", "time_query"},
			{"tr-turn-119", "poll:reset", "image_gen", "time_query"},
			{"tr-web-034", "search:reset", "web_search", "time_query"},
		} {
			Expect(s.Cases).To(ContainElement(want.id))
			Expect(score(want.id, want.fault, want.from, want.to)).To(Equal(eval.Pass), want.id)
			Expect(score(want.id, want.fault, want.from, "chat")).To(Equal(eval.Fail), want.id)
		}
	})
})
