package fleet_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/fleet"
	"evalctl/eval/fleet/broker"
	"evalctl/eval/journal"
)

func TestFleet(t *testing.T) {
	RegisterFailHandler(Fail)
	SetDefaultEventuallyTimeout(20 * time.Second) // long enough for a busy machine
	RunSpecs(t, "Fleet")
}

var _ = BeforeEach(func() {
	if slices.Contains(CurrentSpecReport().Labels(), "long") && os.Getenv("EVALCTL_LONG") == "" {
		Skip("make long runs it")
	}
})

// logLines collects log lines from several goroutines.
type logLines struct {
	mu    sync.Mutex
	lines []string
}

func (t *logLines) tell(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, text)
}

func (t *logLines) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines, "\n")
}

// startBroker starts a broker that is stopped after the test, and returns its URL.
func startBroker(c broker.Config) string {
	GinkgoHelper()
	_, url := startStoppableBroker(c)
	return url
}

// startStoppableBroker starts a broker that the test may stop earlier.
func startStoppableBroker(c broker.Config) (b *broker.Broker, url string) {
	GinkgoHelper()
	c.Dir, c.Addr, c.Warn = GinkgoT().TempDir(), "127.0.0.1:0", func(string) {}
	b, err := broker.Start(c)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(b.Close)
	return b, b.URL()
}

func dial(url string) *fleet.Conn { return patient(url, 0) }

func patient(url string, patience time.Duration) *fleet.Conn {
	GinkgoHelper()
	conn, err := fleet.Dial(context.Background(), fleet.Address{URL: url, RequestTimeout: patience}, func(string) {})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(conn.Close)
	return conn
}

// target is an evaluated target that answers with the result of a function.
type target func(ctx context.Context) (string, error)

func (t target) Run(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
	text, err := t(ctx)
	return eval.Outcome{Turns: []eval.TurnResult{{Input: turns[0], Reply: agent.Reply{Content: text}}}}, err
}

// scorer is a scorer that calls a function for each scored case.
type scorer func(eval.Case)

func (s scorer) Score(_ context.Context, c eval.Case, _ eval.Outcome) (eval.Score, error) {
	s(c)
	return eval.Score{}, nil
}

// plan is a run with a given number of cases.
type plan struct {
	n         int
	condition *eval.Condition
}

func newPlan(n int, play target) plan {
	return plan{n: n, condition: &eval.Condition{Suite: "s", Variant: "v", Fault: eval.NoFault,
		NewTarget: func(eval.Trial) (eval.Target, error) { return play, nil }}}
}

func (p plan) trials(from, to int64) iter.Seq2[eval.Trial, error] {
	return func(yield func(eval.Trial, error) bool) {
		for i := from; i < min(to, int64(p.n)); i++ {
			c := eval.Case{ID: fmt.Sprint("c", i), Turns: []eval.LabeledTurn{{Turn: agent.Turn{Text: "你好"}}}}
			if !yield(eval.Trial{Condition: p.condition, Case: c, Epoch: 1}, nil) {
				return
			}
		}
	}
}

func (p plan) manifest() journal.Manifest {
	return journal.Manifest{ManifestHash: CurrentSpecReport().FullText(), Started: time.Unix(1, 0)}
}

// storedResults contains the results that a coordinator has stored.
type storedResults struct {
	logLines
	results map[string]eval.Result
	again   int
}

// run returns the run that the coordinator distributes.
func (p plan) run(k *storedResults) fleet.Run {
	k.results = map[string]eval.Result{}
	return fleet.Run{Manifest: p.manifest(), Trials: p.trials(0, int64(p.n)), Sync: func() error { return nil },
		Log: k.tell,
		AddResult: func(r eval.Result, _ int) error {
			k.mu.Lock()
			defer k.mu.Unlock()
			if _, again := k.results[r.Key]; again {
				k.again++
			}
			k.results[r.Key] = r
			return nil
		}}
}

// worker returns a worker for the run that runs parallel trials at a time.
func (p plan) worker(url, name string, parallel int) fleet.Worker {
	return fleet.Worker{Conn: dial(url), Name: name, Log: func(string) {},
		NewJob: func(o fleet.RunSpec, _ map[string]string) (fleet.Job, error) {
			var m journal.Manifest
			return fleet.Job{Trials: p.trials, TotalTrials: int64(p.n),
					Runner: eval.Runner{Parallel: parallel, Timeout: time.Minute}, Close: func() error { return nil }},
				json.Unmarshal(o.Manifest, &m)
		}}
}

// startWorker starts a worker. stop ends it; done receives the error that it returns.
func startWorker(w fleet.Worker) (stop func(), done chan error) {
	ctx, stop := context.WithCancel(context.Background())
	done = make(chan error, 1)
	go func() { done <- w.Run(ctx); close(done) }()
	DeferCleanup(func() {
		stop()
		Eventually(done).Should(BeClosed())
	})
	return stop, done
}
