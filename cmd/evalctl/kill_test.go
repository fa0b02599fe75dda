package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/journal"
)

var fullKill = flag.Bool("kill", false,
	"kill a run of 20,000 trials 50 times, one with all traces, and a merge (a minute)")

// TestKill runs the kill specs at full size with the evalctl program that users have.
func TestKill(t *testing.T) {
	if !*fullKill {
		t.Skip("run it with make kill")
	}
	RegisterTestingT(t)
	binary := filepath.Join(t.TempDir(), "evalctl")
	out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
	seed := rand.Uint64()
	v := killedRun{dir: t.TempDir(), cases: manyCases(t, 5_000), logf: t.Logf, rng: rand.New(rand.NewPCG(seed, 0)),
		start: func(args ...string) *exec.Cmd { return exec.Command(binary, args...) }}
	t.Logf("seed %d", seed)
	began := time.Now()
	v.survives("failing", 50)
	v.survives("all", 15)
	v.survivesMerging(4, 10)
	t.Logf("75 kills in %v", time.Since(began).Round(time.Millisecond))
}

// killedRun is a run to be killed, with two variants in two epochs.
type killedRun struct {
	dir, cases string
	start      func(args ...string) *exec.Cmd
	rng        *rand.Rand
	logf       func(format string, args ...any)
}

func (v killedRun) line(out string, more ...string) []string {
	return append([]string{"run", "--target", "toolrouter", "--dataset", v.cases, "--router", "rules,llm-first",
		"--decision-only", "--epochs", "2", "-q", "--out", out}, more...)
}

// mustPass runs evalctl to its end and expects exit code 0.
func (v killedRun) mustPass(args ...string) {
	text, err := v.start(args...).CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(text))
}

// survives kills and resumes a run many times, and compares the result with an undisturbed run. The
// kills are spread over its start, its trials and the writing of its summary.
func (v killedRun) survives(traces string, kills int) {
	plain, dir := filepath.Join(v.dir, "plain-"+traces), filepath.Join(v.dir, "killed-"+traces)
	v.mustPass(v.line(plain, "--traces", traces)...)
	whole := sizeOf(filepath.Join(plain, journal.ResultsFile))
	for i := range kills {
		args := v.line(dir, "--traces", traces)
		if _, err := os.Stat(filepath.Join(dir, journal.ManifestFile)); err == nil {
			args = []string{"run", "--resume", dir, "-q"}
		}
		at, wait := v.killMoment(i, kills, sizeOf(filepath.Join(dir, journal.ResultsFile)), whole)
		killed := v.kill(args, filepath.Join(dir, journal.ResultsFile), at, wait)
		v.logf("kill %d at %d of %d bytes and %v: %v", i+1, sizeOf(filepath.Join(dir, journal.ResultsFile)), whole,
			wait.Round(time.Millisecond), killed)
	}
	v.mustPass("run", "--resume", dir, "-q")
	sameRun(dir, plain, traces)
}

// killMoment returns when kill number i happens: once the results have at bytes, after a further
// delay. The last tenth of kills is at the end of the run. Every fifth happens while the journal is
// read.
func (v killedRun) killMoment(i, kills int, size, whole int64) (at int64, wait time.Duration) {
	left := kills - kills/10 - i
	switch {
	case left <= 0:
		return whole, time.Duration(v.rng.Int64N(int64(time.Second)))
	case i%5 == 4:
		return 0, time.Duration(v.rng.Int64N(int64(150 * time.Millisecond)))
	}
	return size + int64(float64(whole-size)/float64(left)*2*v.rng.Float64()), 0
}

// survivesMerging kills and repeats the merge of shards, and compares the result with an unsplit
// run.
func (v killedRun) survivesMerging(shards, kills int) {
	plain, merged := filepath.Join(v.dir, "plain-failing"), filepath.Join(v.dir, "merged")
	args := []string{"merge", "--out", merged}
	for i := 1; i <= shards; i++ {
		dir := filepath.Join(v.dir, fmt.Sprint("shard", i))
		v.mustPass(v.line(dir, "--traces", "failing", "--shard", eval.Shard{Index: i, Count: shards}.String())...)
		args = append(args, dir)
	}
	whole := sizeOf(filepath.Join(plain, journal.ResultsFile))
	for i := range kills {
		killed := v.kill(args, filepath.Join(merged+".merging", journal.ResultsFile),
			int64(float64(whole)*v.rng.Float64()), 0)
		v.logf("kill %d of a merge: %v", i+1, killed)
		if killed {
			Expect(merged).NotTo(BeADirectory())
		}
		Expect(os.RemoveAll(merged)).To(Succeed())
	}
	v.mustPass(args...)
	sameRun(merged, plain, "failing")
	Expect(merged + ".merging").NotTo(BeADirectory())
}

// kill starts evalctl, waits until the file at path has a size, then for a delay, and kills the
// process. It reports whether the process was still running.
func (v killedRun) kill(args []string, path string, at int64, wait time.Duration) (killed bool) {
	cmd := v.start(args...)
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	Expect(cmd.Start()).To(Succeed())
	over := make(chan struct{})
	go func() { _ = cmd.Wait(); close(over) }()
	for sizeOf(path) < at && !isClosed(over) {
		time.Sleep(100 * time.Microsecond)
	}
	select {
	case <-over:
	case <-time.After(wait):
	}
	_ = cmd.Process.Kill() // the process can have ended
	<-over
	return cmd.ProcessState.ExitCode() < 0
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// sameRun fails unless two runs have the same trials, each exactly once, and the same summary.
func sameRun(dir, plain, traces string) {
	for _, d := range []string{dir, plain} {
		left := slices.DeleteFunc(runFiles(d), func(f string) bool { return path.Dir(f) == journal.PromptsDir })
		Expect(left).To(HaveLen(len(journal.FileNames())), "what a kill left is gone")
	}
	summary := func(dir string) string { return read(dir, journal.SummaryFile) }
	Expect(summary(dir) == summary(plain)).To(BeTrue(), "the summaries of %s and %s differ", dir, plain)
	got, want := resultKeys(dir), resultKeys(plain)
	Expect(slices.Equal(got, want)).To(BeTrue(), "%d results are not the %d of an undisturbed run, each once",
		len(got), len(want))
	Expect(slices.Equal(traceKeys(dir), traceKeys(plain))).
		To(BeTrue(), "the traces that are kept with --traces %s", traces)
}

func resultKeys(dir string) (keys []string) {
	for r, err := range journal.ReadRunResults(dir) {
		Expect(err).NotTo(HaveOccurred())
		keys = append(keys, r.Key)
	}
	slices.Sort(keys)
	return keys
}

// traceKeys returns the distinct keys of the trials that have a trace. A kill between a trace and
// its result leads to a second trace.
func traceKeys(dir string) (keys []string) {
	f, err := os.Open(filepath.Join(dir, journal.TracesFile))
	Expect(err).NotTo(HaveOccurred())
	defer f.Close()
	for d := json.NewDecoder(f); d.More(); {
		var t struct {
			Key string `json:"key"`
		}
		Expect(d.Decode(&t)).To(Succeed())
		keys = append(keys, t.Key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
