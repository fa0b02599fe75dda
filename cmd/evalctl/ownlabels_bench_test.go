//go:build unix

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
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/mocks"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
)

// BenchmarkOwnLabels measures 10,000 simulated trials with 77 labels, including the report. It also
// compares evalctl with a plain client on a model over loopback, with one call per trial.
func BenchmarkOwnLabels(b *testing.B) {
	b.Run("simulated", func(b *testing.B) {
		set := filepath.Join(b.TempDir(), "many.jsonl")
		if err := casesOfLabels(set, 10_000, 77); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			began := time.Now()
			classify(b, "--dataset", set)
			b.ReportMetric(time.Since(began).Seconds(), "s/10,000-trials")
			b.ReportMetric(float64(usage(b).Maxrss)/1024, "MiB-peak")
		}
	})
	defer debug.SetGCPercent(debug.SetGCPercent(play.GCPercent)) // as during a run, for both
	for _, c := range []struct {
		wait        time.Duration
		n, parallel int
	}{{0, 20_000, 16}, {50 * time.Millisecond, 51_200, 256}} {
		b.Run(fmt.Sprintf("latency %v", c.wait), func(b *testing.B) {
			base := oneLabel(b, c.wait)
			set := filepath.Join(b.TempDir(), "many.jsonl")
			if err := casesOfLabels(set, c.n, 77); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				var own, bare float64
				var ownCPU, bareCPU time.Duration // both include the provider
				for range 3 {
					before := cpu(b)
					bare = max(bare, bareClassifications(b, base, c.n, c.parallel))
					bareCPU += cpu(b) - before
					began, before := time.Now(), cpu(b)
					// a line per case, as the plain client
					classify(b, "--dataset", set, "--base-url", base, "--model", "bench", "--traces", "none", "-j",
						fmt.Sprint(c.parallel))
					own = max(own, float64(c.n)/time.Since(began).Seconds())
					ownCPU += cpu(b) - before
				}
				b.ReportMetric(own, "trials/s")
				b.ReportMetric(bare, "bare-trials/s")
				b.ReportMetric(own/bare, "of-bare")
				b.ReportMetric(bareCPU.Seconds()/ownCPU.Seconds(), "of-bare-by-CPU") // also valid on a shared machine
				b.ReportMetric(ownCPU.Seconds()*1e6/float64(3*c.n), "CPU-µs/case")
				b.ReportMetric(bareCPU.Seconds()*1e6/float64(3*c.n), "bare-CPU-µs/case")
				if c.wait > 0 {
					b.ReportMetric(own*c.wait.Seconds()/float64(c.parallel), "of-ideal")
					b.ReportMetric(bare*c.wait.Seconds()/float64(c.parallel), "bare-of-ideal")
				}
				b.ReportMetric(float64(usage(b).Maxrss)/1024, "MiB-peak") // includes the provider
			}
		})
	}
}

func usage(b *testing.B) (u syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u
}

func cpu(b *testing.B) time.Duration {
	u := usage(b)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func classify(b *testing.B, args ...string) {
	all := append([]string{"run", "--target", "prompt", "-q", "--format", "csv", "--out",
		filepath.Join(b.TempDir(), fmt.Sprint(time.Now().UnixNano()))}, args...)
	if code := run(context.Background(), all, nil, io.Discard, os.Stderr); code != exit.Passed {
		b.Fatalf("evalctl run: exit %d", code)
	}
}

// oneLabel starts a server with a model that always answers with the same label.
func oneLabel(b *testing.B, wait time.Duration) string {
	handler, err := mocks.New(mocks.Config{Latency: map[string]latency.Latency{"router": latency.Constant(wait)},
		Model: model.Func(func(model.Request) model.Answer {
			return model.Answer{Content: `{"label":"matter_01","confidence":0.9,"reason":"so it is"}`}
		})})
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(handler)
	b.Cleanup(server.Close)
	return server.URL + "/v1"
}

// bareClassifications returns how many requests per second a plain go-openai loop completes with
// the same requests.
func bareClassifications(b *testing.B, base string, n, parallel int) float64 {
	conf := openai.DefaultConfig("none")
	conf.BaseURL = base
	conf.HTTPClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1024}}
	client := openai.NewClientWithConfig(conf)
	raw, err := os.ReadFile("../../agent/classifier/prompts/label.md")
	if err != nil {
		b.Fatal(err)
	}
	var list strings.Builder
	for i := range 77 {
		fmt.Fprintf(&list, "- matter_%02d\n", i)
	}
	prompt := strings.ReplaceAll(string(raw), "{{labels}}", list.String()) // as long as the prompt that evalctl sends
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("message %d about matter %d", i, i%77)
	}
	out, err := os.Create(filepath.Join(b.TempDir(), "bare.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	var writing sync.Mutex
	return rate(b, texts, parallel, func(text string) error {
		answer, err := client.CreateChatCompletion(context.Background(), openai.ChatCompletionRequest{Model: "bench",
			ResponseFormat: &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject},
			Messages: []openai.ChatCompletionMessage{{Role: "system", Content: prompt},
				{Role: "user", Content: text}}})
		if err != nil {
			return err
		}
		line, err := json.Marshal(map[string]any{"text": text, "answer": answer.Choices[0].Message.Content,
			"usage": answer.Usage})
		writing.Lock()
		defer writing.Unlock()
		return errors.Join(err, writeLine(out, line))
	})
}

func writeLine(to io.Writer, line []byte) error {
	_, err := to.Write(append(line, '\n'))
	return err
}
