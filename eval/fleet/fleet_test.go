package fleet_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/fleet"
	"evalctl/eval/fleet/broker"
	"evalctl/eval/journal"
)

var _ = Describe("A run on several workers", func() {
	quick := target(func(context.Context) (string, error) { return "好", nil })

	It("runs every trial once and leaves nothing on the broker", func() {
		url := startBroker(broker.Config{})
		p, k := newPlan(300, quick), &storedResults{}
		startWorker(p.worker(url, "a", 3))
		startWorker(p.worker(url, "b", 3))
		Expect(fleet.Coordinator{Conn: dial(url)}.Run(context.Background(), p.run(k))).To(Succeed())
		Expect(k.results).To(HaveLen(300))
		Expect(k.again).To(BeZero())
		for _, r := range k.results {
			Expect(r.Outcome.Turns[0].Reply.Content).To(Equal("好"))
			break
		}
		_, err := dial(url).Fetch(fleet.RunID(p.manifest()), GinkgoT().TempDir())
		Expect(err).To(MatchError(ContainSubstring("bucket not found")))
	})

	It("is executed before all runs that started later, regardless of the names of the runs", func() {
		conn := dial(startBroker(broker.Config{}))
		ids := []string{strings.Repeat("f0", 10), strings.Repeat("a1", 10), strings.Repeat("c2", 10)}
		for i, id := range ids {
			Expect(conn.Announce(context.Background(), id, time.Unix(int64(i), 0))).To(Succeed())
		}
		Expect(conn.Known(context.Background())).To(Equal(ids))
	})

	It("skips the trials that it already has when it is resumed", func() {
		url := startBroker(broker.Config{})
		p, k := newPlan(40, quick), &storedResults{}
		var played atomic.Int64
		var scored sync.Map
		p.condition.NewTarget = newPlan(1, func(context.Context) (string, error) { played.Add(1); return "", nil }).
			condition.NewTarget
		done := map[string]bool{}
		for t := range p.trials(5, 25) {
			done[t.Key()] = true
		}
		p.condition.Scorers = []eval.Scorer{scorer(func(c eval.Case) { scored.Store(c.ID, true) })}
		startWorker(p.worker(url, "a", 3))
		run := p.run(k)
		run.Skip = func(key string) bool { return done[key] }
		Expect(fleet.Coordinator{Conn: dial(url)}.Run(context.Background(), run)).To(Succeed())
		Expect(k.results).To(HaveLen(20))
		Expect(played.Load()).To(BeEquivalentTo(20))
		for i := range 40 {
			_, was := scored.Load(fmt.Sprint("c", i))
			Expect(was).To(Equal(i < 5 || i >= 25), "c%d: nothing is made ready for a trial that nobody plays", i)
		}
	})

	It("transfers a result that is larger than a message", func() {
		url := startBroker(broker.Config{})
		large := strings.Repeat("很", 4<<20)
		p, k := newPlan(1, func(context.Context) (string, error) { return large, nil }), &storedResults{}
		startWorker(p.worker(url, "a", 1))
		Expect(fleet.Coordinator{Conn: dial(url)}.Run(context.Background(), p.run(k))).To(Succeed())
		for _, r := range k.results {
			Expect(r.Outcome.Turns[0].Reply.Content == large).To(BeTrue())
		}
		Expect(k.results).To(HaveLen(1))
	})

	It("collects the results already sent when it is interrupted, stops the workers, and leaves nothing on the broker",
		func() {
			url := startBroker(broker.Config{})
			stuck := make(chan struct{})
			var n atomic.Int64
			p, k := newPlan(100, func(ctx context.Context) (string, error) {
				if n.Add(1) > 20 {
					close(stuck)
					<-ctx.Done()
				}
				return "", ctx.Err()
			}), &storedResults{}
			startWorker(p.worker(url, "a", 1))
			ctx, interrupt := context.WithCancel(context.Background())
			go func() { <-stuck; interrupt() }()
			Expect(fleet.Coordinator{Conn: dial(url)}.Run(ctx, p.run(k))).To(MatchError(context.Canceled))
			Expect(k.results).To(HaveLen(20))
			_, err := dial(url).Fetch(fleet.RunID(p.manifest()), GinkgoT().TempDir())
			Expect(err).To(MatchError(ContainSubstring("bucket not found")))
		})

	It("passes the remaining trials of a stopped worker to another worker, and runs none twice", func() {
		url := startBroker(broker.Config{})
		var n, played atomic.Int64
		reached := make(chan struct{})
		p, k := newPlan(16, func(ctx context.Context) (string, error) {
			if n.Add(1) == 6 { // in the middle of an assignment
				close(reached)
				<-ctx.Done()
				return "", ctx.Err()
			}
			played.Add(1)
			return "", nil
		}), &storedResults{}
		stop, done := startWorker(p.worker(url, "a", 1))
		go func() {
			<-reached
			stop()
			<-done
			startWorker(p.worker(url, "b", 1))
		}()
		Expect(fleet.Coordinator{Conn: dial(url)}.Run(context.Background(), p.run(k))).To(Succeed())
		Expect(k.results).To(HaveLen(16))
		Expect(played.Load()).To(BeEquivalentTo(16), "none was played twice")
	})

	It("shows in the coordinator's log why a worker cannot run it", func() {
		url := startBroker(broker.Config{})
		p, k := newPlan(3, quick), &storedResults{}
		w := p.worker(url, "a", 1)
		w.Once, w.NewJob = true, func(fleet.RunSpec, map[string]string) (fleet.Job, error) {
			return fleet.Job{}, errors.New("DEEPSEEK_API_KEY is not set\x1b[2J")
		}
		_, done := startWorker(w)
		go func() {
			defer GinkgoRecover()
			Eventually(k.text).Should(ContainSubstring("DEEPSEEK_API_KEY"))
			startWorker(p.worker(url, "b", 1))
		}()
		Expect(fleet.Coordinator{Conn: dial(url)}.Run(context.Background(), p.run(k))).To(Succeed())
		Expect(k.text()).To(ContainSubstring(
			`worker a reports: does not run it: DEEPSEEK_API_KEY is not set\x1b[2J`))
		Eventually(done).Should(Receive(MatchError(fleet.ErrRunRejected)))
	})

	It("drops and logs any number of results that do not belong to the run or to the case", func() {
		url := startBroker(broker.Config{})
		p, k := newPlan(40, quick), &storedResults{}
		conn, id := dial(url), fleet.RunID(p.manifest())
		Expect(conn.Ship(id, fleet.RunSpec{Manifest: []byte("{}")})).To(Succeed())
		for _, junk := range []string{"x", `{"trial":3}` + "\n{}\n{}\n", `{"trial":400,"object":"x"}` + "\n",
			`{"trial":5,"object":"none"}` + "\n"} {
			Expect(conn.Send(id, []byte(junk))).To(Succeed())
		}
		for t, err := range p.trials(0, 40) {
			Expect(err).NotTo(HaveOccurred())
			forged := t.EmptyResults()[0]
			forged.Tags = []string{"forged"}
			line, err := json.Marshal(forged)
			Expect(err).NotTo(HaveOccurred())
			for range 3 {
				Expect(conn.Send(id, fmt.Appendf(nil, "{\"trial\":%s}\n%s\n{\"key\":%q}\n", t.Case.ID[1:], line,
					t.Key()))).To(Succeed())
			}
		}
		startWorker(p.worker(url, "a", 1))
		Expect(fleet.Coordinator{Conn: conn}.Run(context.Background(), p.run(k))).To(Succeed())
		Expect(k.results).To(HaveLen(40))
		for _, r := range k.results {
			Expect(r.Tags).To(BeEmpty())
		}
		Expect(strings.Count(k.text(), "dropped a message from a worker that is not a result of this run")).
			To(Equal(1), k.text())
		Expect(k.text()).To(ContainSubstring("workers sent 124 results that are none of this run: they were dropped"))
	})

	It("ends if all results of one trial are invalid, and stores the results of the other trials",
		Label("long"), func() {
			url := startBroker(broker.Config{})
			var played atomic.Int64
			p, k := newPlan(40, func(context.Context) (string, error) { played.Add(1); return "好", nil }),
				&storedResults{}
			w := p.worker(url, "a", 1)
			w.NewJob = func(fleet.RunSpec, map[string]string) (fleet.Job, error) {
				other := func(from, to int64) iter.Seq2[eval.Trial, error] {
					return func(yield func(eval.Trial, error) bool) {
						for t, err := range p.trials(from, to) {
							if t.Case.ID == "c7" {
								t.Case.Tags = []string{"changed"}
							}
							if !yield(t, err) {
								return
							}
						}
					}
				}
				return fleet.Job{Trials: other, TotalTrials: 40, Runner: eval.Runner{Parallel: 1, Timeout: time.Minute},
					Close: func() error { return nil }}, nil
			}
			startWorker(w)
			Expect(fleet.Coordinator{Conn: dial(url)}.Run(context.Background(), p.run(k))).To(MatchError(
				"1 trial: assigned 3 times without a result: it belongs to another trial or case"))
			Expect(k.results).To(HaveLen(39))
			Expect(played.Load()).To(BeEquivalentTo(39 + 3))
		})

	It("ends if workers repeatedly acknowledge all trials without sending results", Label("long"), func() {
		url := startBroker(broker.Config{})
		p, k := newPlan(20, quick), &storedResults{}
		conn, id := dial(url), fleet.RunID(p.manifest())
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		go conn.Acknowledge(ctx, id)
		Expect(fleet.Coordinator{Conn: dial(url)}.Run(context.Background(), p.run(k))).To(MatchError(
			"20 trials: assigned 3 times without a result: the workers report that all trials are done"))
	})

	It("ends if the broker is unreachable for too long; a stopped worker with unsent results also ends",
		Label("long"), func() {
			const brief = 500 * time.Millisecond
			b, url := startStoppableBroker(broker.Config{})
			p, k := newPlan(5_000, func(context.Context) (string, error) { return "好", nil }), &storedResults{}
			w := p.worker(url, "a", 2)
			w.Conn = patient(url, brief)
			stop, done := startWorker(w)
			heard := &logLines{}
			conn, err := fleet.Dial(context.Background(),
				fleet.Address{URL: url, ReconnectTimeout: brief, RequestTimeout: brief}, heard.tell)
			Expect(err).NotTo(HaveOccurred())
			run := p.run(k)
			add := run.AddResult
			var once sync.Once
			run.AddResult = func(r eval.Result, n int) error {
				once.Do(func() { go b.Close() })
				return add(r, n)
			}
			Expect(fleet.Coordinator{Conn: conn}.Run(context.Background(), run)).
				To(MatchError(HavePrefix("the broker at " + url +
					" was waited for for 500ms, and takes nothing: see that it runs and that its disk has room: ")))
			Expect(heard.text()).To(ContainSubstring("is gone: waiting for it for up to 500ms"))
			stop()
			Eventually(done).Should(Receive(MatchError(context.Canceled)))
		})

	It("continues after a worker has received invalid assignments", func() {
		url := startBroker(broker.Config{})
		p, k := newPlan(40, quick), &storedResults{}
		conn, id := dial(url), fleet.RunID(p.manifest())
		Expect(conn.Ship(id, fleet.RunSpec{Manifest: []byte("{}")})).To(Succeed())
		for _, forged := range []string{"x", `{"ranges":[{"from":0,"to":41}]}`,
			`{"ranges":[{"from":0,"to":1}],"of":"1"}`} {
			Expect(conn.SendAssignment(id, []byte(forged))).To(Succeed())
		}
		startWorker(p.worker(url, "a", 1))
		Expect(fleet.Coordinator{Conn: conn}.Run(context.Background(), p.run(k))).To(Succeed())
		Expect(k.results).To(HaveLen(40))
		Expect(k.text()).NotTo(ContainSubstring("does not play"))
	})

	It("ends at the first result that cannot be stored", func() {
		url := startBroker(broker.Config{})
		p, k := newPlan(40, quick), &storedResults{}
		startWorker(p.worker(url, "a", 1))
		run := p.run(k)
		run.Sync = func() error { return errors.New("disk full") }
		Expect(fleet.Coordinator{Conn: dial(url)}.Run(context.Background(), run)).To(MatchError("disk full"))
	})
})

var _ = Describe("A coordinator", func() {
	quick := target(func(context.Context) (string, error) { return "好", nil })

	It("logs that it waits for workers, and returns an error while another coordinator leads the same run",
		Label("long"), func() {
			url := startBroker(broker.Config{})
			p, k, second := newPlan(3, quick), &storedResults{}, &storedResults{}
			first := make(chan error, 1)
			go func() { first <- fleet.Coordinator{Conn: dial(url)}.Run(context.Background(), p.run(k)) }()
			Eventually(k.text).Should(Equal("waiting for workers at " + url))
			Expect(fleet.Coordinator{Conn: dial(url)}.Run(context.Background(), p.run(second))).
				To(MatchError("another coordinator leads this run"))
			startWorker(p.worker(url, "a", 1))
			Eventually(first).Should(Receive(BeNil()))
			Expect(k.results).To(HaveLen(3))
			Expect(fleet.Coordinator{Conn: dial(url)}.Run(context.Background(), p.run(second))).To(Succeed())
		})

	It("logs nothing about the broker while it closes its own connection", func() {
		heard := &logLines{}
		conn, err := fleet.Dial(context.Background(), fleet.Address{URL: startBroker(broker.Config{})}, heard.tell)
		Expect(err).NotTo(HaveOccurred())
		conn.Close()
		Consistently(heard.text, "200ms").Should(BeEmpty())
	})
})

var _ = Describe("The directories of killed workers", func() {
	It("are removed when another worker starts, unless they are in use", func() {
		dir := GinkgoT().TempDir()
		GinkgoT().Setenv("TMPDIR", dir)
		used, left, young := filepath.Join(dir, "evalctl-worker-1"), filepath.Join(dir, "evalctl-worker-2"),
			filepath.Join(dir, "evalctl-worker-3")
		old := time.Now().Add(-time.Hour)
		for _, one := range []string{used, left, young} {
			Expect(os.MkdirAll(filepath.Join(one, "0"), 0o700)).To(Succeed())
			if one != young {
				Expect(os.Chtimes(one, old, old)).To(Succeed())
			}
		}
		hold, err := journal.LockFile(used)
		Expect(err).NotTo(HaveOccurred())
		defer hold.Close()
		startWorker(newPlan(1, nil).worker(startBroker(broker.Config{}), "a", 1))
		Eventually(left).ShouldNot(BeADirectory())
		Expect(used).To(BeADirectory())
		Expect(young).To(BeADirectory())
	})
})

var _ = Describe("The files of a run", func() {
	It("are transferred to workers only from the paths that the suites use", func() {
		conn, from, to := dial(startBroker(broker.Config{})), GinkgoT().TempDir(), GinkgoT().TempDir()
		Expect(os.MkdirAll(filepath.Join(from, "papers", "deep"), 0o700)).To(Succeed())
		for _, name := range []string{"cases.jsonl", "papers/a.md", "papers/deep/b.md"} {
			Expect(os.WriteFile(filepath.Join(from, name), []byte("in "+name), 0o600)).To(Succeed())
		}
		roots, err := fleet.ListFiles([]string{filepath.Join(from, "cases.jsonl"), filepath.Join(from, "papers"),
			filepath.Join(from, "none")})
		Expect(err).NotTo(HaveOccurred())
		Expect(conn.Ship("1", fleet.RunSpec{Manifest: []byte("{}"), Files: roots})).To(Succeed())
		at, err := conn.Fetch("1", to)
		Expect(err).NotTo(HaveOccurred())
		Expect(at).To(HaveLen(3))
		Expect(filepath.Base(at[filepath.Join(from, "cases.jsonl")])).To(Equal("cases.jsonl"))
		Expect(os.ReadFile(at[filepath.Join(from, "cases.jsonl")])).To(BeEquivalentTo("in cases.jsonl"))
		Expect(os.ReadFile(filepath.Join(at[filepath.Join(from, "papers")], "deep", "b.md"))).
			To(BeEquivalentTo("in papers/deep/b.md"))
		Expect(at[filepath.Join(from, "none")]).NotTo(BeAnExistingFile())
		for _, path := range at {
			Expect(path).To(HavePrefix(to))
		}
	})

	It("are listed in a specification; an unknown field in it is an error", func() {
		conn := dial(startBroker(broker.Config{}))
		Expect(conn.Ship("1", fleet.RunSpec{Manifest: []byte("{}")})).To(Succeed())
		Expect(conn.Put("1", "order", []byte(`{"manifest":{},"roots":null,"lost_ns":1,"more":2}`))).To(Succeed())
		_, err := conn.Fetch("1", GinkgoT().TempDir())
		Expect(err).To(MatchError(And(HavePrefix("order: "), ContainSubstring(`unknown object member name "more"`))))
	})

	It("have a limited total size", func() {
		large := filepath.Join(GinkgoT().TempDir(), "large")
		Expect(os.WriteFile(large, nil, 0o600)).To(Succeed())
		Expect(os.Truncate(large, fleet.MaxFiles+1)).To(Succeed())
		_, err := fleet.ListFiles([]string{large})
		Expect(err).To(MatchError(large + ": the files of the run are more than 10000, or 64 MiB, which workers get"))
	})

	It("cannot be written outside the worker's directory", func() {
		conn, dir := dial(startBroker(broker.Config{})), GinkgoT().TempDir()
		to := filepath.Join(dir, "in")
		Expect(os.Mkdir(to, 0o700)).To(Succeed())
		from := filepath.Join(dir, "x", "y")
		Expect(os.MkdirAll(from, 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(dir, "out"), []byte("old"), 0o600)).To(Succeed())
		Expect(conn.Ship("1", fleet.RunSpec{Manifest: []byte("{}"),
			Files: []fleet.FileSet{{Path: from, Files: []string{"../../out"}}}})).To(Succeed())
		Expect(os.WriteFile(filepath.Join(dir, "out"), []byte("new"), 0o600)).To(Succeed())
		_, err := conn.Fetch("1", filepath.Join(to))
		Expect(err).To(MatchError(`"../../out" is not a path in a directory`))
		Expect(os.ReadFile(filepath.Join(dir, "out"))).To(BeEquivalentTo("new"))
	})
})

var _ = Describe("A broker", func() {
	It("rejects clients without its token", func() {
		url := startBroker(broker.Config{Token: "open-sesame"})
		_, err := fleet.Dial(context.Background(), fleet.Address{URL: url, Token: "guess"}, func(string) {})
		Expect(err).To(MatchError(ContainSubstring("refuses: give its token or user")))
		for _, a := range []fleet.Address{{URL: url, Token: "open-sesame"},
			{URL: strings.Replace(url, "//", "//open-sesame@", 1)}} {
			conn, err := fleet.Dial(context.Background(), a, func(string) {})
			Expect(err).NotTo(HaveOccurred())
			conn.Close()
		}
	})

	It("requires a token if it listens on a public address", func() {
		_, err := broker.Start(broker.Config{Dir: GinkgoT().TempDir(), Addr: "0.0.0.0:0", Warn: func(string) {}})
		Expect(err).To(MatchError(
			"0.0.0.0:0: other machines can connect: set a token in $NATS_TOKEN, for the broker and the workers"))
	})

	It("may be started after its clients, which log that they wait for it", func() {
		ctx, cancel := context.WithCancel(context.Background())
		heard := &logLines{}
		go func() {
			defer GinkgoRecover()
			defer cancel()
			Eventually(heard.text).Should(And(ContainSubstring("waiting for the broker at nats://"),
				Not(ContainSubstring("secret-token"))))
		}()
		_, err := fleet.Dial(ctx, fleet.Address{URL: "nats://secret-token@127.0.0.1:1"}, heard.tell)
		Expect(err).To(MatchError(context.Canceled))
	})
})
