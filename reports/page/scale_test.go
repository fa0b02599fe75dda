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

// maxTimesJSON is the maximum processor time of a page, as a multiple of that of the report in JSON, which
// reads the results, but no traces. Measured: 1.8 to 1.9.
const maxTimesJSON = 3

// TestHTMLScale writes the page of a run with 100,000 trials, all with different texts. It fails if
// this takes much more time than the report in JSON, or more than 200 MiB.
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
	write := func(format string) (*os.ProcessState, time.Duration) {
		report := exec.Command(program, "report", dir, "--format", format)
		start := time.Now()
		out, err := report.CombinedOutput()
		g.Expect(err).NotTo(HaveOccurred(), string(out))
		return report.ProcessState, time.Since(start)
	}
	processors := func(p *os.ProcessState) float64 { return (p.UserTime() + p.SystemTime()).Seconds() }
	reference, _ := write("json=" + filepath.Join(dir, "report.json"))
	made, duration := write("html=" + html)
	file, err := os.Stat(html)
	g.Expect(err).NotTo(HaveOccurred())
	maxResident := made.SysUsage().(*syscall.Rusage).Maxrss >> 10
	ratio := processors(made) / processors(reference)
	t.Logf("100,000 trials, %d MB of traces: %.1f s (%.1f s of processors, %.1f times the report in JSON), %d MiB resident, %d bytes",
		traces.Size()/1e6, duration.Seconds(), processors(made), ratio, maxResident, file.Size())
	g.Expect(file.Size()).To(BeNumerically("<=", page.DefaultMaxBytes))
	g.Expect(maxResident).To(BeNumerically("<", 200))
	g.Expect(ratio).To(BeNumerically("<", maxTimesJSON))
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
