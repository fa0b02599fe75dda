package remote_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/foreign"
	"evalctl/agent/llm"
	"evalctl/agent/remote"
	"evalctl/agent/system"
	"evalctl/agent/trace"
)

func TestRemote(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "remote")
}

// heard is a request that the agent received.
type heard struct {
	header http.Header
	body   string
}

// service starts an agent that gives this answer. It returns the agent's URL and the requests that
// it receives.
func service(answer http.HandlerFunc) (url string, asked *[]heard) {
	asked = &[]heard{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		*asked = append(*asked, heard{r.Header, string(b)})
		answer(w, r)
	}))
	DeferCleanup(s.Close)
	return s.URL, asked
}

// says returns an answer with a content type and a text.
func says(kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, text)
	}
}

const (
	asJSON   = "application/json"
	asEvents = "text/event-stream; charset=utf-8"
)

// turn sends one turn to the agent at cfg.URL.
func turn(cfg remote.Config) (r agent.Reply, events []trace.Event, err error) {
	GinkgoHelper()
	if cfg.Retries == 0 {
		cfg.Retries = llm.NoRetries
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 10 * time.Second
	}
	c, err := remote.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	a := &foreign.Agent{Transport: c, Session: "s",
		Labels: foreign.NewValidLabels([]system.Label{{Name: "refund"}, {Name: "退款"}}, nil)}
	r, err = a.Respond(context.Background(), agent.Turn{Text: "钱呢"}, func(e trace.Event) { events = append(events, e) })
	return r, events, err
}

// spanOf returns the span of the only call to the agent.
func spanOf(events []trace.Event) *trace.Span {
	GinkgoHelper()
	var list []*trace.Span
	for _, e := range events {
		if e.Kind == trace.KindSpan && e.Node == foreign.Node {
			list = append(list, e.Span)
		}
	}
	Expect(list).To(HaveLen(1))
	return list[0]
}

// textOf returns the text that the agent streamed.
func textOf(events []trace.Event) (text string) {
	for _, e := range events {
		if e.Kind == trace.KindChunk {
			text += e.Text
		}
	}
	return text
}
