package view_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/cmd/evalctl/view"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
)

func TestView(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(20 * time.Second) // enough for slow machines
	RunSpecs(t, "View")
}

// liveRun is an unfinished run to which the test adds results.
type liveRun struct {
	dir      string
	manifest journal.Manifest
	log      *journal.Writer
}

// startRun starts an unfinished run of ten cases with two variants.
func startRun(dir string) *liveRun {
	GinkgoHelper()
	m, err := journal.Manifest{Version: "test", Status: journal.StatusRunning, Clock: "simulated", Seed: 7,
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Suites: []json.RawMessage{json.RawMessage(
			`{"name":"mine","target":"toolrouter","dataset":"/data/mine.jsonl","variants":[{"name":"rules","router":"rules"},{"name":"llm","router":"llm"}]}`)},
		Datasets: []journal.DatasetInfo{{Name: "mine", Hash: "h", Cases: 10}}}.WithHash()
	Expect(err).NotTo(HaveOccurred())
	log, err := journal.CreateRun(dir, m, func() error { return nil })
	Expect(err).NotTo(HaveOccurred())
	return &liveRun{dir: dir, manifest: m, log: log}
}

// add adds n cases, starting with case number from. Every fifth case is wrong.
func (p *liveRun) add(from, n int) {
	GinkgoHelper()
	for i := from; i < from+n; i++ {
		for _, variant := range []string{"rules", "llm"} {
			Expect(p.log.Add(trial(i, variant))).To(Succeed())
		}
	}
}

func trial(i int, variant string) eval.Result {
	right := i%5 != 0
	got := "chat"
	if !right {
		got = "search"
	}
	return eval.Result{Key: fmt.Sprintf("%s-%d", variant, i), Suite: "mine", Case: fmt.Sprintf("case-%d", i),
		Variant: variant, Fault: eval.NoFault, Epoch: 1,
		Text: "what of it?", Expected: eval.OneOf{"chat"}, Predicted: got, AnsweredBy: got, Correct: &right,
		Turns: []eval.TurnSummary{{Answered: true}},
		Scores: []eval.Score{{Name: eval.RouteScore, Turn: 1, Actual: got, Expected: eval.OneOf{"chat"},
			Verdict: eval.PassIf(right)}},
		Outcome: eval.Outcome{Turns: []eval.TurnResult{{Input: agent.Turn{Text: "what of it?"},
			Reply: agent.Reply{Content: fmt.Sprintf("%s answers %d", variant, i)}}}}}
}

// end writes the end of the run to its files.
func (p *liveRun) end() {
	GinkgoHelper()
	r, err := runs.OpenPartial(p.dir)
	Expect(err).NotTo(HaveOccurred())
	sum, err := r.Recompute()
	Expect(err).NotTo(HaveOccurred())
	sum.Partial = false
	Expect(journal.WriteJSON(filepath.Join(p.dir, journal.SummaryFile), sum)).To(Succeed())
	p.manifest.Status = journal.StatusDone
	Expect(p.manifest.Write(p.dir)).To(Succeed())
	Expect(p.log.Close()).To(Succeed())
}

// finishedRuns returns a directory that contains one finished run, named "old".
func finishedRuns() string {
	GinkgoHelper()
	dir := GinkgoT().TempDir()
	p := startRun(filepath.Join(dir, "old"))
	p.add(0, 10)
	p.end()
	return dir
}

// clientKey is the context key for the name of the client, in tests with several clients.
type clientKey struct{}

// startServer starts a server that is stopped at the end of the test.
func startServer(cfg view.Config) *httptest.Server {
	GinkgoHelper()
	s, err := view.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), clientKey{}, r.URL.Query().Get("who"))))
	}))
	DeferCleanup(server.Close)
	return server
}

// get sends a GET request with these headers and returns the response and its body.
func get(server *httptest.Server, path string, headers ...string) (*http.Response, string) {
	GinkgoHelper()
	return request(server, http.MethodGet, path, headers...)
}

func request(server *httptest.Server, method, path string, headers ...string) (*http.Response, string) {
	GinkgoHelper()
	r, err := http.NewRequestWithContext(context.Background(), method, server.URL+path, nil)
	Expect(err).NotTo(HaveOccurred())
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	resp, err := server.Client().Do(r)
	Expect(err).NotTo(HaveOccurred())
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	Expect(err).NotTo(HaveOccurred())
	return resp, strings.ReplaceAll(string(body), "<wbr>", "") // where a browser may break a name
}

func status(server *httptest.Server, path string, headers ...string) int {
	GinkgoHelper()
	resp, _ := get(server, path, headers...)
	return resp.StatusCode
}

func write(path, text string) {
	GinkgoHelper()
	Expect(os.MkdirAll(filepath.Dir(path), 0o755)).To(Succeed())
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
}
