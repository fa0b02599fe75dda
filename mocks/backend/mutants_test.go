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

// mutant is an agent with modified replies.
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

// constantFallback makes a fallback always return the same label, which is then used.
func constantFallback(source, label string) func(*agent.Reply) {
	return func(r *agent.Reply) {
		if r.DecidedBy == source {
			r.Predicted, r.AnsweredBy, r.ErrorReply = label, label, nil
		}
	}
}

// verdicts runs the shipped cases of a modified system under a fault and counts the verdicts.
func verdicts(name, variant, fault string, change func(*agent.Reply)) map[eval.Verdict]int {
	GinkgoHelper()
	s, err := datasets.FaultMatrix(name)
	Expect(err).NotTo(HaveOccurred())
	own := s.System()
	open := own.Open
	own.Name, s.Target, s.CustomSystem = "mutant", "mutant", &own
	own.Open = func(o system.Options) (system.OpenVariant, error) {
		opened, err := open(o)
		made := opened.Agent
		opened.Agent = func(seed uint64, link func(string) system.Endpoint) (agent.Agent, error) {
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
	data, material, err := datasets.ForSuite(s, 1, nil)
	Expect(err).NotTo(HaveOccurred())
	b, err := backend.New(backend.Config{Suite: s, Material: material})
	Expect(err).NotTo(HaveOccurred())
	conditions, err := s.Conditions(b.Connect, material)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() error { return suite.Close(conditions) })
	got := map[eval.Verdict]int{}
	r := eval.Runner{Parallel: 2, Timeout: time.Hour, Simulated: true}
	Expect(r.Run(context.Background(), suite.Trials(conditions, data.Stream(datasets.FilterOf(s, 1)), 1, 1),
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
		Entry("rules that answer chat", "toolrouter", "llm-first", "router:timeout", "rules", "chat"),
		Entry("rules that answer image_gen", "toolrouter", "llm-first", "router:malformed_json", "rules", "image_gen"),
		Entry("a late decision of the model is lost", "toolrouter", "llm-first", "router:slow", "llm", "chat"),
		Entry("keywords that return NORMAL_CHAT", "companion", "fast-path", "router:malformed_json",
			"keywords", "NORMAL_CHAT"),
		Entry("keywords that return KNOWLEDGE_QUERY", "companion", "fast-path", "router:wrong_schema", "keywords",
			"KNOWLEDGE_QUERY"),
		Entry("v2 finds generate_image in any words", "studio", "v2", "router:malformed_json",
			"rules", "generate_image"),
		Entry("v2 creates an image without a named action", "studio", "v2", "router:wrong_schema",
			"rules", "generate_image"),
		Entry("v1 creates an image regardless of the mask", "studio", "v1", "router:malformed_json",
			"guard", "generate_image"),
		Entry("v1 ignores the repeated answer", "studio", "v1", "router:malformed_json@1", "llm", "inpainting"),
		Entry("a repeated intent is lost", "scholar", "hybrid", "router:malformed_json@1", "llm", "SIMPLE_INTERACTION"),
		Entry("a late label is lost", "prompt", "zero-shot", "model:slow", "llm", "complaint"),
		Entry("a supervisor that may end at any time", "newsroom", "minimal", "router:fallback_label",
			"precondition", "END"),
	)
})
