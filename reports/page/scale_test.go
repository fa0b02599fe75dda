//go:build unix

package page_test

import (
	"encoding/json"
	"flag"
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
	"evalctl/reports/page"
)

var scale = flag.Bool("html-scale", false, "make the HTML file of 100,000 trials, and measure it")

// TestHTMLScale writes the page of a run with 100,000 trials, all with different texts. It fails if
// this takes 5 s or more on two idle cores, or more than 200 MiB.
func TestHTMLScale(t *testing.T) {
	if !*scale {
		t.Skip("asked for with -html-scale")
	}
	g := NewWithT(t)
	dir := t.TempDir()
	g.Expect(writeRun(dir, shape{suites: 1, cases: 2_000, epochs: 1, variants: []string{"first", "b", "c", "d", "e"},
		faults: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, long: 600})).To(Succeed())
	traces, err := os.Stat(filepath.Join(dir, journal.TracesFile))
	g.Expect(err).NotTo(HaveOccurred())
	program, html := filepath.Join(dir, "evalctl"), filepath.Join(dir, "page.html")
	out, err := exec.Command("go", "build", "-o", program, "../../cmd/evalctl").CombinedOutput()
	g.Expect(err).NotTo(HaveOccurred(), string(out))
	report := exec.Command(program, "report", dir, "--format", "html="+html)
	start := time.Now()
	out, err = report.CombinedOutput()
	duration := time.Since(start)
	g.Expect(err).NotTo(HaveOccurred(), string(out))
	file, err := os.Stat(html)
	g.Expect(err).NotTo(HaveOccurred())
	maxResident := report.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
	t.Logf("100,000 trials, %d MB of traces: %.1f s (%.1f s of processors), %d MiB resident, %d bytes",
		traces.Size()/1e6, duration.Seconds(),
		(report.ProcessState.UserTime() + report.ProcessState.SystemTime()).Seconds(), maxResident, file.Size())
	g.Expect(file.Size()).To(BeNumerically("<=", page.DefaultMaxBytes))
	g.Expect(maxResident).To(BeNumerically("<", 200))
	g.Expect(duration).To(BeNumerically("<", 5*time.Second))
}

func writeRun(dir string, s shape) error {
	sum := s.summary()
	manifest, err := journal.Manifest{Suites: []json.RawMessage{json.RawMessage(`{}`)},
		Datasets: []journal.DatasetInfo{{}}}.WithHash()
	if err != nil {
		return err
	}
	log, err := journal.CreateRun(dir, manifest, func() error { return nil })
	if err != nil {
		return err
	}
	s.each(func(r eval.Result) {
		events := &r.Outcome.Turns[0].Events
		for i := range 45 {
			*events = append(*events,
				trace.Event{Offset: time.Duration(i) * 1e7, Kind: trace.KindChunk, Node: "chat", Text: "a piece"})
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
