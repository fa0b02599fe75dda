package main

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
)

// BenchmarkFleet has four workers on this machine ask a provider that takes 50 ms, with
// the coordinator, the broker and the provider beside them, from the beginning of the
// run to its report.
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
			all := []*process{broker}
			for range workers {
				all = append(all, start("worker", url, "-q", "-j", fmt.Sprint(c.parallel), "--allow", "127.0.0.1"))
			}
			for b.Loop() {
				began := time.Now()
				p := start("run", "--target", "prompt", "-q", "--format", "csv", "--out", filepath.Join(dir, fmt.Sprint(began.UnixNano())),
					"--dataset", set, "--base-url", base, "--model", "bench", "--workers", url)
				Expect(p.code()).To(Equal(exit.Passed), p.stderr.String())
				rate := float64(c.n) / time.Since(began).Seconds()
				b.ReportMetric(rate, "trials/s")
				b.ReportMetric(rate*wait.Seconds()/float64(workers*c.parallel), "of-ideal")
			}
			for i, p := range all {
				Expect(p.Process.Kill()).To(Succeed())
				_ = p.code()
				name := "worker"
				if i == 0 {
					name = "broker"
				}
				b.ReportMetric((p.ProcessState.UserTime() + p.ProcessState.SystemTime()).Seconds(), name+"-CPU-s")
			}
		})
	}
}
