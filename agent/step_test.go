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

var _ = DescribeTable("a step is a decision where the decider was asked, and then followed, corrected or asked again",
	func(s agent.Step, decision, corrected, again bool) {
		Expect([]bool{s.IsDecision(), s.IsCorrected(), s.IsAskedAgain()}).To(Equal([]bool{decision, corrected, again}))
	},
	Entry("followed", agent.Step{Asked: "a", Taken: "a", By: "llm"}, true, false, false),
	Entry("corrected", agent.Step{Asked: "a", Taken: "b", By: "precondition", Reason: "needs_b"}, true, true, false),
	Entry("nothing was decided, and something is done", agent.Step{Taken: "b", By: "precondition", Reason: "empty_content"}, true, true, false),
	Entry("refused", agent.Step{Asked: "END", By: "precondition", Reason: "end_rejected"}, true, false, true),
	Entry("nothing was decided", agent.Step{By: "llm", Reason: "no_decision"}, true, false, true),
	Entry("approved: nobody was asked", agent.Step{Taken: "END", By: agent.ByReview}, false, false, false),
	Entry("at the limit, unasked", agent.Step{Taken: "END", By: agent.ByLimit, Reason: "max_iterations"}, false, false, false),
	Entry("at the limit, whatever was decided", agent.Step{Asked: "a", Taken: "END", By: agent.ByLimit, Reason: "max_iterations"}, true, false, false),
)
