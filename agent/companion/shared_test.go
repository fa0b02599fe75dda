package companion_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/companion"
	"evalctl/agent/session"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

// fixture runs a companion with mock models and records its requests and events.
type fixture struct {
	settings map[string]string
	answers  map[string]string // answer of each component's model
	faults   string

	server   *mocks.Server
	mu       sync.Mutex
	requests []modelRequest
	events   []trace.Event
}

// modelRequest is a recorded request to a model.
type modelRequest struct {
	part string
	body struct {
		Model          string
		Temperature    float64
		MaxTokens      int `json:"max_tokens"`
		Thinking       struct{ Type string }
		ResponseFormat struct{ Type string } `json:"response_format"`
		Messages       []message
	}
}

type message struct{ Role, Content string }

// routerReply returns an answer of the deciding model.
func routerReply(intent string, confidence float64, params string) string {
	return fmt.Sprintf(`{"intent":%q,"confidence":%v,"query_params":%s,"reason":"因为"}`, intent, confidence, params)
}

const (
	query = "KNOWLEDGE_QUERY"
	chat  = "NORMAL_CHAT"
	hello = `{"replies":[{"content":"你好呀","send_delay_seconds":1}]}`
)

// newStage returns a stage whose models answer after one second.
func newStage(intent string) *fixture {
	return &fixture{settings: map[string]string{}, answers: map[string]string{"router": intent, "chat": hello,
		"summary": `{"summary":"聊了火锅。","topics":["火锅"],"key_points":["喜欢重庆火锅"]}`}}
}

func (s *fixture) Answer(r model.Request) model.Answer {
	return model.Answer{Content: s.answers[r.ComponentName]}
}

// link returns an endpoint that calls the mock of a component.
func (s *fixture) link(part string) system.Endpoint {
	next := transport.Transport{Handler: s.server.ForComponent(part)}
	return system.Endpoint{Provider: "ark", Model: "doubao-" + part, BaseURL: "http://mock.invalid/api/v3",
		APIKey: "sk-test",
		HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			b, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			a := modelRequest{part: part}
			if err := json.Unmarshal(b, &a.body); err != nil {
				return nil, err
			}
			s.mu.Lock()
			s.requests = append(s.requests, a)
			s.mu.Unlock()
			r.Body = io.NopCloser(bytes.NewReader(b))
			return next.RoundTrip(r)
		})},
		BeforeCall: func(ctx context.Context) error { return s.server.SimulateLocalCall(ctx, part) }}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// open creates the mocks and the companion, with a session memory.
func (s *fixture) open() agent.Agent {
	GinkgoHelper()
	a, err := s.tryOpen()
	Expect(err).NotTo(HaveOccurred())
	return a
}

func (s *fixture) tryOpen() (agent.Agent, error) {
	of := companion.System()
	parts := component.Components{}
	each := map[string]latency.Latency{}
	for _, p := range of.Components {
		parts[p.Name] = component.Role(p.Role)
		if p.Role != system.RoleStore {
			each[p.Name] = latency.Constant(time.Second)
		}
	}
	cfg := mocks.Config{Model: s, Components: parts, Latency: each}
	var err error
	if s.faults != "" {
		if cfg.Faults, err = fault.Parse(s.faults, parts); err != nil {
			return nil, err
		}
	}
	if s.server, err = mocks.New(cfg); err != nil {
		return nil, err
	}
	o, err := of.Open(system.Options{SettingValues: of.WithDefaults(s.settings), EndpointOf: s.link,
		DecisionOnly: s.settings["scope"] != ""})
	if err != nil {
		return nil, err
	}
	a, err := o.NewAgent(1, s.link)
	if err != nil {
		return nil, err
	}
	memory, err := session.New(session.Config{})
	if err != nil {
		return nil, err
	}
	a = &session.Agent{Next: a, Store: memory}
	if o.Debounce != nil {
		a = o.Debounce(a)
	}
	return a, nil
}

// runText runs one turn in simulated time.
func (s *fixture) runText(text string) agent.Reply {
	GinkgoHelper()
	return s.runTurns(agent.Turn{Text: text})
}

// runTurns runs turns in order and returns the last reply.
func (s *fixture) runTurns(turns ...agent.Turn) agent.Reply {
	GinkgoHelper()
	return s.runTurnsAt(noon, s.open(), turns...)
}

// runTurnsAt runs turns from a start time on, with their delays, and returns the last reply.
func (s *fixture) runTurnsAt(start time.Time, a agent.Agent, turns ...agent.Turn) (reply agent.Reply) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), start, func(ctx context.Context) error {
		for _, t := range turns {
			if err := clock.Sleep(ctx, time.Duration(t.Delay)); err != nil {
				return err
			}
			s.events = nil
			var err error
			if reply, err = a.Respond(ctx, t, func(e trace.Event) { s.events = append(s.events, e) }); err != nil {
				return err
			}
			Expect(s.eventLines(trace.KindDone)).To(Equal([]string{"done " + reply.Content}))
		}
		return nil
	})).To(Succeed())
	return reply
}

// eventLines formats the events of a kind.
func (s *fixture) eventLines(kind trace.Kind) (lines []string) {
	for _, e := range s.events {
		if e.Kind == kind {
			lines = append(lines, describe(e))
		}
	}
	return lines
}

func describe(e trace.Event) string {
	switch e.Kind {
	case trace.KindSpan:
		return fmt.Sprintf("span %s %s %s", e.Node, e.Span.Model, cmp.Or(e.Span.Error, "ok"))
	case trace.KindFallback, trace.KindIgnoredInput:
		return fmt.Sprintf("%s: %s→%s (%s)", e.Node, e.From, e.To, e.Reason) + strings.TrimRight(" "+e.Text, " ")
	case trace.KindFormCheck:
		return e.Node + " " + cmp.Or(e.Reason, "kept")
	case trace.KindMessage:
		return string(e.Data)
	case trace.KindChunk, trace.KindDone:
		return string(e.Kind) + " " + e.Text
	}
	return fmt.Sprintf("%s %s (%s) %s", e.Kind, cmp.Or(e.To, e.From, e.Node), e.Reason, e.Text)
}

// requestsTo returns the requests to a component.
func (s *fixture) requestsTo(part string) (list []modelRequest) {
	for _, a := range s.requests {
		if a.part == part {
			list = append(list, a)
		}
	}
	return list
}

// last returns the messages of the last request to the chat model.
func (s *fixture) last() []message {
	GinkgoHelper()
	list := s.requestsTo("chat")
	Expect(list).NotTo(BeEmpty())
	return list[len(list)-1].body.Messages
}

// state returns the state of a turn from pairs of key and value.
func state(pairs ...any) map[string]json.RawMessage {
	GinkgoHelper()
	m := map[string]json.RawMessage{}
	for i := 0; i < len(pairs); i += 2 {
		b, err := json.Marshal(pairs[i+1])
		Expect(err).NotTo(HaveOccurred())
		m[pairs[i].(string)] = b
	}
	return m
}

// diaryFile writes a file of daily summaries. Each argument is a date, a space and a summary.
func diaryFile(days ...string) string {
	GinkgoHelper()
	var b strings.Builder
	for _, d := range days {
		date, summary, _ := strings.Cut(d, " ")
		fmt.Fprintf(&b, `{"agent":"lin","date":%q,"summary":%q,"topics":["话题"],"key_points":[]}`+"\n", date, summary)
	}
	return writeFile("days.jsonl", b.String())
}

func writeFile(name, text string) string {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), name)
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	return path
}

// ids returns the dates of the days found.
func ids(r agent.Reply) (list []string) {
	for _, h := range r.Retrieved {
		list = append(list, h.ID)
	}
	return list
}
