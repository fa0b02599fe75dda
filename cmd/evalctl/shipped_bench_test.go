package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

// BenchmarkShipped runs all shipped suites, reads the run back, and reports both wall times. The
// ratio of report time to run time per trial does not depend on the machine.
func BenchmarkShipped(b *testing.B) {
	for b.Loop() {
		dir := filepath.Join(b.TempDir(), "out")
		played := timed(b, "run", "-q", "--format", "csv", "--out", dir)
		results, err := os.ReadFile(filepath.Join(dir, journal.ResultsFile))
		if err != nil {
			b.Fatal(err)
		}
		read := timed(b, "report", dir, "--format", "csv")
		trials := float64(bytes.Count(results, []byte("\n")))
		b.ReportMetric(played.Seconds(), "s/run")
		b.ReportMetric(trials/played.Seconds(), "trials/s")
		b.ReportMetric(read.Seconds()/trials*100_000, "s/100,000-trials-read")
		b.ReportMetric(read.Seconds()/played.Seconds(), "read-of-run")
	}
}

func timed(b *testing.B, args ...string) time.Duration {
	began := time.Now()
	if code := run(context.Background(), args, nil, io.Discard, os.Stderr); code != exit.Passed {
		b.Fatalf("evalctl %s: exit %d", args[0], code)
	}
	return time.Since(began)
}
