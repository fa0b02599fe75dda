package pack_test

import (
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/reports/page/pack"
)

var scale = flag.Bool("html-scale", false, "pack 100,000 trials, and measure it")

// scaleDir names the folder of the run to a process that packs it and nothing else.
const scaleDir = "EVALCTL_HTML_SCALE_DIR"

// TestHTMLScale packs 100,000 trials of distinct texts in a process of its own, in less
// than 5 s of two cores and 200 MiB.
func TestHTMLScale(t *testing.T) {
	g := NewWithT(t)
	if dir := os.Getenv(scaleDir); dir != "" {
		g.Expect(packFolder(dir)).To(Succeed())
		return
	}
	if !*scale {
		t.Skip("asked for with -html-scale")
	}
	dir := t.TempDir()
	g.Expect(play(dir, shape{suites: 1, cases: 2_000, epochs: 1, variants: []string{"first", "b", "c", "d", "e"},
		faults: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, long: 600})).To(Succeed())
	info, err := os.Stat(filepath.Join(dir, journal.TracesFile))
	g.Expect(err).NotTo(HaveOccurred())
	child := exec.Command(os.Args[0], "-test.run=^TestHTMLScale$")
	child.Env = append(os.Environ(), scaleDir+"="+dir)
	began := time.Now()
	out, err := child.CombinedOutput()
	took := time.Since(began)
	g.Expect(err).NotTo(HaveOccurred(), string(out))
	most := child.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
	file, err := os.Stat(filepath.Join(dir, "parts"))
	g.Expect(err).NotTo(HaveOccurred())
	t.Logf("100,000 trials, %d MB of traces: %.1f s (%.1f s of processors), %d MiB resident, %d bytes of parts", info.Size()/1e6, took.Seconds(),
		(child.ProcessState.UserTime() + child.ProcessState.SystemTime()).Seconds(), most, file.Size())
	g.Expect(file.Size()).To(BeNumerically("<", pack.DefaultBudget))
	g.Expect(most).To(BeNumerically("<", 200))
	g.Expect(took).To(BeNumerically("<", 5*time.Second))
}

// play writes the folder of a run.
func play(dir string, s shape) error {
	sum := s.summary()
	manifest, err := journal.Manifest{Suites: []json.RawMessage{json.RawMessage(`{}`)}, Datasets: []journal.DatasetNote{{}}}.Sealed()
	if err != nil {
		return err
	}
	log, err := journal.Begin(dir, manifest, func() error { return nil })
	if err != nil {
		return err
	}
	s.each(func(r eval.Result) {
		events := &r.Outcome.Turns[0].Events
		for i := range 45 {
			*events = append(*events, trace.Event{At: time.Duration(i) * 1e7, Kind: trace.KindChunk, Node: "chat", Text: "a piece"})
		}
		if err == nil {
			err = log.Add(r)
		}
	})
	if err != nil {
		return err
	}
	if err := log.Close(); err != nil {
		return err
	}
	return journal.WriteJSON(filepath.Join(dir, journal.SummaryFile), sum)
}

// packFolder packs a run as a report does.
func packFolder(dir string) error {
	run, err := runs.Open(dir)
	if err != nil {
		return err
	}
	p := pack.New(run.Summary, pack.Options{Dir: dir})
	for r, err := range run.Results() {
		if err == nil {
			err = p.Add(r)
		}
		if err != nil {
			return err
		}
	}
	trials, err := run.Lookup()
	if err != nil {
		return err
	}
	defer trials.Close()
	out, err := p.Pack(300_000, trials)
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "parts"))
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = out.WriteTo(io.Writer(f))
	return err
}
