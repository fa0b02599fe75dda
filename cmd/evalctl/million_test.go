//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"evalctl/agent/toolrouter/intent"
	"evalctl/eval/journal"
)

var million = flag.Int("million", 0, "measure a run of `N` decisions by the rules (1,000,000: some minutes)")

// Limits of a run with 1,000,000 decisions: memory, time from the last trial to the summary, and
// CPU time relative to a plain loop.
const (
	maxMillionMiB = 100
	maxAfter      = time.Second
	maxOverBare   = 5
)

// TestMillion runs a million different cases without traces in a separate process. It compares with
// a plain loop that reads the cases, applies the rules and writes a line for each.
func TestMillion(t *testing.T) {
	if *million == 0 {
		t.Skip("run it with make million")
	}
	binary := filepath.Join(t.TempDir(), "evalctl")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	cases, out := manyCases(t, *million), filepath.Join(t.TempDir(), "run")
	cmd := exec.Command(binary, "run", "--target", "toolrouter", "--router", "rules", "--decision-only", "--dataset",
		cases, "--traces", "none", "--out", out, "-q")
	began := time.Now()
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, msg)
	}
	duration, used := time.Since(began), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	resident := float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
	sum, written := closing(t, out)
	bare := bareLoop(t, cases) // after the run, whose peak memory includes that of this process before exec
	n := float64(*million)
	t.Logf("%d trials: %.0f a second in %.1f s; %.1f µs of the processors each, %.1f times those of a bare loop (%.1f µs)", *million, n/duration.Seconds(), duration.Seconds(),
		used.Seconds()/n*1e6, used.Seconds()/bare.Seconds(), bare.Seconds()/n*1e6)
	t.Logf("%.1f MiB resident; summary %.3f s after the last trial; %.1f MiB written", resident, sum.Seconds(),
		float64(written)/(1<<20))
	if resident > maxMillionMiB {
		t.Errorf("takes %.1f MiB, more than %d", resident, maxMillionMiB)
	}
	if sum > maxAfter {
		t.Errorf("the summary comes %v after the last trial, more than %v", sum, maxAfter)
	}
	if over := used.Seconds() / bare.Seconds(); over > maxOverBare {
		t.Errorf("takes %.1f times the processors' time of a bare loop, more than %d", over, maxOverBare)
	}
}

// closing returns the time from the last result to the summary, and the size of the run's files. It
// fails if there are other files than a run without traces has.
func closing(t *testing.T, dir string) (duration time.Duration, written int64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]time.Time{}
	for _, e := range entries {
		if e.Name() == journal.PromptsDir {
			continue
		}
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		at[e.Name()] = info.ModTime()
		written += info.Size()
		if !slices.Contains([]string{"manifest.json", "results.jsonl", "summary.json"}, e.Name()) {
			t.Errorf("%s is written, too", e.Name())
		}
	}
	return at["summary.json"].Sub(at["results.jsonl"]), written
}

// bareLoop returns the CPU time for a plain loop that reads cases, applies the rules and writes a
// line for each.
func bareLoop(t *testing.T, cases string) time.Duration {
	from, err := os.Open(cases)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.Create(filepath.Join(t.TempDir(), "bare.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	before := processors(t)
	lines, enc := bufio.NewScanner(from), json.NewEncoder(to)
	for lines.Scan() {
		var c struct{ ID, Text, Label string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		route, rule := intent.Decide(c.Text, intent.RouteImageGen|intent.RouteWebSearch|intent.RouteTimeQuery)
		if err := enc.Encode(map[string]any{"id": c.ID, "label": c.Label, "route": route, "rule": rule}); err != nil {
			t.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return processors(t) - before
}

func processors(t *testing.T) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
