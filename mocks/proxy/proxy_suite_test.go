package proxy_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/proxy"
)

func TestProxy(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Proxy")
}

// answer is the content of the provider's chat answers.
var answer = `{"route":"chat","confidence":0.9,"reason":"a greeting of some length, so that there are many pieces"}`

// testSetup is a mock provider with a proxy in front of it.
type testSetup struct {
	provider, proxy string // base URLs
	asked           *mocks.Server

	mu    sync.Mutex
	calls []proxy.LogEntry
}

// setUp starts a mock provider, and in front of it a proxy with the given faults.
func setUp(spec string, change func(*proxy.Config)) *testSetup {
	GinkgoHelper()
	s := &testSetup{}
	s.asked, s.provider = provider(nil)
	return s.before(s.provider, spec, change)
}

// mockURL starts a mock provider with the given faults and returns its base URL.
func mockURL(spec string) string {
	GinkgoHelper()
	faults, err := fault.Parse(spec, nil)
	Expect(err).NotTo(HaveOccurred())
	_, at := provider(faults)
	return at
}

// provider starts a mock provider and returns it with its base URL.
func provider(faults []fault.Fault) (*mocks.Server, string) {
	GinkgoHelper()
	asked, err := mocks.New(mocks.Config{Faults: faults, Model: model.Func(func(r model.Request) model.Answer {
		if len(r.Tools) > 0 {
			return model.Answer{ToolCalls: []model.ToolCall{{Name: r.Tools[0], Arguments: `{"city":"Oslo"}`}}}
		}
		return model.Answer{Content: answer}
	}), Images: mocks.ImageConfig{Running: time.Millisecond}})
	Expect(err).NotTo(HaveOccurred())
	upstream := httptest.NewServer(asked)
	DeferCleanup(upstream.Close)
	return asked, upstream.URL
}

// before starts the proxy in front of the provider with the given base URL.
func (s *testSetup) before(at, spec string, change func(*proxy.Config)) *testSetup {
	GinkgoHelper()
	to, err := url.Parse(at)
	Expect(err).NotTo(HaveOccurred())
	cfg := proxy.Config{Target: to, Seed: 1, Log: func(c proxy.LogEntry) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls = append(s.calls, c)
	}}
	if spec != "" {
		cfg.Faults, err = fault.Parse(spec, nil)
		Expect(err).NotTo(HaveOccurred())
	}
	if change != nil {
		change(&cfg)
	}
	p, err := proxy.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	server := httptest.NewServer(p)
	DeferCleanup(server.Close)
	s.proxy = server.URL
	return s
}

// logged waits until the proxy has logged n calls and returns them.
func (s *testSetup) logged(n int) (list []proxy.LogEntry) {
	GinkgoHelper()
	Eventually(func() []proxy.LogEntry {
		s.mu.Lock()
		defer s.mu.Unlock()
		list = append([]proxy.LogEntry(nil), s.calls...)
		return list
	}).Should(HaveLen(n))
	return list
}

// loggedFaults returns all triggered faults that the proxy has logged.
func (s *testSetup) loggedFaults() (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		list = append(list, c.Faults...)
	}
	return list
}

// client returns a go-openai client for the given base URL.
func client(at string) *openai.Client {
	cfg := openai.DefaultConfig("sk-the-key")
	cfg.BaseURL = at + "/v1"
	return openai.NewClientWithConfig(cfg)
}

// routerRequest returns a chat request of a router in JSON mode.
func routerRequest() openai.ChatCompletionRequest {
	return openai.ChatCompletionRequest{Model: "m",
		Messages:       []openai.ChatCompletionMessage{{Role: "user", Content: "hello, in json"}},
		ResponseFormat: &openai.ChatCompletionResponseFormat{Type: "json_object"}}
}

const (
	plainBody  = `{"model":"m","messages":[{"role":"user","content":"hello, in json"}],"response_format":{"type":"json_object"}}`
	streamBody = `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hello, in json"}],"response_format":{"type":"json_object"}}`
	toolBody   = `{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"weather"}}]}`
)

// post sends a POST request and returns the response with its body.
func post(at, body string) (*http.Response, string) {
	GinkgoHelper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequest(method, at, strings.NewReader(body))
	Expect(err).NotTo(HaveOccurred())
	r.Header.Set("Authorization", "Bearer sk-the-key")
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	Expect(err).NotTo(HaveOccurred())
	b, err := io.ReadAll(resp.Body)
	Expect(err).NotTo(HaveOccurred())
	Expect(resp.Body.Close()).To(Succeed())
	return resp, string(b)
}
