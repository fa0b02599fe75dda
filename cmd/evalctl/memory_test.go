package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"evalctl/datasets"
)

var memory = flag.Bool("memory", false, "measure the resident memory of 20,000 and of 200,000 trials (a minute)")

// Limits for the memory of a run with 200,000 trials, and for its growth from 20,000 trials.
const (
	maxResidentMiB = 150
	maxGrowth      = 1.2
)

// TestMemory runs 20,000 and 200,000 different cases, each in a separate process, and compares
// their peak resident memory.
func TestMemory(t *testing.T) {
	if !*memory {
		t.Skip("run it with make memory")
	}
	binary := filepath.Join(t.TempDir(), "evalctl")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	small, large := resident(t, binary, 20_000), resident(t, binary, 200_000)
	t.Logf("20,000 trials: %.1f MiB; 200,000 trials: %.1f MiB; ratio %.2f", small, large, large/small)
	if large > maxResidentMiB {
		t.Errorf("200,000 trials take %.1f MiB, more than %d", large, maxResidentMiB)
	}
	if large/small > maxGrowth {
		t.Errorf("200,000 trials take %.2f times what 20,000 take, more than %v", large/small, maxGrowth)
	}
}

// resident returns the peak resident memory in MiB of a run with n cases.
func resident(t *testing.T, binary string, n int) float64 {
	cases := manyCases(t, n)
	defer os.Remove(cases)
	out := t.TempDir()
	defer os.RemoveAll(out)
	cmd := exec.Command(binary, "run", "--target", "toolrouter", "--router", "llm-first", "--dataset",
		cases, "--out", out, "-q")
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, msg)
	}
	return float64(peakMemory(cmd.ProcessState)) / 1024
}

func manyCases(t testing.TB, n int) string {
	data, err := openDetected("toolrouter")
	if err != nil {
		t.Fatal(err)
	}
	var texts, labels []string
	for c, err := range data.Stream(datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if l, err := c.Turns[0].Labels("route"); err == nil && len(c.Turns) == 1 && plain(c) {
			texts, labels = append(texts, c.Turns[0].Text), append(labels, l.Primary())
		}
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		at := i % len(texts)
		writeCase(t, f, i, fmt.Sprint(texts[at], " ", i), labels[at])
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}
