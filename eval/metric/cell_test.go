package metric_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/metric"
)

const ms = eval.Millis(time.Millisecond)

// taking is a trial that took so many milliseconds.
func taking(id string, took eval.Millis) eval.Result {
	r := row(id)
	r.Took = took * ms
	return r
}

// someTrial is a trial of every kind, by its number.
func someTrial(i int) eval.Result {
	d := rand.New(rand.NewPCG(uint64(i), 1))
	labels := []string{"image_gen", "web_search", "time_query", "chat"}
	id := fmt.Sprintf("case-%06d", i)
	r := judged(id, labels[d.IntN(4)], labels[d.IntN(4)])
	switch d.IntN(10) {
	case 0:
		r = lost(id, eval.ErrorKinds()[d.IntN(6)], labels[d.IntN(4)])
	case 1:
		r.Fallbacks = []eval.Fallback{{From: "router", To: "rules", Reason: "timeout"}}
		r.Scores = append(r.Scores, eval.Score{Name: "fallback", Verdict: eval.PassIf(d.IntN(2) == 0)})
	}
	r.Took = eval.Millis(d.IntN(30_000)) * ms
	ttft := r.Took / 3
	r.TTFT = &ttft
	r.Nodes = []eval.NodeTime{{Node: "router", Took: r.Took / 2, Calls: 1}, {Node: "chat", Took: r.Took / 5, Calls: 1}}
	r.Source = []string{"llm", "rules", "gate"}[d.IntN(3)]
	r.Calls, r.Tokens = int64(d.IntN(5)), eval.Tokens{In: int64(d.IntN(900)), Out: int64(d.IntN(90))}
	r.Scores = append(r.Scores, eval.Score{Name: "slots.subject", Verdict: []eval.Verdict{eval.Pass, eval.Fail, eval.Unjudged}[d.IntN(3)]})
	r.Failure = []string{"", "BUSY", "MASK_REQUIRED"}[d.IntN(3)]
	r.Loops = someLoops(d)
	return r
}

// someLoops are up to four rounds of a Critic loop in each of two turns, that
// may end in any way.
func someLoops(d *rand.Rand) (list []eval.Loop) {
	for turn := range 2 {
		n := d.IntN(5)
		for i := range n {
			l := eval.Loop{Turn: turn + 1, Loop: i + 1, Score: d.Float64(), By: "llm", Added: eval.Millis(d.Int64N(1e10)), Calls: 1}
			if d.IntN(2) == 0 {
				l.Good = new(d.IntN(2) == 0)
			}
			if i == n-1 {
				l.Passed = d.IntN(2) == 0
				l.Exhausted = !l.Passed && d.IntN(2) == 0
				l.By = []string{"llm", "none"}[d.IntN(2)]
			}
			list = append(list, l)
		}
	}
	return list
}

var _ = Describe("A cell", func() {
	It("counts errors by kind, and the share that is missing", func() {
		m := of(judged("a", "chat", "chat"), lost("b", eval.ProviderError, "chat"), lost("c", eval.ProviderError, "chat"),
			lost("d", eval.TimeoutError, "chat"), lost("e", eval.HarnessError, "chat")).Metrics
		expectShare(m["missing.rate"], 4, 5, 0)
		for kind, want := range map[eval.ErrorKind]float64{eval.ProviderError: 2, eval.TimeoutError: 1, eval.HarnessError: 1,
			eval.AgentError: 0, eval.ScorerError: 0, eval.CanceledError: 0} {
			e := m["errors."+string(kind)]
			Expect(*e.Value).To(Equal(want), string(kind))
			Expect(e.N).To(Equal(int64(5)))
		}
	})

	It("tells who decided", func() {
		by := func(source string) func(string) eval.Result {
			return func(id string) eval.Result { r := row(id); r.Source = source; return r }
		}
		all := append(several(5, "a", by("llm")), several(3, "b", by("rules"))...)
		all = append(all, append(several(2, "c", by("gate")), row("nobody"))...)
		m := of(all...).Metrics
		expectShare(m["router.by.llm"], 5, 10, 0)
		expectShare(m["router.by.rules"], 3, 10, 0)
		expectShare(m["router.by.gate"], 2, 10, 0)
	})

	It("tells how often the agent stepped down, recovered, and answered as expected", func() {
		stepped := func(id string) eval.Result {
			r := row(id)
			r.Fallbacks = []eval.Fallback{{From: "image_gen", To: "chat", Reason: "server"}}
			return r
		}
		expected := func(id string, v eval.Verdict) eval.Result {
			r := stepped(id)
			r.Scores = []eval.Score{{Name: "fallback", Verdict: v, Want: eval.OneOf{"chat"}}}
			return r
		}
		sorry := stepped("sorry") // an apology is no recovery
		sorry.Failure = "EXECUTOR_FAILED"
		dead := stepped("dead")
		dead.Error = &eval.Error{Kind: eval.ProviderError}
		m := of(row("plain"), stepped("a"), expected("b", eval.Pass), expected("c", eval.Fail), expected("d", eval.Unjudged), sorry, dead).Metrics
		expectShare(m["fallback.rate"], 6, 7, 0)
		expectShare(m["fallback.recovered"], 4, 6, 0)
		expectShare(m["fallback.correct"], 1, 2, 1)
		Expect(of(row("plain")).Metrics).NotTo(Or(HaveKey("fallback.recovered"), HaveKey("fallback.correct")))
	})

	It("has exact quantiles and means of the times", func() {
		var all []eval.Result
		for i := range 100 {
			all = append(all, taking(fmt.Sprint(i), eval.Millis(i+1)))
		}
		m := of(all...).Metrics
		for p, want := range map[string]float64{"p50": 50, "p90": 90, "p95": 95, "p99": 99, "mean": 50.5} {
			Expect(*m["latency."+p].Value).To(Equal(want), p)
			Expect(m["latency."+p].N).To(Equal(int64(100)))
		}
		Expect(*m["latency.p50"].Lo).To(BeNumerically("<", 50))
		Expect(*m["latency.p50"].Hi).To(BeNumerically(">", 50))
		Expect(m).NotTo(HaveKey("ttft.p50"))
	})

	It("takes the epochs of a case for one observation in its intervals", func() {
		once := metric.NewTable([]eval.SuiteSummary{{Name: "s", Epochs: 1, Variants: []eval.CellSummary{{Name: "v", Fault: eval.NoFault}}}})
		thrice := metric.NewTable([]eval.SuiteSummary{{Name: "s", Epochs: 3, Variants: []eval.CellSummary{{Name: "v", Fault: eval.NoFault}}}})
		for i := range 200 {
			r := taking(fmt.Sprint(i), eval.Millis(i+1))
			if i%4 == 0 {
				r.Fallbacks = []eval.Fallback{{From: "router", To: "rules", Reason: "timeout"}}
			}
			Expect(once.Add(r)).To(Succeed())
			for r.Epoch = range 3 {
				Expect(thrice.Add(r)).To(Succeed())
			}
		}
		a, b := once.Close().Suites[0].Variants[0].Metrics, thrice.Close().Suites[0].Variants[0].Metrics
		for _, name := range []string{"fallback.rate", "missing.rate", "latency.p50", "latency.p95"} {
			Expect(b[name].N).To(Equal(3*a[name].N), name)
			Expect(*b[name].Value).To(Equal(*a[name].Value), name)
			Expect(*b[name].Lo).To(BeNumerically("~", *a[name].Lo, 1e-12), name)
			Expect(*b[name].Hi).To(BeNumerically("~", *a[name].Hi, 1e-12), name)
		}
	})

	It("bounds quantiles by the trials that have no answer: were they slower, or faster, than all", func() {
		var all []eval.Result
		for i := range 95 {
			all = append(all, taking(fmt.Sprint(i), eval.Millis(i+1)))
		}
		for i := range 5 {
			lost := taking(fmt.Sprint("lost", i), 0)
			lost.Error = &eval.Error{Kind: eval.ProviderError}
			all = append(all, lost)
		}
		m := of(all...).Metrics
		Expect(*m["latency.p50"].Value).To(Equal(48.0)) // rank ⌈0.5·95⌉ of what was measured
		Expect(*m["latency.p50"].Worst).To(Equal(50.0))
		Expect(*m["latency.p50"].Best).To(Equal(45.0))
		Expect(*m["latency.p95"].Worst).To(Equal(95.0))
		Expect(m["latency.p99"].Worst).To(BeNil()) // it would be one of the missing
		Expect(m["latency.p99"].Missing).To(Equal(int64(5)))
	})

	It("T5: times the first piece of the answer and each node; a failure counts to its node alone", func() {
		first := 300 * ms
		ok, failed := taking("a", 1000), taking("b", 60_000)
		ok.TTFT, ok.Nodes = &first, []eval.NodeTime{{Node: "chat", Took: 700 * ms}}
		failed.Error = &eval.Error{Kind: eval.TimeoutError}
		failed.Nodes = []eval.NodeTime{{Node: "chat", Took: 60_000 * ms}}
		m := of(ok, failed).Metrics
		Expect(*m["ttft.p50"].Value).To(Equal(300.0))
		Expect(*m["latency.p99"].Value).To(Equal(1000.0))
		Expect(m["latency.p99"].N).To(Equal(int64(1)))
		Expect(*m["node.chat.p99"].Value).To(Equal(60_000.0))
		Expect(m["node.chat.p99"].N).To(Equal(int64(2)))
	})

	It("sums tokens, and calls per trial", func() {
		a, b := row("a"), row("b")
		a.Calls, a.Tokens = 3, eval.Tokens{In: 100, Out: 20}
		b.Calls, b.Tokens = 2, eval.Tokens{In: 50, Out: 5}
		m := of(a, b).Metrics
		Expect(*m["tokens.in"].Value).To(Equal(150.0))
		Expect(*m["tokens.out"].Value).To(Equal(25.0))
		Expect(*m["calls.mean"].Value).To(Equal(2.5))
	})

	It("has no value for what nothing was measured of", func() {
		m := of().Metrics
		for _, name := range []string{"route.accuracy", "route.macro_f1", "missing.rate", "fallback.rate", "latency.p95", "router.by.llm"} {
			Expect(m).To(HaveKey(name))
			Expect(m[name].Value).To(BeNil(), name)
			Expect(m[name].N).To(BeZero(), name)
		}
	})
})

var _ = Describe("Table", func() {
	It("keeps cells apart and refuses one that the run does not have", func() {
		t := table()
		under, other := judged("b", "chat", "image"), judged("c", "chat", "chat")
		under.Fault, other.Variant = "f", "unknown"
		none := judged("d", "chat", "chat")
		none.Fault = eval.NoFault
		for _, r := range []eval.Result{judged("a", "chat", "chat"), under, none} {
			Expect(t.Add(r)).To(Succeed())
		}
		Expect(t.Add(other)).To(MatchError(ContainSubstring("no variant unknown")))
		cells := t.Close().Suites[0].Variants
		Expect(cells[0].Trials).To(Equal(int64(2)))
		expectShare(cells[0].Metrics["route.accuracy"], 2, 2, 0)
		Expect(cells[1].Trials).To(Equal(int64(1)))
		expectShare(cells[1].Metrics["route.accuracy"], 0, 1, 0)
	})

	It("X8: comes to the same bytes in whatever order results arrive", func() {
		const n = 20_000 // more different times than a sketch keeps exactly
		summary := func(seed uint64) string {
			t := table()
			for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(n) {
				Expect(t.Add(someTrial(i))).To(Succeed())
			}
			b, err := json.Marshal(t.Close())
			Expect(err).NotTo(HaveOccurred())
			return string(b)
		}
		want := summary(1)
		Expect(summary(2) == want).To(BeTrue(), "the summary depends on the order")
	})

	It("may be closed more than once", func() {
		t := table()
		Expect(t.Add(judged("a", "chat", "chat"))).To(Succeed())
		Expect(t.Close()).To(Equal(t.Close()))
	})

	It("needs no more memory for 200,000 results than for 50,000", func() {
		t := table()
		fill := func(from, to int) uint64 {
			for i := from; i < to; i++ {
				if err := t.Add(someTrial(i)); err != nil {
					Fail(err.Error())
				}
			}
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before := fill(0, 50_000)
		after := fill(50_000, 200_000)
		Expect(after).To(BeNumerically("<", before+1<<20))
		Expect(t.Close().Suites[0].Variants[0].Trials).To(Equal(int64(200_000)))
	})
})
