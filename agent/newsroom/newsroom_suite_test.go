package newsroom_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
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
	RegisterFailHandler(Fail)
	RunSpecs(t, "newsroom")
}

// noon is when every simulated turn begins.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 8*60*60))

const wish = "写一篇秋天露营的笔记，两张图"

// say is a supervisor's answer.
func say(agent string) string {
	return fmt.Sprintf(`{"next_agent":%q,"guidance":"写具体些","context_from_previous":"刚开始","focus_areas":["帐篷","保暖"]}`, agent)
}

// script has a supervisor say one after the other, and the last again and again; an
// agent's name stands for its decision.
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

// calling has a supervisor look at an artefact again and again, and say something
// besides.
func calling(answer string) func(model.Request) model.Answer {
	return func(model.Request) model.Answer {
		return model.Answer{Content: answer, ToolCalls: []model.ToolCall{{Name: "read_artifact", Arguments: `{"field":"imagePlans"}`}}}
	}
}

// along has a supervisor follow a path.
func along(path ...string) func(model.Request) model.Answer {
	var labels [][]string
	for _, p := range path {
		labels = append(labels, []string{p})
	}
	return func(r model.Request) model.Answer {
		return model.Answer{Content: say(newsroom.NextOn(r.Text, labels))}
	}
}

// stage is a newsroom among mock providers, and what became of its turns.
type stage struct {
	realImages bool // the painter is a real endpoint
	values     system.Values
	decides    func(model.Request) model.Answer
	says       map[string]func(model.Request) model.Answer // by part, in the place of what is usual
	want       string                                      // expectation of the turn, for those who say what is usual
	faults     string

	server   *mocks.Server
	mu       sync.Mutex
	asked    map[string][]model.Request // by part
	events   []trace.Event              // of the last turn
	duration time.Duration
}

func newStage(decides func(model.Request) model.Answer) *stage {
	return &stage{values: system.Values{}, decides: decides, says: map[string]func(model.Request) model.Answer{}, asked: map[string][]model.Request{}}
}

// Answer is what the models say.
func (s *stage) Answer(r model.Request) model.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[r.Part] = append(s.asked[r.Part], r)
	if own := s.says[r.Part]; own != nil {
		return own(r)
	}
	if r.Part == "router" {
		return s.decides(r)
	}
	part, _ := newsroom.System().Part(r.Part)
	if part.Simulate == nil {
		return model.Answer{Content: "2025 年露营人数增长了两成。"}
	}
	results := 0
	for _, m := range r.Messages {
		if m.Role == "tool" {
			results++
		}
	}
	said := part.Simulate(system.SimulatedRequest{Text: r.Text, Tools: r.Tools, Results: results,
		Nth: r.Nth, Expected: json.RawMessage(s.want)})
	a := model.Answer{Content: said.Content}
	for _, c := range said.Calls {
		a.ToolCalls = append(a.ToolCalls, model.ToolCall{Name: c.Name, Arguments: c.Input})
	}
	return a
}

// link leads to the mocks, as a harness does.
func (s *stage) link(part string) system.Endpoint {
	l := system.Endpoint{Provider: "openai", Model: "simulated", APIKey: "mock", HTTP: &http.Client{Transport: transport.Transport{Handler: s.server.ForComponent(part)}},
		BeforeCall: func(ctx context.Context) error { return told(s.server.CallLocal(ctx, part)) }}
	if part == "search" || part == "image" { // their own
		l.Provider, l.Model = "", ""
	}
	if part == "image" && s.realImages {
		l.BaseURL = "http://images.example"
	}
	return l
}

// told is a fault as a harness tells it.
func told(err error) error {
	if struck := (*fault.Error)(nil); errors.As(err, &struck) {
		return llm.NewResponseError(llm.Provider{}, struck.Status, "", "", err.Error())
	}
	return err
}

// imageGenerator is a Painter of a test's making.
type imageGenerator func(newsroom.ImageRequest) (string, error)

func (p imageGenerator) Paint(_ context.Context, j newsroom.ImageRequest) (string, error) {
	return p(j)
}

// config are a newsroom's settings that lead to the mocks.
func (s *stage) config() newsroom.Config {
	GinkgoHelper()
	s.serve()
	cfg := newsroom.Config{Agents: map[string]*llm.Client{}, ImageGenerator: newsroom.Placeholder{}}
	for _, p := range newsroom.System().Parts {
		var err error
		switch {
		case p.Role == system.RoleRouter:
			cfg.Supervisor, err = s.link(p.Name).Client(llm.Config{Node: p.NodeName()})
		case p.Simulate != nil:
			cfg.Agents[p.NodeName()], err = s.link(p.Name).Client(llm.Config{Node: p.NodeName()})
		case p.Role == system.RoleSearchModel:
			cfg.Search, err = search.New(search.Config{APIKey: "mock", HTTP: s.link(p.Name).HTTP})
		}
		Expect(err).NotTo(HaveOccurred())
	}
	return cfg
}

// open makes the mocks and the agent.
func (s *stage) open() agent.Agent {
	GinkgoHelper()
	s.serve()
	of := newsroom.System()
	opened, err := of.Open(system.Options{Values: of.WithDefaults(s.values), Link: s.link, DecisionOnly: s.values["decision-only"] != ""})
	Expect(err).NotTo(HaveOccurred())
	a, err := opened.Agent(7, s.link)
	Expect(err).NotTo(HaveOccurred())
	return a
}

// serve makes the mocks.
func (s *stage) serve() {
	GinkgoHelper()
	of := newsroom.System()
	parts, waits := component.Components{}, map[string]latency.Latency{}
	for _, p := range of.Parts {
		parts[p.Name] = component.Role(p.Role)
		if p.Role != system.RoleStore && p.Role != system.RoleImage {
			waits[p.Name] = latency.Constant(time.Second)
		}
	}
	cfg := mocks.Config{Parts: parts, Model: s, Latency: waits}
	var err error
	if s.faults != "" {
		cfg.Faults, err = fault.Parse(s.faults, parts)
		Expect(err).NotTo(HaveOccurred())
	}
	s.server, err = mocks.New(cfg)
	Expect(err).NotTo(HaveOccurred())
}

// answer plays a turn.
func (s *stage) answer(ctx context.Context, a agent.Agent, t agent.Turn) (agent.Reply, error) {
	s.events = nil
	began := clock.Now(ctx)
	reply, err := a.Respond(ctx, t, func(e trace.Event) { s.events = append(s.events, e) })
	s.duration = clock.Since(ctx, began)
	return reply, err
}

// play plays turns of one conversation, and looks at what must hold for each.
func (s *stage) play(turns ...agent.Turn) (replies []agent.Reply) {
	GinkgoHelper()
	return s.playBy(s.open(), turns...)
}

func (s *stage) playBy(a agent.Agent, turns ...agent.Turn) (replies []agent.Reply) {
	GinkgoHelper()
	Expect(clock.Run(context.Background(), noon, func(ctx context.Context) error {
		for _, t := range turns {
			reply, err := s.answer(ctx, a, t)
			if err != nil {
				return err
			}
			last := s.events[len(s.events)-1]
			Expect(last.Kind).To(Equal(trace.KindDone))
			Expect(last.Text).To(Equal(reply.Content))
			Expect(s.of(trace.KindDone)).To(HaveLen(1))
			replies = append(replies, reply)
		}
		return nil
	})).To(Succeed())
	return replies
}

func (s *stage) say(text string) agent.Reply {
	GinkgoHelper()
	return s.play(agent.Turn{Text: text})[0]
}

// of lists what the events of a kind tell.
func (s *stage) of(kind trace.Kind) (lines []string) {
	for _, e := range s.events {
		if e.Kind == kind {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s→%s %s", e.Node, e.From, e.To, e.Reason)))
		}
	}
	return lines
}

// path are the agents that the reply's steps lead to.
func path(r agent.Reply) (list []string) {
	for _, s := range r.Steps {
		if s.Executed != "" {
			list = append(list, strings.TrimSuffix(s.Executed, "_agent"))
		}
	}
	return list
}

// stepsOf writes steps as ASKED→TAKEN by WHO (REASON).
func stepsOf(r agent.Reply) (list []string) {
	for _, s := range r.Steps {
		list = append(list, strings.TrimSuffix(fmt.Sprintf("%s→%s by %s (%s)", s.Proposed, s.Executed, s.DecidedBy, s.Reason), " ()"))
	}
	return list
}

// on is a turn on a state.
func on(text, state string) agent.Turn {
	GinkgoHelper()
	t := agent.Turn{Text: text}
	Expect(json.Unmarshal([]byte(state), &t.State)).To(Succeed())
	return t
}

// once is a turn of one decision on a state.
func once(text, state string) agent.Turn {
	GinkgoHelper()
	t := on(text, state)
	t.Options = map[string]json.RawMessage{"single_step": json.RawMessage("true")}
	return t
}

// system0 are options that say nothing.
var system0 = system.Options{}

// tryOn is a turn on a state, where that is an object.
func tryOn(text, state string) (t agent.Turn, ok bool) {
	t.Text = text
	return t, json.Unmarshal([]byte(state), &t.State) == nil
}

// alone plays one turn.
func (s *stage) alone(a agent.Agent, t agent.Turn) (reply agent.Reply, err error) {
	failed := clock.Run(context.Background(), noon, func(ctx context.Context) error {
		reply, err = s.answer(ctx, a, t)
		return nil
	})
	return reply, errors.Join(err, failed)
}
