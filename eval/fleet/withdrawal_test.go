package fleet_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/fleet"
	"evalctl/eval/fleet/broker"
)

var _ = Describe("15.3: a run that another client deletes from the broker", func() {
	quick := target(func(context.Context) (string, error) { return "好", nil })

	// startCoordinator starts the coordinator of a run with two trials, without workers.
	startCoordinator := func(url string, lost time.Duration, k *storedResults) (p plan, done chan error) {
		GinkgoHelper()
		p = newPlan(2, quick)
		ctx, stop := context.WithCancel(context.Background())
		done = make(chan error, 1)
		conn := dial(url)
		go func() { done <- fleet.Coordinator{Conn: conn, WorkerTimeout: lost}.Run(ctx, p.run(k)) }()
		DeferCleanup(stop)
		Eventually(func() ([]string, error) { return conn.Known(context.Background()) }).Should(HaveLen(1))
		return p, done
	}

	DescribeTable("is reported, and ends with an error if no worker runs its trials for the stated time",
		func(part string) {
			url, k := startBroker(broker.Config{}), &storedResults{}
			p, done := startCoordinator(url, 100*time.Millisecond, k)
			Expect(dial(url).Withdraw(fleet.RunID(p.manifest()), part)).To(Succeed())
			Eventually(done).Should(
				Receive(MatchError("another client of the broker at " + url +
					" withdrew this run, and no worker took part for 400ms")))
			Expect(k.text()).To(ContainSubstring("another client of the broker at " + url +
				" withdrew this run: it is announced again, and ends if no worker takes part for 400ms"))
		}, Entry(nil, "announcements"), Entry(nil, "queues"), Entry(nil, "everything"))

	DescribeTable("continues when a worker starts later", func(part string) {
		url, k := startBroker(broker.Config{}), &storedResults{}
		p, done := startCoordinator(url, time.Second, k)
		Expect(dial(url).Withdraw(fleet.RunID(p.manifest()), part)).To(Succeed())
		w := p.worker(url, "a", 1)
		w.Once = true
		_, worked := startWorker(w)
		Eventually(done).Should(Receive(BeNil()))
		Expect(k.results).To(HaveLen(2))
		Eventually(worked).Should(Receive(BeNil()))
	}, Entry(nil, "announcement"), Entry(nil, "everything"))

	It("continues with the workers that it has", func() {
		url, k := startBroker(broker.Config{}), &storedResults{}
		p := newPlan(60, quick)
		id := fleet.RunID(p.manifest())
		other := dial(url)
		var once sync.Once
		run := p.run(k)
		add := run.AddResult
		run.AddResult = func(r eval.Result, n int) error {
			once.Do(func() { Expect(other.Withdraw(id, "announcement")).To(Succeed()) })
			return add(r, n)
		}
		w := p.worker(url, "a", 1)
		w.Once = true
		_, worked := startWorker(w)
		Expect(fleet.Coordinator{Conn: dial(url), WorkerTimeout: time.Second}.Run(context.Background(), run)).
			To(Succeed())
		Expect(k.results).To(HaveLen(60))
		Eventually(worked).Should(Receive(BeNil()))
	})

	It("makes a worker for a single run return an error if its coordinator stops or dies", func() {
		url := startBroker(broker.Config{})
		for _, stops := range []bool{true, false} {
			reached := make(chan struct{}, 1)
			p, k := newPlan(2, func(ctx context.Context) (string, error) {
				reached <- struct{}{}
				<-ctx.Done()
				return "", ctx.Err()
			}), &storedResults{}
			w := p.worker(url, "a", 1)
			w.Once = true
			heard := &logLines{}
			w.Log = heard.tell
			ctx, stop := context.WithCancel(context.Background())
			conn, over := dial(url), make(chan error, 1)
			go func() { over <- fleet.Coordinator{Conn: conn, WorkerTimeout: time.Second}.Run(ctx, p.run(k)) }()
			_, worked := startWorker(w)
			<-reached
			if !stops {
				conn.Close() // as after a kill
				Expect(dial(url).Withdraw(fleet.RunID(p.manifest()), "announcement")).To(Succeed())
			} else {
				stop()
			}
			Eventually(worked).Should(Receive(MatchError(fleet.ErrRunAborted)))
			Expect(heard.text()).To(ContainSubstring("the run did not end: "))
			stop()
			Eventually(over).Should(Receive())
			Expect(dial(url).Withdraw(fleet.RunID(p.manifest()), "everything")).To(Or(Succeed(), HaveOccurred()))
		}
	})
})

var _ = It("15.10: a coordinator rejects the results of a worker that sends too many different score names", func() {
	url := startBroker(broker.Config{})
	p, k := newPlan(40, target(func(context.Context) (string, error) { return "好", nil })), &storedResults{}
	for i := range 10 {
		p.condition.Scorers = append(p.condition.Scorers, inventor(i))
	}
	startWorker(p.worker(url, "a", 1))
	Expect(fleet.Coordinator{Conn: dial(url)}.Run(context.Background(), p.run(k))).To(MatchError(ContainSubstring(
		"the results have more than 256 different score names, such as \"c")))
	names := map[string]bool{}
	for _, r := range k.results {
		for _, s := range r.Scores {
			names[s.Name] = true
		}
	}
	Expect(len(names)).To(And(BeNumerically(">", 0), BeNumerically("<=", 256)))
})

// inventor is a scorer that uses a different score name for each case.
type inventor int

func (i inventor) Score(_ context.Context, c eval.Case, _ eval.Outcome) (eval.Score, error) {
	return eval.Score{Name: fmt.Sprint(c.ID, " invented ", int(i))}, nil
}
