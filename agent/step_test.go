package agent_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
)

func TestAgent(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "agent")
}

var _ = DescribeTable("a step is a decision if the decider was called, and is then followed, corrected or discarded",
	func(s agent.Step, decision, corrected, again bool) {
		Expect([]bool{s.IsDecision(), s.IsCorrected(), s.IsCalledAgain()}).To(Equal([]bool{decision, corrected, again}))
	},
	Entry("followed", agent.Step{Proposed: "a", Executed: "a", DecidedBy: "llm"}, true, false, false),
	Entry("corrected", agent.Step{Proposed: "a", Executed: "b", DecidedBy: "precondition", Reason: "needs_b"},
		true, true, false),
	Entry("no decision was returned, and another label is executed",
		agent.Step{Executed: "b", DecidedBy: "precondition", Reason: "empty_content"}, true, true, false),
	Entry("rejected", agent.Step{Proposed: "END", DecidedBy: "precondition", Reason: "end_rejected"},
		true, false, true),
	Entry("no decision was returned", agent.Step{DecidedBy: "llm", Reason: "no_decision"}, true, false, true),
	Entry("approved without a call of the decider", agent.Step{Executed: "END", DecidedBy: agent.DecidedByReview},
		false, false, false),
	Entry("at the limit, without a call of the decider",
		agent.Step{Executed: "END", DecidedBy: agent.DecidedByMaxIterations, Reason: "max_iterations"},
		false, false, false),
	Entry("at the limit, after a call of the decider",
		agent.Step{Proposed: "a", Executed: "END", DecidedBy: agent.DecidedByMaxIterations, Reason: "max_iterations"},
		true, false, false),
)
