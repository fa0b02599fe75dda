package backend_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks"
	"evalctl/mocks/backend"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
)

// desk returns a system that makes several decisions per turn. A ✓ in the router's prompt marks a
// finished step. Its other components return the request that they received.
func desk() system.System {
	echo := func(s system.SimulatedRequest) system.SimulatedReply {
		b, err := json.Marshal(s)
		Expect(err).NotTo(HaveOccurred())
		said := system.SimulatedReply{Content: string(b)}
		if s.Tools != nil && s.ToolResults == 0 {
			said.Calls = []agent.ToolCall{{Name: s.Tools[0], Input: `{"q":"tea"}`}, {Name: "nobody_offers_this"}}
		}
		return said
	}
	return system.System{
		Name: "desk",
		Contract: system.Contract{LabelField: "next", Labels: []string{"write", "check", "paint", "end"},
			DecisionPathField: "path"},
		Components: []system.Component{{Name: "router", Role: system.RoleRouter},
			{Name: "write", Role: system.RoleStructured, Simulate: echo,
				MatchPrompt: func(prompt string) bool { return strings.Contains(prompt, "You write.") }},
			{Name: "review", Role: system.RoleCritic, Simulate: echo},
			{Name: "look", Role: system.RoleVision, Simulate: echo},
			{Name: "talk", Role: system.RoleChat, Simulate: echo}, {Name: "plain", Role: system.RoleStructured}},
		SimulateNextDecision: func(text string, path [][]string) string {
			return path[min(strings.Count(text, "✓"), len(path)-1)][0]
		},
	}
}

// message is a message of a chat request.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func user(text string) message { return message{Role: "user", Content: text} }

// answer is the message in a chat answer.
type answer struct {
	Content   string `json:"content"`
	ToolCalls []struct {
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

// receivedRequest returns the request that the simulated component received and returned as its
// answer.
func (a answer) receivedRequest() (s system.SimulatedRequest) {
	GinkgoHelper()
	Expect(json.Unmarshal([]byte(a.Content), &s)).To(Succeed(), a.Content)
	if string(s.Expected) == "null" {
		s.Expected = nil
	}
	return s
}

// decided returns the label in the answer of the router.
func (a answer) decided() string {
	GinkgoHelper()
	var d struct{ Next string }
	Expect(json.Unmarshal([]byte(a.Content), &d)).To(Succeed(), a.Content)
	return d.Next
}

// server returns a mock server with the components of a system, the given simulated model and the
// given faults.
func server(target system.System, answers model.Model, faults string) *mocks.Server {
	GinkgoHelper()
	cfg := mocks.Config{Components: backend.ComponentsOf(target), Model: answers}
	if _, wired := answers.(model.Classifier); !wired {
		cfg.CallPosition = backend.PlaceIn(trial(eval.LabeledTurn{}))
	}
	if faults != "" {
		var err error
		cfg.Faults, err = fault.Parse(faults, cfg.Components)
		Expect(err).NotTo(HaveOccurred())
	}
	s, err := mocks.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	return s
}

// trial returns a trial of a case with the given turns.
func trial(turns ...eval.LabeledTurn) eval.Trial {
	return eval.Trial{Condition: &eval.Condition{}, Case: eval.Case{ID: "a", Turns: turns}, Epoch: 1}
}

func turn(text, want string) eval.LabeledTurn {
	return eval.LabeledTurn{Turn: agent.Turn{Text: text}, Expected: json.RawMessage(want)}
}

// correctServer returns the mock server of a trial of desk whose router is always correct.
func correctServer(turns ...eval.LabeledTurn) *mocks.Server {
	GinkgoHelper()
	of := desk()
	return server(of, backend.Answers(of, trial(turns...), suite.Simulated{}), "")
}

// ask sends a chat request of a component and returns the answer. more contains further fields of
// the request.
func ask(s *mocks.Server, part string, more map[string]any, messages ...message) answer {
	GinkgoHelper()
	return send(s.ForComponent(part), more, messages...)
}

// send sends a chat request in JSON mode and returns the answer. more contains further fields of
// the request.
func send(h http.Handler, more map[string]any, messages ...message) answer {
	GinkgoHelper()
	messages = append([]message{{Role: "system", Content: "Answer in JSON."}}, messages...)
	body := map[string]any{"model": "m", "messages": messages,
		"response_format": map[string]string{"type": "json_object"}}
	for key, value := range more {
		body[key] = value
	}
	b, err := json.Marshal(body)
	Expect(err).NotTo(HaveOccurred())
	r := httptest.NewRequest("POST", "http://mock/v1/chat/completions", bytes.NewReader(b))
	r.Header.Set("Authorization", "Bearer k")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	Expect(w.Code).To(Equal(200), w.Body.String())
	var got struct {
		Choices []struct{ Message answer }
	}
	Expect(json.Unmarshal(w.Body.Bytes(), &got)).To(Succeed())
	return got.Choices[0].Message
}
