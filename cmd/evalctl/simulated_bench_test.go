package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/toolrouter/intent"
	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
)

// slowImages is a suite whose trials take exactly 5 s of simulated time: 600 ms to decide, 400 ms
// to rewrite the prompt, and an image of 3 s that is polled every 2 s.
const slowImages = `name: pictures
target: toolrouter
dataset: cases.jsonl
epochs: %d
variants:
  - {name: llm-first, router: llm-first}
models:
  router: {model: "deepseek:deepseek-chat", behavior: labeled, accuracy: 1, latency: "constant:600ms"}
  chat: {model: "deepseek:deepseek-chat", latency: "constant:400ms"}
  image: {model: "dashscope:qwen-image-plus", task_duration: 3s}
`

func imageCases() (text string) {
	for i := range 20 {
		text += fmt.Sprintf("{\"id\":\"p%d\",\"text\":\"画一张第%d号灯塔的水彩\",\"label\":\"image_gen\"}\n", i, i)
	}
	return text
}

var _ = Describe("the simulated clock", func() {
	It("X5: measures exact latencies: 0.6 s + 0.4 s + polls at 2 s and 4 s", func() {
		dir := GinkgoT().TempDir()
		write(filepath.Join(dir, "cases.jsonl"), imageCases())
		suite := write(filepath.Join(dir, "suite.yaml"), fmt.Sprintf(slowImages, 1))
		Expect(evalctl("run", suite, "--out", filepath.Join(dir, "out")).code).To(Equal(exit.Passed))
		metrics := summaryOf(filepath.Join(dir, "out")).Suites[0].Conditions[0].Metrics
		for _, name := range []string{"latency.p50", "latency.p99", "latency.mean", "ttft.p50"} {
			Expect(*metrics[name].Value).To(Equal(5000.0), name)
		}
		Expect(*metrics["step.image.p50"].Value).To(Equal(4000.0), "with the wait between its polls")
		Expect(*metrics["node.router.p50"].Value).To(Equal(600.0))
	})
})

// BenchmarkSimulated measures the wall time of 10,000 trials with images of 3 s, which take 50,000
// s of simulated time.
func BenchmarkSimulated(b *testing.B) {
	dir := b.TempDir()
	for name, text := range map[string]string{"cases.jsonl": imageCases(), "suite.yaml": fmt.Sprintf(slowImages, 500)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		began := time.Now()
		code := run(context.Background(),
			[]string{"run", filepath.Join(dir, "suite.yaml"), "-q", "--format", "csv", "--out",
				filepath.Join(b.TempDir(), "out")}, nil, io.Discard, io.Discard)
		if code != exit.Passed {
			b.Fatalf("evalctl run: exit %d", code)
		}
		b.ReportMetric(time.Since(began).Seconds(), "s/10,000-trials")
	}
}

// BenchmarkRules measures the median time of a decision by rules over the shipped cases.
func BenchmarkRules(b *testing.B) {
	data, err := openDetected("toolrouter")
	if err != nil {
		b.Fatal(err)
	}
	var times []time.Duration
	for b.Loop() {
		times = times[:0]
		for c, err := range data.Stream(datasets.Filter{}) {
			if err != nil {
				b.Fatal(err)
			}
			times = append(times, decisionTime(c.Turns[len(c.Turns)-1].Text))
		}
	}
	slices.SortFunc(times, cmp.Compare)
	b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "ns/decision(median)")
	b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds()), "ns/decision(p99)")
}

// decisionTime returns the mean time of several decisions on one text.
func decisionTime(text string) time.Duration {
	const rounds = 50
	began := time.Now()
	for range rounds {
		intent.Decide(text, intent.RouteImageGen|intent.RouteWebSearch|intent.RouteTimeQuery)
	}
	return time.Since(began) / rounds
}
