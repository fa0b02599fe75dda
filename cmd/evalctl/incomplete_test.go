package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/terminal"
)

// unreliableModel is a model whose answers can stop before their end.
type unreliableModel struct {
	isStreamed bool // only streamed answers stop, after seenPart
	rejects    bool // it rejects the calls with status 401 instead of a stop

	mu       sync.Mutex
	requests strings.Builder
	stop     func()        // called in the middle of an answer; nil: answers are complete
	seen     chan struct{} // closed when the user has seen seenPart
}

// seenPart is the part of a streamed answer before the stop.
const seenPart = "第一点是耐心"

// start makes the following answers stop, or complete if stop is nil. It forgets earlier requests.
func (m *unreliableModel) start(stop func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stop, m.seen = stop, make(chan struct{})
	m.requests.Reset()
}

func (m *unreliableModel) received() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.requests.String()
}

func (m *unreliableModel) serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	defer GinkgoRecover()
	body, err := io.ReadAll(r.Body)
	Expect(err).NotTo(HaveOccurred())
	r.Body = io.NopCloser(bytes.NewReader(body))
	m.mu.Lock()
	m.requests.Write(body)
	stop, seen := m.stop, m.seen
	m.mu.Unlock()
	if stop != nil && m.rejects {
		http.Error(w, `{"error":{"message":"invalid key"}}`, http.StatusUnauthorized)
		return
	}
	if stop == nil || m.isStreamed != bytes.Contains(body, []byte(`"stream":true`)) {
		next.ServeHTTP(w, r)
		return
	}
	if m.isStreamed {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%q}}]}\n\n", seenPart)
		Expect(http.NewResponseController(w).Flush()).To(Succeed())
		<-seen
	}
	stop()
	<-r.Context().Done()
}

// Write receives what the user sees.
func (m *unreliableModel) Write(shown []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if bytes.Contains(shown, []byte(seenPart)) && m.stop != nil {
		close(m.seen)
	}
	return len(shown), nil
}

var _ = Describe("31.1: In a conversation of ten turns, a turn that breaks off remains in the requests", func() {
	const broken = 5
	question := func(i int) string { return fmt.Sprintf("写一篇第%d天的读书笔记", i) }
	off := "off"
	settings := map[string]map[string]*string{"companion": {"debounce": &off}, "newsroom": {"clarification": &off}}
	flags := func(m *unreliableModel, target string) agentFlags {
		return agentFlags{seed: 1, endpointFlags: endpointFlags{baseURL: serveModel(m.serve)}, model: "m",
			allowSimulated: allComponents, settings: settings[target]}
	}
	// ways has a function for each command that talks to an agent. It returns a function that sends
	// a message and waits for the answer, and one that stops an answer.
	ways := map[string]func(m *unreliableModel, target string) (send func(text string), stop func()){
		"a disconnect from evalctl serve": func(m *unreliableModel, target string) (func(string), func()) {
			f := serveFlags{agentFlags: flags(m, target), maxBody: 1 << 20, maxRuns: 2, timeout: time.Hour}
			handler, err := f.service(context.Background(), []string{target}, GinkgoWriter)
			Expect(err).NotTo(HaveOccurred())
			DeferCleanup(handler.Close)
			server := httptest.NewServer(handler)
			DeferCleanup(server.Close)
			var disconnect func()
			return func(text string) {
				var ctx context.Context
				ctx, disconnect = context.WithCancel(context.Background())
				defer disconnect()
				body, err := json.Marshal(map[string]string{"text": text, "sessionId": "s1"})
				Expect(err).NotTo(HaveOccurred())
				r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/v1/agents/"+target+"/chat",
					bytes.NewReader(body))
				Expect(err).NotTo(HaveOccurred())
				r.Header.Set("Content-Type", "application/json")
				resp, err := server.Client().Do(r)
				if ctx.Err() == nil {
					Expect(err).NotTo(HaveOccurred())
				}
				if err == nil {
					if !m.rejects {
						Expect(resp.StatusCode).To(Equal(http.StatusOK))
					}
					_, _ = io.Copy(m, resp.Body) // fails after the disconnect
					Expect(resp.Body.Close()).To(Succeed())
				}
			}, func() { disconnect() }
		},
		"Ctrl-C in evalctl chat": func(m *unreliableModel, target string) (func(string), func()) {
			f := flags(m, target)
			agents, err := f.agents(context.Background(), []string{target})
			Expect(err).NotTo(HaveOccurred())
			DeferCleanup(closeAll, agents.all)
			c := &chat{agent: agents.all[target], out: terminal.Printer{W: m}, session: newSession(),
				interrupts: make(chan os.Signal, 1)}
			return func(text string) { Expect(c.line(context.Background(), text)).To(BeFalse()) },
				func() { c.interrupts <- os.Interrupt }
		},
	}
	ways["an error of the model in evalctl serve"] = func(m *unreliableModel, target string) (func(string), func()) {
		m.rejects = true
		return ways["a disconnect from evalctl serve"](m, target)
	}
	for way, open := range ways {
		for _, of := range shippedSystems() {
			It("by "+way+" with "+of.Name, Label("concurrent"), func() {
				m := &unreliableModel{isStreamed: slices.Contains([]string{"toolrouter", "scholar"}, of.Name)}
				send, stop := open(m, of.Name)
				for i := 1; i <= 10; i++ {
					text := question(i)
					if m.start(nil); i == broken {
						m.start(stop)
					} else if i == broken+1 {
						text = "继续"
					}
					send(text)
					if i == broken+1 {
						Expect(m.received()).To(ContainSubstring(question(broken)))
						if m.isStreamed && !m.rejects {
							Expect(m.received()).To(ContainSubstring(seenPart))
						}
					}
				}
			})
		}
	}
})
