package main

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

// tracesIn are the trials of a run.
func tracesIn(dir string) (list []journal.Trace) {
	GinkgoHelper()
	for r, err := range journal.Results(dir) {
		Expect(err).NotTo(HaveOccurred())
		traces, err := journal.TracesOf(dir, r.Case)
		Expect(err).NotTo(HaveOccurred())
		for _, t := range traces {
			if t.Key == r.Key {
				list = append(list, t)
			}
		}
	}
	Expect(list).NotTo(BeEmpty())
	return list
}

// nodesOf are the nodes under which a trial's calls stand.
func nodesOf(t journal.Trace) (nodes []string) {
	for _, turn := range t.Outcome.Turns {
		for _, e := range turn.Events {
			if e.Kind == trace.KindSpan {
				nodes = append(nodes, e.Node)
			}
		}
	}
	return nodes
}

// What is declared cannot be seen by a compiler: these specs hold each system
// to its word.
var _ = Describe("Every system", Ordered, func() {
	for _, of := range suite.Systems() {
		var dir string
		var traces []journal.Trace
		BeforeAll(func() {
			dir = folder()
			Expect(evalctl("run", of.Name, "--limit", "12", "--out", dir, "-q").code).To(Equal(exit.Passed))
			traces = tracesIn(dir)
		})

		It("has the calls of its decider under the node that it declares: "+of.Name, func() {
			node, seen := of.Decider().In(), 0
			for _, t := range traces {
				for _, n := range nodesOf(t) {
					if n == node {
						seen++
					}
				}
			}
			Expect(seen).To(BeNumerically(">", 0), "no call stands under the node %q", node)
		})

		It("ends every turn with one event that it is done, and nothing after: "+of.Name, func() {
			for _, t := range traces {
				Expect(t.Outcome.Turns).NotTo(BeEmpty(), t.Case)
				for i, turn := range t.Outcome.Turns {
					var done int
					for _, e := range turn.Events {
						if e.Kind == trace.KindDone {
							done++
						}
					}
					Expect(done).To(Equal(1), "turn %d of %s", i+1, t.Case)
					Expect(turn.Events[len(turn.Events)-1].Kind).To(Equal(trace.KindDone), "turn %d of %s", i+1, t.Case)
				}
			}
		})

		It("names those who decide as it declares them: "+of.Name, func() {
			named := 0
			for _, t := range traces {
				for _, turn := range t.Outcome.Turns {
					if turn.Reply.Source != "" {
						Expect(of.Sources).To(ContainElement(turn.Reply.Source), t.Case)
						named++
					}
				}
			}
			Expect(named).To(BeNumerically(">", 0))
		})

		It("hands on what its decider said: "+of.Name, func() {
			threshold := slices.ContainsFunc(of.Settings, func(set system.Setting) bool { return set.Threshold })
			said, instead := 0, 0
			for r, err := range journal.Results(dir) {
				Expect(err).NotTo(HaveOccurred())
				for _, j := range r.Decisions() {
					if o := r.Turns[j.Turn-1].Decider; o != nil {
						said++
						if o.Else != "" && o.Confidence != nil {
							instead++
						}
					}
				}
			}
			Expect(said).To(BeNumerically(">", 0), "no row holds Reply.Decider")
			Expect(instead > 0).To(Equal(threshold), "Else is decided below a threshold")
		})

		It("stops at the decision where it says so, and nothing else is asked: "+of.Name, func() {
			if !of.Scoped {
				Expect(evalctl("run", of.Name, "--scope", "decision", "--out", folder()).code).To(Equal(exit.Usage))
				return
			}
			dir := folder()
			Expect(evalctl("run", of.Name, "--limit", "12", "--scope", "decision", "--out", dir, "-q").code).To(Equal(exit.Passed))
			var asked []string
			for _, t := range tracesIn(dir) {
				asked = append(asked, nodesOf(t)...)
			}
			allowed := []string{of.Decider().In()}
			for _, p := range of.Parts {
				if p.Work == system.Keeps { // what is kept of the conversation, it reads before
					allowed = append(allowed, p.In())
				}
			}
			Expect(asked).To(And(ContainElement(of.Decider().In()), HaveEach(BeElementOf(allowed))))
		})

		It("does not pass for a success behind a dead endpoint: "+of.Name, func() {
			got := evalctl("run", "--target", of.Name, "--limit", "3", "--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--out", folder(), "-q")
			Expect(got.code).To(Equal(exit.Incomplete), got.stdout)
		})
	}
})
