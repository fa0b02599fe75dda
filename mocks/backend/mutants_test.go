package backend_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// mutant is an agent whose replies are changed, to test whether the expected outcomes detect the
// change.
type mutant struct {
	agent.Agent
	change func(*agent.Reply)
}

func (m mutant) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	reply, err := m.Agent.Respond(ctx, t, emit)
	m.change(&reply)
	return reply, err
}

func (m mutant) Close() error { return agent.Close(m.Agent) }

// constantFallback returns a change that makes a fallback always decide for the same label.
func constantFallback(source, label string) func(*agent.Reply) {
	return func(r *agent.Reply) {
		if r.DecidedBy == source {
			r.Predicted, r.AnsweredBy, r.ErrorReply = label, label, nil
		}
	}
}

// verdicts runs the shipped cases of a changed system under a fault and counts the verdicts on the
// expected outcomes.
func verdicts(name, variant, fault string, change func(*agent.Reply)) map[eval.Verdict]int {
	GinkgoHelper()
	s, err := datasets.LoadFaultMatrix(name)
	Expect(err).NotTo(HaveOccurred())
	own := s.System()
	open := own.Open
	own.Name, s.Target, s.CustomSystem = "mutant", "mutant", &own
	own.Open = func(o system.Options) (system.LoadedVariant, error) {
		opened, err := open(o)
		made := opened.NewAgent
		opened.NewAgent = func(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
			a, err := made(seed, link)
			return mutant{Agent: a, change: change}, err
		}
		return opened, err
	}
	for _, v := range s.Variants {
		if v.Name == variant {
			s.Faults, v.Faults = []string{fault}, nil
			s.Variants = suite.Variants{v}
		}
	}
	Expect(s.Check()).To(Succeed())
	data, material, err := datasets.OpenForSuite(s, 1, nil)
	Expect(err).NotTo(HaveOccurred())
	b, err := backend.New(backend.Config{Suite: s, DatasetInfo: material})
	Expect(err).NotTo(HaveOccurred())
	conditions, err := s.Conditions(b.Connect, material)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() error { return suite.CloseConditions(conditions) })
	got := map[eval.Verdict]int{}
	r := eval.Runner{Parallel: 2, Timeout: time.Hour, SimulatedClock: true}
	Expect(r.Run(context.Background(), suite.Trials(conditions, data.Stream(datasets.FilterForSuite(s, 1)), 1, 1),
		eval.SinkFunc(func(r eval.Result) error {
			for _, score := range r.Scores {
				if score.Name == eval.FaultCorrectScore {
					got[score.Verdict]++
				}
			}
			return nil
		}))).To(Succeed())
	return got
}

var _ = Describe("the shipped expected outcomes", func() {
	DescribeTable("T4 C3 S2: pass for the original system, and fail if a fallback always gives the same answer",
		func(name, variant, fault, source, label string) {
			sound := verdicts(name, variant, fault, func(*agent.Reply) {})
			Expect(sound[eval.Fail]).To(BeZero())
			Expect(sound[eval.Pass]).To(BeNumerically(">=", 10))
			Expect(verdicts(name, variant, fault, constantFallback(source, label))[eval.Fail]).To(BeNumerically(">", 3))
		},
		Entry("toolrouter: the rules always decide for chat", "toolrouter", "llm-first", "router:timeout",
			"rules", "chat"),
		Entry("toolrouter: the rules always decide for image_gen", "toolrouter", "llm-first", "router:malformed_json",
			"rules", "image_gen"),
		Entry("toolrouter: the model always decides for chat after a slow answer", "toolrouter", "llm-first",
			"router:slow", "llm", "chat"),
		Entry("companion: the keywords always decide for NORMAL_CHAT", "companion", "fast-path",
			"router:malformed_json",
			"keywords", "NORMAL_CHAT"),
		Entry("companion: the keywords always decide for KNOWLEDGE_QUERY", "companion", "fast-path",
			"router:wrong_schema", "keywords",
			"KNOWLEDGE_QUERY"),
		Entry("studio v2: the rules decide for generate_image after malformed JSON", "studio", "v2",
			"router:malformed_json",
			"rules", "generate_image"),
		Entry("studio v2: the rules decide for generate_image after an answer without an action", "studio", "v2",
			"router:wrong_schema",
			"rules", "generate_image"),
		Entry("studio v1: the guard decides for generate_image even with a mask", "studio", "v1",
			"router:malformed_json",
			"guard", "generate_image"),
		Entry("studio v1: the model always decides for inpainting in the repeated call", "studio", "v1",
			"router:malformed_json@1",
			"llm", "inpainting"),
		Entry("scholar: the model always decides for SIMPLE_INTERACTION in the repeated call", "scholar", "hybrid",
			"router:malformed_json@1", "llm", "SIMPLE_INTERACTION"),
		Entry("prompt: the model always decides for complaint after a slow answer", "prompt", "zero-shot", "model:slow",
			"llm", "complaint"),
		Entry("newsroom: the precondition always decides for END", "newsroom", "minimal", "router:fallback_label",
			"precondition", "END"),
	)
})
