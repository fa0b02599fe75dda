package scholar_test

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
	"evalctl/agent/cache"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/recall"
	"evalctl/agent/scholar"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

func TestScholar(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "scholar")
}

// noon is the start time of every simulated turn.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 8*60*60))

// The labels of the intents.
const (
	summary  = "LITERATURE_SUMMARY"
	review   = "REVIEW_GENERATION"
	critique = "PAPER_REVIEW"
	qa       = "LITERATURE_QA"
	simple   = "SIMPLE_INTERACTION"
)

// searcher is a recall.Searcher that calls a function.
type searcher func(ctx context.Context, q recall.Query) ([]recall.Chunk, error)

func (s searcher) Search(ctx context.Context, q recall.Query) ([]recall.Chunk, error) {
	return s(ctx, q)
}

// shelf returns a Searcher of the built-in papers.
var shelf = sync.OnceValues(func() (recall.Searcher, error) {
	part, _ := scholar.System().Component("retrieval")
	return part.NewCorpus(scholar.System().WithDefaults(nil))
})

// stage is a scholar with mock services. It records the requests and events of its turns.
type stage struct {
	replies     map[string]func(model.Request) model.Answer // replies by component, in place of the simulated ones
	intent      string                                      // intent that the intent model returns
	expectation string                                      // case expectation as JSON, for simulated replies
	faults      string
	quick       bool // mock services answer without latency
	set         func(*scholar.Config)
	recall      searcher // finds passages; nil: searches the built-in papers
	store       cache.Store

	server   *mocks.Server
	mu       sync.Mutex
	requests map[string][]model.Request // recorded requests by component
	queries  []recall.Query
	events   []trace.Event // events of the last turn
	duration time.Duration
}

func newStage(intent string) *stage {
	return &stage{intent: intent, replies: map[string]func(model.Request) model.Answer{},
		requests: map[string][]model.Request{}}
}

// withReplies sets the replies of a component's model in order; the last one is repeated.
func (s *stage) withReplies(part string, answers ...string) *stage {
	n := 0
	s.replies[part] = func(model.Request) model.Answer {
		a := answers[min(n, len(answers)-1)]
		n++
		return model.Answer{Content: a}
	}
	return s
}

// decision returns an answer of the intent model.
func decision(intent string) string {
	return fmt.Sprintf(`{"intent":%q,"confidence":0.9,"reason":"因为"}`, intent)
}

// AnswerTokens returns the answer of a mock model and records the request.
func (s *stage) Answer(r model.Request) model.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[r.ComponentName] = append(s.requests[r.ComponentName], r)
	if own := s.replies[r.ComponentName]; own != nil {
		return own(r)
	}
	if r.ComponentName == "router" {
		return model.Answer{Content: decision(s.intent)}
	}
	part, _ := scholar.System().Component(r.ComponentName)
	var systemText strings.Builder
	var earlier []agent.Message
	for i, m := range r.Messages {
		if m.Role == "system" {
			systemText.WriteString(m.Text + "\n")
		}
		if i > 0 && i < len(r.Messages)-1 {
			earlier = append(earlier, agent.Message{Role: m.Role, Content: m.Text})
		}
	}
	return model.Answer{Content: part.Simulate(system.SimulatedRequest{System: systemText.String(), Text: r.Text,
		History: earlier, SampleText: "好的。", CallNumber: r.CallNumber, Expected: json.RawMessage(s.expectation),
		Seed: 7}).Content}
}

// link returns the endpoint of a component: its mock, as a run of evalctl connects it.
func (s *stage) link(part string) system.Endpoint {
	return system.Endpoint{Provider: "openai", Model: "simulated", APIKey: "mock",
		HTTP:       &http.Client{Transport: transport.Transport{Handler: s.server.ForComponent(part)}},
		BeforeCall: func(ctx context.Context) error { return asModelError(s.server.SimulateLocalCall(ctx, part)) }}
}

// asModelError converts an injected fault to the error that a run of evalctl returns.
func asModelError(err error) error {
	if injected := (*fault.Error)(nil); errors.As(err, &injected) {
		return llm.NewResponseError(llm.Provider{}, injected.Status, "", "", err.Error())
	}
	return err
}

// Search is the mock retrieval service. Each search takes one second.
func (s *stage) Search(ctx context.Context, q recall.Query) ([]recall.Chunk, error) {
	s.mu.Lock()
	s.queries = append(s.queries, q)
	s.mu.Unlock()
	if err := clock.Sleep(ctx, time.Second); err != nil {
		return nil, err
	}
	if s.recall != nil {
		return s.recall(ctx, q)
	}
	papers, err := shelf()
	if err != nil {
		return nil, err
	}
	return papers.Search(ctx, q)
}

// open starts the mocks and creates an agent with a small context window.
func (s *stage) open() agent.Agent {
	GinkgoHelper()
	parts, waits := component.Components{}, map[string]latency.Latency{}
	for _, p := range scholar.System().Components {
		parts[p.Name] = component.Role(p.Role)
		if p.Role != system.RoleStore && !s.quick {
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
	if s.store == nil {
		s.store, err = cache.NewMemory(cache.StoreConfig{MaxEntries: 5000})
		Expect(err).NotTo(HaveOccurred())
	}
	own := scholar.Config{EndpointOf: s.link, Recall: s, Cache: s.store, ContextTokens: 3000, SystemTokens: 100,
		AnswerTokens: 300}
	if s.set != nil {
		s.set(&own)
	}
	a, err := scholar.New(own)
	Expect(err).NotTo(HaveOccurred())
	return a
}

// runTurns runs the turns of one conversation with a new agent. It checks the order of the events
// of each turn.
func (s *stage) runTurns(turns ...agent.Turn) []agent.Reply {
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
			Expect(scholar.Order.MatchString(s.stream())).To(BeTrue(), s.stream())
			replies = append(replies, reply)
		}
		return nil
	})).To(Succeed())
	return replies
}

// answer runs one turn and records its events and duration.
func (s *stage) answer(ctx context.Context, a agent.Agent, t agent.Turn) (agent.Reply, error) {
	s.events = nil
	began := clock.Now(ctx)
	reply, err := a.Respond(ctx, t, func(e trace.Event) { s.events = append(s.events, e) })
	s.duration = clock.Since(ctx, began)
	return reply, err
}

// runText runs one turn about papers of the library.
func (s *stage) runText(text string, papers ...string) agent.Reply {
	GinkgoHelper()
	return s.runTurns(on(text, papers...))[0]
}

// on returns a turn about papers of the library.
func on(text string, papers ...string) agent.Turn {
	t := agent.Turn{Text: text}
	if len(papers) > 0 {
		raw, err := json.Marshal(papers)
		Expect(err).NotTo(HaveOccurred())
		t.State = map[string]json.RawMessage{"documents": raw}
	}
	return t
}

// with returns the turn t with options, which are given as JSON.
func with(t agent.Turn, options string) agent.Turn {
	GinkgoHelper()
	Expect(json.Unmarshal([]byte(options), &t.Options)).To(Succeed())
	return t
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

// text returns the joined texts of the events of a kind.
func (s *stage) text(kind trace.Kind) string {
	var b strings.Builder
	for _, e := range s.events {
		if e.Kind == kind {
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

// nodes returns the names of the completed nodes in order.
func (s *stage) nodes() (list []string) {
	for _, e := range s.events {
		if e.Kind == trace.KindNodeComplete {
			list = append(list, e.Node)
		}
	}
	return list
}

// stream returns the events whose order is checked, each as "KIND:NODE ".
func (s *stage) stream() string {
	var b strings.Builder
	for _, e := range s.events {
		switch e.Kind {
		case trace.KindError, trace.KindThinkingStart, trace.KindThinkingEnd, trace.KindNodeComplete,
			trace.KindNodeError,
			trace.KindSummaryInit, trace.KindSummaryStart, trace.KindSummaryComplete, trace.KindSummaryError:
			b.WriteString(string(e.Kind) + ":" + e.Node + " ")
		}
	}
	return b.String()
}

// spans returns the number of calls with this node name.
func (s *stage) spans(node string) (n int) {
	for _, e := range s.events {
		if e.Kind == trace.KindSpan && e.Node == node {
			n++
		}
	}
	return n
}
