package newsroom_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/newsroom"
	"evalctl/agent/search"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

func TestNewsroom(t *testing.T) {
	if path := os.Getenv(killedStore); path != "" {
		runUntilKilled(path)
	}
	RegisterFailHandler(Fail)
	RunSpecs(t, "newsroom")
}

// noon is the start time of every simulated turn.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 8*60*60))

const sampleRequest = "写一篇秋天露营的笔记，两张图"

// say returns a supervisor's answer that chooses an agent.
func say(agent string) string {
	return fmt.Sprintf(`{"next_agent":%q,"guidance":"写具体些","context_from_previous":"刚开始","focus_areas":["帐篷","保暖"]}`,
		agent)
}

// script returns a supervisor that gives the answers in order and repeats the last one. The name of
// an agent is expanded to a complete answer.
func script(answers ...string) func(model.Request) model.Answer {
	n := 0
	return func(model.Request) model.Answer {
		a := answers[min(n, len(answers)-1)]
		n++
		if strings.HasSuffix(a, "_agent") || a == "END" {
			a = say(a)
		}
		return model.Answer{Content: a}
	}
}

// withToolCall returns a supervisor whose answers all contain a tool call next to the text answer.
func withToolCall(answer string) func(model.Request) model.Answer {
	return func(model.Request) model.Answer {
		return model.Answer{Content: answer,
			ToolCalls: []model.ToolCall{{Name: "read_artifact", Arguments: `{"field":"imagePlans"}`}}}
	}
}

// followPath returns a simulated supervisor that follows a path of decisions.
func followPath(path ...string) func(model.Request) model.Answer {
	var labels [][]string
	for _, p := range path {
		labels = append(labels, []string{p})
	}
	return func(r model.Request) model.Answer {
		return model.Answer{Content: say(newsroom.NextOn(r.Text, labels))}
	}
}

// stage is a newsroom with mock services. It records the requests and events of its turns.
type stage struct {
	realImages  bool // image generation counts as a real endpoint
	values      system.SettingValues
	decides     func(model.Request) model.Answer
	replies     map[string]func(model.Request) model.Answer // replies by component, in place of the simulated ones
	expectation string                                      // case expectation as JSON, for simulated replies
	faults      string
	onCall      func(component string) // called before each call of a model; may be nil

	server   *mocks.Server
	mu       sync.Mutex
	requests map[string][]model.Request // recorded requests by component
	events   []trace.Event              // events of the last turn
	duration time.Duration
}

func newStage(decides func(model.Request) model.Answer) *stage {
	return &stage{values: system.SettingValues{}, decides: decides,
		replies:  map[string]func(model.Request) model.Answer{},
		requests: map[string][]model.Request{}}
}

// Answer returns the answer of a mock model and records the request.
func (s *stage) Answer(r model.Request) model.Answer {
	if s.onCall != nil {
		s.onCall(r.ComponentName)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[r.ComponentName] = append(s.requests[r.ComponentName], r)
	if own := s.replies[r.ComponentName]; own != nil {
		return own(r)
	}
	if r.ComponentName == "router" {
		return s.decides(r)
	}
	part, _ := newsroom.System().Component(r.ComponentName)
	if part.Simulate == nil {
		return model.Answer{Content: "2025 年露营人数增长了两成。"}
	}
	results := 0
	for _, m := range r.Messages {
		if m.Role == "tool" {
			results++
		}
	}
	reply := part.Simulate(system.SimulatedRequest{Text: r.Text, Tools: r.Tools, ToolResults: results,
		CallNumber: r.CallNumber, Expected: json.RawMessage(s.expectation)})
	a := model.Answer{Content: reply.Content}
	for _, c := range reply.Calls {
		a.ToolCalls = append(a.ToolCalls, model.ToolCall{Name: c.Name, Arguments: c.Input})
	}
	return a
}

// link returns the endpoint of a component: its mock, as a run of evalctl connects it.
func (s *stage) link(part string) system.Endpoint {
	l := system.Endpoint{Provider: "openai", Model: "simulated", APIKey: "mock",
		HTTP:       &http.Client{Transport: transport.Transport{Handler: s.server.ForComponent(part)}},
		BeforeCall: func(ctx context.Context) error { return asModelError(s.server.SimulateLocalCall(ctx, part)) }}
	if part == "search" || part == "image" { // search and image have their own default provider and model
		l.Provider, l.Model = "", ""
	}
	if part == "image" && s.realImages {
		l.BaseURL = "http://images.example"
	}
	return l
}

// asModelError converts an injected fault to the error that a run of evalctl returns.
func asModelError(err error) error {
	if injected := (*fault.Error)(nil); errors.As(err, &injected) {
		return llm.NewResponseError(llm.Provider{}, injected.Status, "", "", err.Error())
	}
	return err
}

// imageGenerator is a newsroom.ImageGenerator that calls a function.
type imageGenerator func(newsroom.ImageRequest) (string, error)

func (p imageGenerator) Generate(_ context.Context, j newsroom.ImageRequest) (string, error) {
	return p(j)
}

// config returns a newsroom configuration that uses the mocks.
func (s *stage) config() newsroom.Config {
	GinkgoHelper()
	s.serve()
	cfg := newsroom.Config{Agents: map[string]*llm.Client{}, ImageGenerator: newsroom.PlaceholderGenerator{}}
	for _, p := range newsroom.System().Components {
		var err error
		switch {
		case p.Role == system.RoleRouter:
			cfg.Supervisor, err = s.link(p.Name).NewClient(llm.Config{Node: p.NodeName()})
		case p.Simulate != nil:
			cfg.Agents[p.NodeName()], err = s.link(p.Name).NewClient(llm.Config{Node: p.NodeName()})
		case p.Role == system.RoleSearchModel:
			cfg.Search, err = search.New(search.Config{APIKey: "mock", HTTP: s.link(p.Name).HTTP})
		}
		Expect(err).NotTo(HaveOccurred())
	}
	return cfg
}

// open starts the mocks and creates the agent from its declaration.
func (s *stage) open() agent.Agent {
	GinkgoHelper()
	s.serve()
	of := newsroom.System()
	opened, err := of.Open(system.Options{SettingValues: of.WithDefaults(s.values), EndpointOf: s.link,
		DecisionOnly: s.values["decision-only"] != ""})
	Expect(err).NotTo(HaveOccurred())
	a, err := opened.NewAgent(7, s.link)
	Expect(err).NotTo(HaveOccurred())
	return a
}

// serve creates the mock services with latencies and faults.
func (s *stage) serve() {
	GinkgoHelper()
	of := newsroom.System()
	parts, waits := component.Components{}, map[string]latency.Latency{}
	for _, p := range of.Components {
		parts[p.Name] = component.Role(p.Role)
		if p.Role != system.RoleStore && p.Role != system.RoleImage {
			waits[p.Name] = latency.Constant(time.Second)
		}
	}
	cfg := mocks.Config{Components: parts, Model: s, Latency: waits}
	var err error
	if s.faults != "" {
		cfg.Faults, err = fault.Parse(s.faults, parts)
		Expect(err).NotTo(HaveOccurred())
	}
	s.server, err = mocks.New(cfg)
	Expect(err).NotTo(HaveOccurred())
}

// answer runs one turn and records its events and duration.
func (s *stage) answer(ctx context.Context, a agent.Agent, t agent.Turn) (agent.Reply, error) {
	s.events = nil
	began := clock.Now(ctx)
	reply, err := a.Respond(ctx, t, func(e trace.Event) { s.events = append(s.events, e) })
	s.duration = clock.Since(ctx, began)
	return reply, err
}

// runTurns runs the turns of one conversation with a new agent. It checks that each turn ends with
// exactly one done event.
func (s *stage) runTurns(turns ...agent.Turn) (replies []agent.Reply) {
	GinkgoHelper()
	return s.runTurnsWith(s.open(), turns...)
}

func (s *stage) runTurnsWith(a agent.Agent, turns ...agent.Turn) (replies []agent.Reply) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
		for _, t := range turns {
			reply, err := s.answer(ctx, a, t)
			if err != nil {
				return err
			}
			last := s.events[len(s.events)-1]
			Expect(last.Kind).To(Equal(trace.KindDone))
			Expect(last.Text).To(Equal(reply.Content))
			Expect(s.eventLines(trace.KindDone)).To(HaveLen(1))
			replies = append(replies, reply)
		}
		return nil
	})).To(Succeed())
	return replies
}

func (s *stage) runText(text string) agent.Reply {
	GinkgoHelper()
	return s.runTurns(agent.Turn{Text: text})[0]
}

// eventLines returns the events of a kind, each as "NODE FROM→TO REASON".
func (s *stage) eventLines(kind trace.Kind) (lines []string) {
	for _, e := range s.events {
		if e.Kind == kind {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s→%s %s", e.Node, e.From, e.To, e.Reason)))
		}
	}
	return lines
}

// path returns the agents that ran according to the reply, without the suffix _agent.
func path(r agent.Reply) (list []string) {
	for _, s := range r.Steps {
		if s.Executed != "" {
			list = append(list, strings.TrimSuffix(s.Executed, "_agent"))
		}
	}
	return list
}

// stepsOf returns the steps of a reply, each as "PROPOSED→EXECUTED by SOURCE (REASON)".
func stepsOf(r agent.Reply) (list []string) {
	for _, s := range r.Steps {
		list = append(list, strings.TrimSuffix(fmt.Sprintf("%s→%s by %s (%s)", s.Proposed, s.Executed, s.DecidedBy,
			s.Reason), " ()"))
	}
	return list
}

// turnWithState returns a turn with a text and a state in JSON.
func turnWithState(text, state string) agent.Turn {
	GinkgoHelper()
	t := agent.Turn{Text: text}
	Expect(json.Unmarshal([]byte(state), &t.State)).To(Succeed())
	return t
}

// singleDecision returns a turn with a state and the option single_step, for one decision.
func singleDecision(text, state string) agent.Turn {
	GinkgoHelper()
	t := turnWithState(text, state)
	t.Options = map[string]json.RawMessage{"single_step": json.RawMessage("true")}
	return t
}

// noOptions are the options with which no variant is configured.
var noOptions = system.Options{}

// parseTurn returns a turn with a text and a state. ok is false if the state is not a JSON object.
func parseTurn(text, state string) (t agent.Turn, ok bool) {
	t.Text = text
	return t, json.Unmarshal([]byte(state), &t.State) == nil
}

// runTurn runs one turn in simulated time and returns its error.
func (s *stage) runTurn(a agent.Agent, t agent.Turn) (reply agent.Reply, err error) {
	failed := clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
		reply, err = s.answer(ctx, a, t)
		return nil
	})
	return reply, errors.Join(err, failed)
}
