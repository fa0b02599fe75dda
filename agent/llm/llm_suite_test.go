package llm_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

func TestLLM(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "llm")
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// script is a service in memory. Each step answers one request; the last step answers all later
// requests.
type script struct {
	steps  []step
	asked  []*http.Request
	bodies []string
}

type step func(*http.Request) (*http.Response, error)

func (s *script) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	n := min(len(s.asked), len(s.steps)-1)
	s.asked, s.bodies = append(s.asked, r), append(s.bodies, string(body))
	return s.steps[n](r)
}

// body returns the decoded body of the n-th request.
func (s *script) body(n int) map[string]any {
	GinkgoHelper()
	var m map[string]any
	Expect(json.Unmarshal([]byte(s.bodies[n]), &m)).To(Succeed())
	return m
}

func status(code int, body string, header ...string) step {
	return func(*http.Request) (*http.Response, error) {
		h := http.Header{}
		for i := 0; i < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return &http.Response{StatusCode: code, Header: h, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

func fails(err error) step {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

// after waits for d and then runs the step next.
func after(d time.Duration, next step) step {
	return func(r *http.Request) (*http.Response, error) {
		if err := clock.Sleep(r.Context(), d); err != nil {
			return nil, err
		}
		return next(r)
	}
}

const usage = `"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"prompt_tokens_details":{"cached_tokens":8}}`

func says(content string) step { return finishes(content, "stop") }

func finishes(content, reason string) step {
	quoted, err := json.Marshal(content)
	if err != nil {
		panic(err)
	}
	return status(200, `{"choices":[{"index":0,"message":{"role":"assistant","content":`+string(quoted)+
		`},"finish_reason":"`+reason+`"}],`+usage+`}`)
}

// frames streams each text in data as an event after a wait of every. The body then ends with err,
// or regularly if err is nil.
func frames(every time.Duration, err error, data ...string) step {
	return func(r *http.Request) (*http.Response, error) {
		var text []string
		for _, d := range data {
			text = append(text, "data: "+d+"\n\n")
		}
		return &http.Response{StatusCode: 200, Body: &drip{ctx: r.Context(), every: every, parts: text, err: err}}, nil
	}
}

// drip is a response body whose parts arrive one by one, each after a wait.
type drip struct {
	ctx    context.Context
	every  time.Duration
	parts  []string
	err    error
	closed bool
}

func (d *drip) Read(p []byte) (int, error) {
	if err := clock.Sleep(d.ctx, d.every); err != nil {
		return 0, err
	}
	if len(d.parts) == 0 {
		if d.err != nil {
			return 0, d.err
		}
		return 0, io.EOF
	}
	n := copy(p, d.parts[0])
	if d.parts[0] = d.parts[0][n:]; d.parts[0] == "" {
		d.parts = d.parts[1:]
	}
	return n, nil
}

func (d *drip) Close() error { d.closed = true; return nil }

func delta(content string) string {
	quoted, _ := json.Marshal(content)
	return `{"choices":[{"index":0,"delta":{"content":` + string(quoted) + `},"finish_reason":null}]}`
}

const (
	stop  = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	tail  = `{"choices":[],` + usage + `}`
	done  = `[DONE]`
	limit = `{"error":{"message":"slow down","type":"requests","param":null,"code":"rate_limit_exceeded"}}`
)

// client returns a client for the service s, with the changes to its configuration.
func client(s *script, change ...func(*llm.Config)) *llm.Client {
	GinkgoHelper()
	cfg := llm.Config{Node: "router", Provider: "deepseek", Model: "deepseek-flash", APIKey: "k", HTTP: s,
		Timeout: 20 * time.Second}
	for _, f := range change {
		f(&cfg)
	}
	c, err := llm.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	return c
}

func of(provider string) func(*llm.Config) {
	return func(c *llm.Config) { c.Provider, c.BaseURL = provider, "http://example.test/v1" }
}

func ask(text string) llm.Request { return llm.Request{Messages: []llm.Message{llm.UserMessage(text)}} }

// simulate runs f in simulated time. It returns the emitted events and the elapsed time.
func simulate(f func(ctx context.Context)) (events []trace.Event, duration time.Duration) {
	GinkgoHelper()
	err := clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
		ctx = trace.WithRecorder(ctx, func(e trace.Event) { events = append(events, e) })
		f(ctx)
		duration = clock.Since(ctx, noon)
		return nil
	})
	Expect(err).NotTo(HaveOccurred())
	return events, duration
}

func spans(events []trace.Event) (out []trace.Span) {
	for _, e := range events {
		if e.Kind == trace.KindSpan {
			out = append(out, *e.Span)
		}
	}
	return out
}

func reasons(events []trace.Event, kind trace.Kind) (out []string) {
	for _, e := range events {
		if e.Kind == kind {
			out = append(out, e.Reason)
		}
	}
	return out
}
