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

// noon is when every simulated turn begins.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 8*60*60))

// The intents.
const (
	summary  = "LITERATURE_SUMMARY"
	review   = "REVIEW_GENERATION"
	critique = "PAPER_REVIEW"
	qa       = "LITERATURE_QA"
	simple   = "SIMPLE_INTERACTION"
)

// searcher is a service of retrieval of a test's making.
type searcher func(ctx context.Context, q recall.Query) ([]recall.Chunk, error)

func (s searcher) Search(ctx context.Context, q recall.Query) ([]recall.Chunk, error) {
	return s(ctx, q)
}

// shelf are the shipped papers' passages.
var shelf = sync.OnceValues(func() (recall.Searcher, error) {
	part, _ := scholar.System().Part("retrieval")
	return part.NewCorpus(scholar.System().WithDefaults(nil))
})

// stage is a scholar among mock providers, and what became of its turns.
type stage struct {
	says   map[string]func(model.Request) model.Answer // by part, in the place of what is usual
	intent string                                      // what the deciding model says
	want   string                                      // expectation of the turn, for those who say what is usual
	faults string
	quick  bool // nothing takes time
	set    func(*scholar.Config)
	recall searcher // nil: the shipped papers, after a second
	store  cache.Store

	server   *mocks.Server
	mu       sync.Mutex
	asked    map[string][]model.Request // by part
	queries  []recall.Query
	events   []trace.Event // of the last turn
	duration time.Duration
}

func newStage(intent string) *stage {
	return &stage{intent: intent, says: map[string]func(model.Request) model.Answer{}, asked: map[string][]model.Request{}}
}

// saying has a part say one after the other, and the last again and again.
func (s *stage) saying(part string, answers ...string) *stage {
	n := 0
	s.says[part] = func(model.Request) model.Answer {
		a := answers[min(n, len(answers)-1)]
		n++
		return model.Answer{Content: a}
	}
	return s
}

// decision is a deciding model's answer.
func decision(intent string) string {
	return fmt.Sprintf(`{"intent":%q,"confidence":0.9,"reason":"因为"}`, intent)
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
		return model.Answer{Content: decision(s.intent)}
	}
	part, _ := scholar.System().Part(r.Part)
	var told strings.Builder
	var earlier []agent.Message
	for i, m := range r.Messages {
		if m.Role == "system" {
			told.WriteString(m.Text + "\n")
		}
		if i > 0 && i < len(r.Messages)-1 {
			earlier = append(earlier, agent.Message{Role: m.Role, Content: m.Text})
		}
	}
	return model.Answer{Content: part.Simulate(system.SimulatedRequest{System: told.String(), Text: r.Text, History: earlier, SampleText: "好的。", Nth: r.Nth, Expected: json.RawMessage(s.want), Seed: 7}).Content}
}

// link leads to the mocks, as a harness does.
func (s *stage) link(part string) system.Endpoint {
	return system.Endpoint{Provider: "openai", Model: "simulated", APIKey: "mock", HTTP: &http.Client{Transport: transport.Transport{Handler: s.server.ForComponent(part)}},
		BeforeCall: func(ctx context.Context) error { return told(s.server.CallLocal(ctx, part)) }}
}

// told is a fault as a harness tells it.
func told(err error) error {
	if struck := (*fault.Error)(nil); errors.As(err, &struck) {
		return llm.NewResponseError(llm.Provider{}, struck.Status, "", "", err.Error())
	}
	return err
}

// Search is the service of retrieval: it takes a second.
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

// open makes the mocks and the agent, in a small context window.
func (s *stage) open() agent.Agent {
	GinkgoHelper()
	parts, waits := component.Components{}, map[string]latency.Latency{}
	for _, p := range scholar.System().Parts {
		parts[p.Name] = component.Role(p.Role)
		if p.Role != system.RoleStore && !s.quick {
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
	if s.store == nil {
		s.store, err = cache.NewMemory(cache.StoreConfig{Size: 5000})
		Expect(err).NotTo(HaveOccurred())
	}
	own := scholar.Config{Link: s.link, Recall: s, Cache: s.store, Context: 3000, System: 100, Answer: 300}
	if s.set != nil {
		s.set(&own)
	}
	a, err := scholar.New(own)
	Expect(err).NotTo(HaveOccurred())
	return a
}

// play plays turns of one agent, and looks at what must hold for each.
func (s *stage) play(turns ...agent.Turn) []agent.Reply {
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
			Expect(scholar.Order.MatchString(s.stream())).To(BeTrue(), s.stream())
			replies = append(replies, reply)
		}
		return nil
	})).To(Succeed())
	return replies
}

// answer plays a turn.
func (s *stage) answer(ctx context.Context, a agent.Agent, t agent.Turn) (agent.Reply, error) {
	s.events = nil
	began := clock.Now(ctx)
	reply, err := a.Respond(ctx, t, func(e trace.Event) { s.events = append(s.events, e) })
	s.duration = clock.Since(ctx, began)
	return reply, err
}

// say plays one turn on some papers of the library.
func (s *stage) say(text string, papers ...string) agent.Reply {
	GinkgoHelper()
	return s.play(on(text, papers...))[0]
}

// on is a turn on some papers.
func on(text string, papers ...string) agent.Turn {
	t := agent.Turn{Text: text}
	if len(papers) > 0 {
		raw, err := json.Marshal(papers)
		Expect(err).NotTo(HaveOccurred())
		t.State = map[string]json.RawMessage{"documents": raw}
	}
	return t
}

// with is the turn with options, written as JSON.
func with(t agent.Turn, options string) agent.Turn {
	GinkgoHelper()
	Expect(json.Unmarshal([]byte(options), &t.Options)).To(Succeed())
	return t
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

// text joins the texts of a kind of events.
func (s *stage) text(kind trace.Kind) string {
	var b strings.Builder
	for _, e := range s.events {
		if e.Kind == kind {
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

// nodes are those that completed.
func (s *stage) nodes() (list []string) {
	for _, e := range s.events {
		if e.Kind == trace.KindNodeComplete {
			list = append(list, e.Node)
		}
	}
	return list
}

// stream are the words of the events whose order is judged.
func (s *stage) stream() string {
	var b strings.Builder
	for _, e := range s.events {
		switch e.Kind {
		case trace.KindError, trace.KindThinkingStart, trace.KindThinkingEnd, trace.KindNodeComplete, trace.KindNodeError,
			trace.KindSummaryInit, trace.KindSummaryStart, trace.KindSummaryComplete, trace.KindSummaryError:
			b.WriteString(string(e.Kind) + ":" + e.Node + " ")
		}
	}
	return b.String()
}

// spans are the calls that a node made.
func (s *stage) spans(node string) (n int) {
	for _, e := range s.events {
		if e.Kind == trace.KindSpan && e.Node == node {
			n++
		}
	}
	return n
}
