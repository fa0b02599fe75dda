package service_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"evalctl/agent"
	"evalctl/agent/service"
	"evalctl/agent/trace"
)

type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}
func (d discard) Flush()                      {}

// BenchmarkStream measures how long one event takes from the agent to the response writer.
func BenchmarkStream(b *testing.B) {
	s, err := service.New(only(func(_ context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
		for range b.N {
			emit(trace.Event{Kind: trace.KindChunk, Text: "今天天气"})
		}
		return agent.Reply{}, nil
	}))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	s.ServeHTTP(discard{http.Header{}}, httptest.NewRequest(http.MethodPost, chatPath, strings.NewReader(`{}`)))
}

// BenchmarkTurn measures a turn with ten events over a network connection.
func BenchmarkTurn(b *testing.B) {
	s, err := service.New(only(func(_ context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
		for range 9 {
			emit(trace.Event{Kind: trace.KindChunk, Text: "今天天气"})
		}
		return agent.Reply{}, nil
	}))
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	b.ReportAllocs()
	for b.Loop() {
		r, err := post(b.Context(), server.Client(), server.URL, `{"text":"今天天气怎么样"}`)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			b.Fatal(err)
		}
		r.Body.Close()
	}
}

// BenchmarkMask measures a request that contains a mask of 1 MB.
func BenchmarkMask(b *testing.B) {
	s, err := service.New(only(silent))
	if err != nil {
		b.Fatal(err)
	}
	mask := onePNG[:len(onePNG)/4*4-4] + strings.Repeat("AAAA", 1<<18)
	body := `{"maskData":{"base64":"` + mask + `"}}`
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if w := recorded(s, http.MethodPost, chatPath, body); w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}
