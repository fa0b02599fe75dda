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

var _ = DescribeTable("a step of a turn reports whether the model was called, whether its label was corrected, and whether it is called again",
	func(s agent.Step, decision, corrected, again bool) {
		Expect([]bool{s.IsDecision(), s.IsCorrected(), s.IsDiscarded()}).To(Equal([]bool{decision, corrected, again}))
	},
	Entry("if the model's label is executed", agent.Step{Proposed: "a", Executed: "a", DecidedBy: "llm"},
		true, false, false),
	Entry("if a precondition replaces the model's label",
		agent.Step{Proposed: "a", Executed: "b", DecidedBy: "precondition", Reason: "needs_b"},
		true, true, false),
	Entry("if the model returns no label and a precondition selects one",
		agent.Step{Executed: "b", DecidedBy: "precondition", Reason: "empty_content"}, true, true, false),
	Entry("if a precondition rejects the model's label and the model is called again",
		agent.Step{Proposed: "END", DecidedBy: "precondition", Reason: "end_rejected"},
		true, false, true),
	Entry("if the model returns no label and is called again", agent.Step{DecidedBy: "llm", Reason: "no_decision"},
		true, false, true),
	Entry("if a review ends the turn without a call of the model",
		agent.Step{Executed: "END", DecidedBy: agent.DecidedByReview},
		false, false, false),
	Entry("if the maximum number of decisions ends the turn without a call of the model",
		agent.Step{Executed: "END", DecidedBy: agent.DecidedByMaxIterations, Reason: "max_iterations"},
		false, false, false),
	Entry("if the maximum number of decisions ends the turn after a call of the model",
		agent.Step{Proposed: "a", Executed: "END", DecidedBy: agent.DecidedByMaxIterations, Reason: "max_iterations"},
		true, false, false),
)
