package main

import (
	"maps"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// tracesIn returns the traces of all trials of a run.
func tracesIn(dir string) (list []journal.Trace) {
	GinkgoHelper()
	for line := range strings.Lines(read(dir, journal.TracesFile)) {
		t, err := journal.DecodeTrace([]byte(line))
		Expect(err).NotTo(HaveOccurred())
		list = append(list, t)
	}
	Expect(list).NotTo(BeEmpty())
	return list
}

// nodesOf returns the nodes that the calls of a trial belong to, in order.
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

// undeclared returns the labels and decision sources in a result that the system does not declare.
func undeclared(of system.System, r eval.Result) (names []string) {
	check := func(what, name string, known ...string) {
		if name != "" && !slices.Contains(known, name) {
			names = append(names, what+" "+name)
		}
	}
	for _, turn := range r.Turns {
		check("Source", turn.DecidedBy, of.DecisionSources...)
		for _, step := range turn.Steps {
			check("Step.By", step.DecidedBy, of.DecisionSources...)
			check("Step.Taken", step.Executed, of.Contract.Labels...)
		}
	}
	if !of.Contract.HasDatasetLabels() { // otherwise the answer names are the labels of the dataset
		check("Served", r.AnsweredBy, slices.Concat(of.Contract.Labels, of.Contract.OtherRoutes)...)
	}
	return names
}

// These specs check declarations of systems that the compiler cannot check.
var _ = Describe("Every system", Ordered, func() {
	for _, of := range shippedSystems() {
		var dir string
		var traces []journal.Trace
		BeforeAll(func() {
			dir = shipped(of.Name)
			traces = tracesIn(dir)
		})

		It("makes the calls of its deciding component under the node that it declares: "+of.Name, func() {
			node, seen := of.DecidingComponent().NodeName(), 0
			for _, t := range traces {
				for _, n := range nodesOf(t) {
					if n == node {
						seen++
					}
				}
			}
			Expect(seen).To(BeNumerically(">", 0), "no call stands under the node %q", node)
		})

		It("ends every turn with exactly one done event and nothing after it: "+of.Name, func() {
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

		It("returns exactly the reply attributes that it declares: "+of.Name, func() {
			output := map[string]bool{}
			for _, t := range traces {
				for _, turn := range t.Outcome.Turns {
					for name := range turn.Reply.Attributes {
						output[name] = true
					}
				}
			}
			Expect(slices.Collect(maps.Keys(output))).To(ConsistOf(of.Contract.AttributeFields))
		})

		It("reports only decision sources that it declares: "+of.Name, func() {
			named := 0
			for _, t := range traces {
				for _, turn := range t.Outcome.Turns {
					if turn.Reply.DecidedBy != "" {
						Expect(of.DecisionSources).To(ContainElement(turn.Reply.DecidedBy), t.Case)
						named++
					}
				}
			}
			Expect(named).To(BeNumerically(">", 0))
		})

		It("returns only declared names in its replies, in every test case: "+of.Name, Label("long"), func() {
			all := newRunDir()
			Expect(evalctl("run", "--target", of.Name, "--dataset", of.Name, "--split", "test", "--out", all, "-q").
				code).To(Equal(exit.Passed))
			steps := 0
			for _, dir := range []string{dir, all} { // the suite's faults, and all faults
				for r, err := range journal.ReadRunResults(dir) {
					Expect(err).NotTo(HaveOccurred())
					Expect(undeclared(of, r)).To(BeEmpty(), r.Key)
					for _, turn := range r.Turns {
						steps += len(turn.Steps)
					}
				}
			}
			Expect(steps > 0).To(Equal(of.Contract.DecisionPathField != ""),
				"it is decided again and again where Contract.Path says so")
		})

		It("reports the decision of its model, and the one that replaces it below a threshold: "+of.Name, func() {
			threshold := slices.ContainsFunc(of.Settings, func(set system.Setting) bool { return set.IsThreshold })
			said, instead := 0, 0
			for r, err := range journal.ReadRunResults(dir) {
				Expect(err).NotTo(HaveOccurred())
				for _, j := range r.Decisions() {
					if o := r.Turns[j.Turn-1].ModelDecision; o != nil {
						said++
						if o.DecisionIfRejected != "" && o.Confidence != nil {
							instead++
						}
					}
				}
			}
			Expect(said).To(BeNumerically(">", 0), "no row holds Reply.Decider")
			Expect(instead > 0).To(Equal(threshold), "Else is decided below a threshold")
		})

		It("calls only its deciding component with --decision-only if it supports it: "+of.Name, func() {
			if !of.SupportsDecisionOnly {
				Expect(evalctl("run", of.Name, "--decision-only", "--out", newRunDir()).code).
					To(Equal(exit.InvalidUsage))
				return
			}
			dir := newRunDir()
			Expect(evalctl("run", of.Name, "--limit", "12", "--decision-only", "--out", dir, "-q").code).
				To(Equal(exit.Passed))
			var asked []string
			for _, t := range tracesIn(dir) {
				asked = append(asked, nodesOf(t)...)
			}
			allowed := []string{of.DecidingComponent().NodeName()}
			for _, p := range of.Components {
				if p.Role == system.RoleStore { // stored conversation content is read earlier
					allowed = append(allowed, p.NodeName())
				}
			}
			Expect(asked).To(And(ContainElement(of.DecidingComponent().NodeName()), HaveEach(BeElementOf(allowed))))
		})

		It("leads to an incomplete run if its endpoint refuses every call: "+of.Name, func() {
			got := evalctl("run", "--target", of.Name, "--limit", "3", "--base-url", refusingServer(), "--model", "m",
				"--out", newRunDir(), "-q")
			Expect(got.code).To(Equal(exit.Incomplete), got.stdout)
		})
	}
})

var _ = DescribeTable("The check for undeclared names finds", func(r eval.Result, want string) {
	of := system.System{Contract: system.Contract{Labels: []string{"write", "end"}, OtherRoutes: []string{"failed"}},
		DecisionSources: []string{"llm"}}
	Expect(strings.Join(undeclared(of, r), ", ")).To(Equal(want))
},
	Entry("nothing in a result with only declared names", eval.Result{AnsweredBy: "failed",
		Turns: []eval.TurnSummary{{DecidedBy: "llm",
			Steps: []agent.Step{{Executed: "end", DecidedBy: "llm"}, {DecidedBy: "llm"}}}}}, ""),
	Entry("an unknown source of a decision", eval.Result{Turns: []eval.TurnSummary{{DecidedBy: "oracle"}}},
		"Source oracle"),
	Entry("an unknown source and an unknown label in a step's decision",
		eval.Result{Turns: []eval.TurnSummary{{Steps: []agent.Step{{Executed: "rest", DecidedBy: "oracle"}}}}},
		"Step.By oracle, Step.Taken rest"),
	Entry("an unknown component that answered", eval.Result{AnsweredBy: "sorry"}, "Served sorry"),
)
