package toolrouter_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/search"
	"evalctl/agent/toolrouter"
	"evalctl/agent/trace"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

func TestToolRouter(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "toolrouter")
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 8*60*60))

// limit is a mark in a model's answer at which the token limit cuts it off.
const limit = "✂"

// says maps each component to the reply of its simulated model. "improve" is the reply of the chat
// model when it rewrites a prompt, its only call without streaming.
type says map[component.Role]string

func (s says) Answer(r model.Request) model.Answer {
	c := r.Role
	if c == component.Chat && !r.Stream {
		c = "improve"
	}
	content, isCut := strings.CutSuffix(s[c], limit)
	a := model.Answer{Content: content}
	if isCut {
		a.FinishReason = "length"
	}
	return a
}

func route(name string, confidence float64) string {
	return fmt.Sprintf(`{"route":%q,"confidence":%v,"reason":"因为"}`, name, confidence)
}

// stage is a tool router with simulated models. It records the requests and events of a turn.
type stage struct {
	mocks  mocks.Config
	config toolrouter.Config
	faults string
	tasks  bool // the image service returns tasks that are polled
	// intercepts the requests to the simulated models; nil: none
	wire func(*http.Request, http.RoundTripper) (*http.Response, error)

	server   *mocks.Server
	mu       sync.Mutex
	bodies   map[string][]string // bodies of the requests by path
	events   []trace.Event
	duration time.Duration
}

var _ http.RoundTripper = (*stage)(nil)

// newStage returns a stage in which each model answers after one second. The chat model then
// streams a chunk every 100 ms.
func newStage(words says) *stage {
	return &stage{bodies: map[string][]string{}, mocks: mocks.Config{Model: words, Latency: map[string]latency.Latency{
		"router": latency.Constant(time.Second), "search": latency.Constant(time.Second),
		"vision": latency.Constant(time.Second), "image": latency.Constant(time.Second),
		"chat": latency.PerToken(time.Second, 100*time.Millisecond),
	}}}
}

// RoundTrip records a request and passes it to the simulated models.
func (s *stage) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(b))
		s.mu.Lock()
		s.bodies[r.URL.Path] = append(s.bodies[r.URL.Path], string(b))
		s.mu.Unlock()
	}
	next := transport.Transport{Handler: s.server}
	if s.wire != nil {
		return s.wire(r, next)
	}
	return next.RoundTrip(r)
}

func (s *stage) client(node, provider, model string) *llm.Client {
	GinkgoHelper()
	c, err := llm.New(llm.Config{Node: node, Provider: provider, Model: model, APIKey: "sk-test",
		HTTP: &http.Client{Transport: s}})
	Expect(err).NotTo(HaveOccurred())
	return c
}

func (s *stage) open() (*toolrouter.Agent, error) {
	cfg, err := s.prepare()
	if err != nil {
		return nil, err
	}
	return toolrouter.New(cfg)
}

func (s *stage) prepare() (cfg toolrouter.Config, err error) {
	if s.faults != "" {
		faults, err := fault.Parse(s.faults, nil)
		if err != nil {
			return cfg, err
		}
		s.mocks.Faults = faults
	}
	if s.server, err = mocks.New(s.mocks); err != nil {
		return cfg, err
	}
	cfg = s.config
	web := &http.Client{Transport: s}
	for at, c := range map[**llm.Client]llm.Config{
		&cfg.Router: {Node: "router", Provider: "deepseek", Model: "deepseek-chat",
			Timeout: toolrouter.DecisionTimeout},
		&cfg.PromptRewriter: {Node: "image_rewrite", Provider: "deepseek", Model: "deepseek-chat",
			Timeout: toolrouter.DecisionTimeout},
		&cfg.Chat:   {Node: "chat", Provider: "deepseek", Model: "deepseek-chat"},
		&cfg.Vision: {Node: "vision", Provider: "dashscope", Model: "qwen-vl-plus"},
	} {
		c.APIKey, c.HTTP = "sk-test", web
		if *at != nil {
			continue
		}
		if *at, err = llm.New(c); err != nil {
			return cfg, err
		}
	}
	if cfg.Search, err = search.New(search.Config{APIKey: "sk-test", HTTP: web,
		Timeout: toolrouter.SearchTimeout}); err != nil {
		return cfg, err
	}
	cfg.Image, err = imagegen.New(imagegen.Config{APIKey: "sk-test", HTTP: web, Async: s.tasks})
	return cfg, err
}

func (s *stage) play(t agent.Turn) (agent.Reply, error) {
	GinkgoHelper()
	return s.playUntil(t, func(context.CancelFunc, trace.Event) {})
}

// playUntil answers a turn and calls heed for each event. heed can cancel the turn.
func (s *stage) playUntil(t agent.Turn, heed func(context.CancelFunc, trace.Event)) (agent.Reply, error) {
	GinkgoHelper()
	a, err := s.open()
	Expect(err).NotTo(HaveOccurred())
	return s.playBy(a, t, heed)
}

func (s *stage) playBy(a agent.Agent, t agent.Turn, heed func(context.CancelFunc, trace.Event)) (reply agent.Reply,
	err error) {
	GinkgoHelper()
	s.events = nil
	Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		reply, err = a.Respond(ctx, t, func(e trace.Event) {
			s.events = append(s.events, e)
			heed(cancel, e)
		})
		s.duration = clock.Since(ctx, noon)
		return nil
	})).To(Succeed())
	return reply, err
}

func (s *stage) say(text string) (agent.Reply, error) {
	GinkgoHelper()
	return s.play(agent.Turn{Text: text})
}

func (s *stage) asked() (list []component.Role) {
	for _, e := range s.server.Log() {
		list = append(list, e.Role)
	}
	return list
}

func (s *stage) messages(path string, n int) (list []message) {
	GinkgoHelper()
	Expect(len(s.bodies[path])).To(BeNumerically(">", n), "requests to %s", path)
	var body struct{ Messages []message }
	Expect(json.Unmarshal([]byte(s.bodies[path][n]), &body)).To(Succeed())
	return body.Messages
}

type message struct {
	Role    string
	Content any
}

const (
	deepSeek  = "/chat/completions"
	dashScope = "/compatible-mode/v1/chat/completions"
)

// story returns the events as one line each, with consecutive chunks merged.
func (s *stage) story() (lines []string) {
	for i := 0; i < len(s.events); i++ {
		e := s.events[i]
		for e.Kind == trace.KindChunk && i+1 < len(s.events) && s.events[i+1].Kind == trace.KindChunk {
			i++
			e.Text += s.events[i].Text
		}
		lines = append(lines, fmt.Sprintf("%v %s", e.Offset, describe(e)))
	}
	return lines
}

func describe(e trace.Event) string {
	switch e.Kind {
	case trace.KindSpan:
		return fmt.Sprintf("span %s#%d %s", e.Node, e.Span.Attempt, cmp.Or(e.Span.Error, "ok"))
	case trace.KindFallback:
		return fmt.Sprintf("fallback %s→%s (%s)", e.From, e.To, e.Reason)
	case trace.KindBanner, trace.KindChunk, trace.KindDone:
		return fmt.Sprintf("%s %s", e.Kind, e.Text)
	default:
		return fmt.Sprintf("%s %s (%s)", e.Kind, cmp.Or(e.To, e.From, e.Node), e.Reason)
	}
}

func (s *stage) of(kind trace.Kind) (lines []string) {
	for _, e := range s.events {
		if e.Kind == kind {
			lines = append(lines, describe(e))
		}
	}
	return lines
}

// shown returns what NewStreamCallback passed on: the chunks, and the contents that came with done.
func (s *stage) shown() (chunks []string, dones []string) {
	emit := toolrouter.NewStreamCallback(func(chunk string, done bool) {
		if done {
			dones = append(dones, chunk)
			return
		}
		Expect(dones).To(BeEmpty(), "a chunk after done")
		chunks = append(chunks, chunk)
	})
	for _, e := range s.events {
		emit(e)
	}
	return chunks, dones
}
