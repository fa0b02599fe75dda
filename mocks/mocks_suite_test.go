package mocks_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/clock"
	"evalctl/mocks"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
	"evalctl/mocks/wire"
)

func TestMocks(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "mocks")
}

// bases are the base URLs of the providers, without the host.
var bases = map[wire.Dialect]string{
	wire.OpenAI:    "/v1",
	wire.DeepSeek:  "",
	wire.DashScope: "/compatible-mode/v1",
	wire.Ark:       "/api/v3",
}

// chatModels contains a chat model of each provider that does not think.
var chatModels = map[wire.Dialect]string{
	wire.OpenAI:    "gpt-4o",
	wire.DeepSeek:  "deepseek-chat",
	wire.DashScope: "qwen-plus",
	wire.Ark:       "doubao-1-5-pro-32k-250115",
}

func newServer(cfg mocks.Config) *mocks.Server {
	GinkgoHelper()
	s, err := mocks.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	return s
}

// newClient starts the server on a socket and returns a go-openai client for it.
func newClient(s *mocks.Server, d wire.Dialect) *openai.Client {
	srv := httptest.NewServer(s)
	DeferCleanup(srv.Close)
	return clientOf(srv.URL+bases[d], srv.Client())
}

func clientOf(base string, doer openai.HTTPDoer) *openai.Client {
	cfg := openai.DefaultConfig("sk-test1234")
	cfg.BaseURL, cfg.HTTPClient = base, doer
	return openai.NewClientWithConfig(cfg)
}

// simulate calls f in simulated time, with an HTTP client of the server.
func simulate(s *mocks.Server, f func(ctx context.Context, c *http.Client)) {
	GinkgoHelper()
	start := time.Date(2026, 11, 20, 2, 0, 0, 0, time.UTC)
	err := clock.RunSimulated(context.Background(), start, func(ctx context.Context) error {
		f(ctx, &http.Client{Transport: transport.Transport{Handler: s}})
		return nil
	})
	Expect(err).NotTo(HaveOccurred())
}

// constantModel returns a model that always gives the same answer.
func constantModel(content string) model.Model {
	return model.Func(func(model.Request) model.Answer { return model.Answer{Content: content} })
}

func ask(model, text string) openai.ChatCompletionRequest {
	return openai.ChatCompletionRequest{
		Model:    model,
		Messages: []openai.ChatCompletionMessage{{Role: "user", Content: text}},
	}
}

func askJSON(model, text string) openai.ChatCompletionRequest {
	r := ask(model, text)
	r.Messages = append([]openai.ChatCompletionMessage{{Role: "system", Content: "Answer in JSON."}}, r.Messages...)
	r.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	return r
}

// send calls the handler with a request. Headers are given as "Key: value".
func send(s http.Handler, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://mock"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer sk-test1234")
	for _, h := range headers {
		key, value, _ := strings.Cut(h, ": ")
		r.Header.Set(key, value)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func post(s http.Handler, path, body string, headers ...string) *httptest.ResponseRecorder {
	return send(s, "POST", path, body, headers...)
}

var (
	createdKey = regexp.MustCompile(`"created":\d{10}`)
	anID       = regexp.MustCompile(`"(id|request_id)":"[^"]+"`)
	inMessage  = regexp.MustCompile(`Request id: [0-9a-f]+`)
)

// withoutIDs replaces ids and times in a body, which differ from call to call.
func withoutIDs(s string) string {
	s = createdKey.ReplaceAllString(s, `"created":1`)
	s = inMessage.ReplaceAllString(s, "Request id: R")
	return anID.ReplaceAllString(s, `"$1":"I"`)
}

// readStream reads a stream to its end and returns the text, the last chunk and the error.
func readStream(st *openai.ChatCompletionStream, err error) (text string, last openai.ChatCompletionStreamResponse,
	end error) {
	GinkgoHelper()
	Expect(err).NotTo(HaveOccurred())
	defer func() { Expect(st.Close()).To(Succeed()) }()
	for {
		chunk, err := st.Recv()
		if err != nil {
			return text, last, err
		}
		last = chunk
		if len(chunk.Choices) > 0 {
			text += chunk.Choices[0].Delta.Content
		}
	}
}

func readAll(r io.Reader) string {
	GinkgoHelper()
	b, err := io.ReadAll(r)
	Expect(err).NotTo(HaveOccurred())
	return string(b)
}

func decode(s string, v any) {
	GinkgoHelper()
	Expect(json.Unmarshal([]byte(s), v)).To(Succeed(), s)
}
