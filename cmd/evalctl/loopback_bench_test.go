package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/toolrouter"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/mocks"
	"evalctl/mocks/backend"
	"evalctl/mocks/latency"
)

// provider starts a mock server with the labels of the shipped cases and returns its URL.
func provider(b *testing.B, wait time.Duration) string {
	data, err := openDetected("toolrouter")
	if err != nil {
		b.Fatal(err)
	}
	model, err := backend.NewServerModel([]*datasets.Dataset{data}, 1, 1)
	if err != nil {
		b.Fatal(err)
	}
	cfg := mocks.Config{Latency: map[string]latency.Latency{}, Model: model}
	if wait > 0 {
		cfg.Latency["router"], cfg.Latency["chat"] = latency.Constant(wait), latency.Constant(wait)
	}
	handler, err := mocks.New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(handler)
	b.Cleanup(server.Close)
	return server.URL + "/v1"
}

// chatCases writes n cases that each require a routing call and a streamed answer.
func chatCases(b *testing.B, n int) (path string, texts []string) {
	data, err := openDetected("toolrouter")
	if err != nil {
		b.Fatal(err)
	}
	for c, err := range data.Stream(datasets.Filter{}) {
		if err != nil {
			b.Fatal(err)
		}
		if l, err := c.Turns[0].Labels("route"); err == nil && len(c.Turns) == 1 && l.Primary() == "chat" &&
			len(l) == 1 && plain(c) {
			texts = append(texts, c.Turns[0].Text)
		}
	}
	path = filepath.Join(b.TempDir(), "cases.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	var all []string
	for i := range n {
		text := texts[i%len(texts)]
		all = append(all, text)
		writeCase(b, f, i, text, "chat")
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path, all
}

func writeCase(tb testing.TB, w io.Writer, i int, text, label string) {
	line, err := json.Marshal(map[string]string{"id": fmt.Sprint("c", i), "text": text, "label": label})
	if err == nil {
		_, err = fmt.Fprintf(w, "%s\n", line)
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// plain reports whether a case consists only of a text.
func plain(c eval.Case) bool {
	t := c.Turns[0]
	return len(t.Images)+len(t.Documents)+len(t.History)+len(t.Options) == 0
}

// evalctlRate returns how many trials per second a run processes, including its report.
func evalctlRate(b *testing.B, base, cases string, n, parallel int) float64 {
	began := time.Now()
	code := run(context.Background(),
		[]string{"run", "--target", "toolrouter", "--router", "llm", "--dataset", cases, "-q", "--format", "csv",
			"--base-url", base, "--model", "bench", "-j", fmt.Sprint(parallel), "--out",
			filepath.Join(b.TempDir(), "out")},
		nil, io.Discard, os.Stderr)
	if code != exit.Passed {
		b.Fatalf("evalctl run: exit %d", code)
	}
	return float64(n) / time.Since(began).Seconds()
}

// bareRate returns how many trials per second a plain go-openai loop processes with the same calls.
func bareRate(b *testing.B, base string, texts []string, parallel int) float64 {
	conf := openai.DefaultConfig("none")
	conf.BaseURL = base
	conf.HTTPClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1024}}
	client := openai.NewClientWithConfig(conf)
	prompts, err := toolrouter.ShippedPrompts()
	if err != nil {
		b.Fatal(err)
	}
	return rate(b, texts, parallel, func(text string) error { return bareTrial(client, prompts, text) })
}

// rate returns how many texts per second do processes in parallel.
func rate(b *testing.B, texts []string, parallel int, do func(text string) error) float64 {
	began := time.Now()
	todo := make(chan string)
	var wg sync.WaitGroup
	for range parallel {
		wg.Go(func() {
			for text := range todo {
				if err := do(text); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for _, text := range texts {
		todo <- text
	}
	close(todo)
	wg.Wait()
	return float64(len(texts)) / time.Since(began).Seconds()
}

func bareTrial(client *openai.Client, prompts toolrouter.Prompts, text string) error {
	ctx := context.Background()
	_, err := client.CreateChatCompletion(ctx, openai.ChatCompletionRequest{Model: "bench",
		ResponseFormat: &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject},
		Messages: []openai.ChatCompletionMessage{{Role: "system", Content: prompts.Router.Text},
			{Role: "user", Content: text}}})
	if err != nil {
		return err
	}
	stream, err := client.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{Model: "bench",
		StreamOptions: &openai.StreamOptions{IncludeUsage: true},
		Messages: []openai.ChatCompletionMessage{{Role: "system", Content: prompts.Chat.Text},
			{Role: "user", Content: text}}})
	if err != nil {
		return err
	}
	defer stream.Close()
	for {
		if _, err := stream.Recv(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// BenchmarkLoopback compares the throughput of evalctl with that of a plain client on the same
// server, alternately. Where the latency of the provider dominates, it also compares with the ideal
// rate.
func BenchmarkLoopback(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(play.GCPercent)) // as during a run, for both
	b.Run("latency 0", func(b *testing.B) {
		const n, parallel = 4000, 16
		base := provider(b, 0)
		cases, texts := chatCases(b, n)
		for b.Loop() {
			var own, bare float64
			for range 3 {
				bare = max(bare, bareRate(b, base, texts, parallel))
				own = max(own, evalctlRate(b, base, cases, n, parallel))
			}
			b.ReportMetric(own, "trials/s")
			b.ReportMetric(bare, "bare-trials/s")
			b.ReportMetric(own/bare, "of-bare")
		}
	})
	b.Run("latency 50ms", func(b *testing.B) {
		const n, parallel = 6400, 64
		base := provider(b, 50*time.Millisecond)
		cases, texts := chatCases(b, n)
		ideal := float64(parallel) / 0.1 // a trial waits for two calls
		for b.Loop() {
			own := evalctlRate(b, base, cases, n, parallel)
			bare := bareRate(b, base, texts, parallel)
			b.ReportMetric(own, "trials/s")
			b.ReportMetric(own/ideal, "of-ideal")
			b.ReportMetric(bare/ideal, "bare-of-ideal")
		}
	})
}
