//go:build unix

package main

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

// BenchmarkFleet measures a run with four local workers from start to report. They call a provider
// with a latency of 50 ms. Coordinator, broker and provider run on the same machine.
func BenchmarkFleet(b *testing.B) {
	RegisterTestingT(b)
	const workers, wait = 4, 50 * time.Millisecond
	base := oneLabel(b, wait)
	for _, c := range []struct{ parallel, n int }{{16, 25_600}, {64, 102_400}} {
		b.Run(fmt.Sprintf("4 workers, -j %d, latency %v", c.parallel, wait), func(b *testing.B) {
			dir := b.TempDir()
			set := filepath.Join(dir, "many.jsonl")
			if err := casesOfLabels(set, c.n, 77); err != nil {
				b.Fatal(err)
			}
			broker, url := beginBroker(dir)
			var players, leaders []*process
			for range workers {
				players = append(players,
					start("worker", url, "-q", "-j", fmt.Sprint(c.parallel), "--allow-endpoint", "127.0.0.1"))
			}
			for b.Loop() {
				began := time.Now()
				p := start("run", "--target", "prompt", "-q", "--format", "csv", "--out",
					filepath.Join(dir, fmt.Sprint(began.UnixNano())),
					"--dataset", set, "--base-url", base, "--model", "bench", "--broker", url)
				Expect(p.code()).To(Equal(exit.Passed), p.stderr.String())
				leaders = append(leaders, p)
				rate := float64(c.n) / time.Since(began).Seconds()
				b.ReportMetric(rate, "trials/s")
				b.ReportMetric(rate*wait.Seconds()/float64(workers*c.parallel), "of-ideal")
			}
			for _, p := range append(players, broker) {
				Expect(p.Process.Kill()).To(Succeed())
				_ = p.code()
			}
			reportUse(b, "workers", players, c.n*len(leaders))
			reportUse(b, "broker", []*process{broker}, c.n*len(leaders))
			reportUse(b, "coordinator", leaders, c.n*len(leaders))
		})
	}
}

// reportUse reports the resources that finished processes used: CPU time per case, and the highest
// peak memory.
func reportUse(b *testing.B, who string, list []*process, cases int) {
	var cpu time.Duration
	var peak int64
	for _, p := range list {
		cpu += p.ProcessState.UserTime() + p.ProcessState.SystemTime()
		peak = max(peak, p.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	}
	b.ReportMetric(cpu.Seconds()*1e6/float64(cases), who+"-CPU-µs/case")
	b.ReportMetric(float64(peak)/1024, who+"-MiB-peak")
}
