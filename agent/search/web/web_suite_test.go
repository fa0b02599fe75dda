package web_test

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
	"evalctl/agent/search/web"
)

func TestWeb(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "web")
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// step is one response of a mock search engine.
type step struct {
	status     int
	body       string
	retryAfter string
}

// engine is a mock search engine. It sends its steps in order, repeats the last one, and records
// the requests.
type engine struct {
	steps  []step
	asked  []map[string]any
	urls   []string
	header http.Header
}

func (e *engine) Do(r *http.Request) (*http.Response, error) {
	var m map[string]any
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		return nil, err
	}
	s := e.steps[min(len(e.asked), len(e.steps)-1)]
	e.asked, e.urls, e.header = append(e.asked, m), append(e.urls, r.URL.String()), r.Header
	resp := &http.Response{StatusCode: s.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(s.body)),
		Request: r}
	if s.retryAfter != "" {
		resp.Header.Set("Retry-After", s.retryAfter)
	}
	return resp, nil
}

// answering returns a mock search engine that sends the same response to every request.
func answering(status int, body string) *engine {
	return &engine{steps: []step{{status: status, body: body}}}
}

func client(cfg web.Config) *web.Client {
	GinkgoHelper()
	c, err := web.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	return c
}

// simulated runs f in simulated time.
func simulated(f func(ctx context.Context)) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error { f(ctx); return nil })).
		To(Succeed())
}
