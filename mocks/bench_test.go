package mocks_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/clock"
	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

var benchModel = &model.SimulatedRouter{
	CorrectLabel: labelOf, Labels: []string{"image_gen", "web_search", "time_query", "chat"}, Accuracy: 0.9,
}

func benchServer(b *testing.B, m model.Model) *mocks.Server {
	b.Helper()
	s, err := mocks.New(mocks.Config{Model: m})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func benchClient(b *testing.B, m model.Model) *openai.Client {
	b.Helper()
	srv := httptest.NewServer(benchServer(b, m))
	b.Cleanup(srv.Close)
	return clientOf(srv.URL+"/v1", srv.Client())
}

// BenchmarkChat measures a chat request of a router in JSON mode, over a loopback connection.
func BenchmarkChat(b *testing.B) {
	c := benchClient(b, benchModel)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.CreateChatCompletion(context.Background(), askJSON("m", "chat 1")); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStream measures a streamed answer of about 20 chunks, over a loopback connection.
func BenchmarkStream(b *testing.B) {
	c := benchClient(b, constantModel(strings.Repeat("字", 70)))
	b.ReportAllocs()
	for b.Loop() {
		benchStream(b, context.Background(), c)
	}
}

func benchStream(b *testing.B, ctx context.Context, c *openai.Client) {
	st, err := c.CreateChatCompletionStream(ctx, ask("m", "x"))
	if err != nil {
		b.Fatal(err)
	}
	for err == nil {
		_, err = st.Recv()
	}
	if !errors.Is(err, io.EOF) {
		b.Fatal(err)
	}
	if err := st.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkHandlerChat measures a chat request with the handler alone, without a network.
func BenchmarkHandlerChat(b *testing.B) {
	s := benchServer(b, benchModel)
	b.ReportAllocs()
	for b.Loop() {
		post(s, "/v1/chat/completions",
			`{"model":"m","response_format":{"type":"json_object"},"messages":[{"role":"system","content":"JSON"},{"role":"user","content":"chat 1"}]}`)
	}
}

func BenchmarkHandlerStream(b *testing.B) {
	s := benchServer(b, constantModel(strings.Repeat("字", 70)))
	b.ReportAllocs()
	for b.Loop() {
		post(s, "/v1/chat/completions", `{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}]}`)
	}
}

// BenchmarkLocal measures a call of a component inside the process (SimulateLocalCall).
func BenchmarkLocal(b *testing.B) {
	s := benchServer(b, benchModel)
	b.ReportAllocs()
	for b.Loop() {
		if err := s.SimulateLocalCall(context.Background(), "store"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNew measures the creation of a Server, because every trial creates one.
func BenchmarkNew(b *testing.B) {
	cfg := mocks.Config{
		Model: benchModel,
		Latency: map[string]latency.Latency{"router": latency.LogNormal(time.Second, 0.4),
			"chat": latency.PerToken(time.Second, time.Millisecond)},
		Faults: []fault.Fault{{Component: "router", Kind: fault.Timeout, CallNumber: 1}},
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := mocks.New(cfg); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSimulated measures a trial in simulated time: one chat request in JSON mode and one
// stream.
func BenchmarkSimulated(b *testing.B) {
	start := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	m := model.Func(func(r model.Request) model.Answer {
		if r.RequiresJSON {
			return benchModel.Answer(r)
		}
		return model.Answer{Content: strings.Repeat("字", 70)}
	})
	b.ReportAllocs()
	for b.Loop() {
		s := benchServer(b, m)
		err := clock.RunSimulated(context.Background(), start, func(ctx context.Context) error {
			c := clientOf("http://mock/v1", rawTransport{transport.Transport{Handler: s}})
			if _, err := c.CreateChatCompletion(ctx, askJSON("m", "chat 1")); err != nil {
				return err
			}
			benchStream(b, ctx, c)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// rawTransport sends requests without the overhead of http.Client.
type rawTransport struct{ transport.Transport }

func (d rawTransport) Do(r *http.Request) (*http.Response, error) { return d.RoundTrip(r) }
