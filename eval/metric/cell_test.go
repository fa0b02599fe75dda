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
	r.Turns[0].Took = r.Took
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
	r.Nodes = []eval.NodeTime{{Node: "router", Took: r.Took / 2, Calls: 1, Single: []eval.Millis{r.Took / 3}}, {Node: "chat", Took: r.Took / 5, Calls: 1}}
	r.Source = []string{"llm", "rules", "gate"}[d.IntN(3)]
	r.Calls, r.Tokens = int64(d.IntN(5)), eval.Tokens{In: int64(d.IntN(900)), Out: int64(d.IntN(90))}
	r.Scores = append(r.Scores, eval.Score{Name: "slots.subject", Verdict: []eval.Verdict{eval.Pass, eval.Fail, eval.Unjudged}[d.IntN(3)]})
	r.Failure = []string{"", "BUSY", "MASK_REQUIRED"}[d.IntN(3)]
	r.Turns = []eval.TurnRow{{Took: r.Took, TTFT: &ttft, Answered: r.Error == nil, Failure: r.Failure}}
	r.Tags = [][]string{{"zh"}, {"en", "zh"}, nil}[d.IntN(3)]
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
		expectShare(m["router.by.llm"], 5, 10, 1)
		expectShare(m["router.by.rules"], 3, 10, 1)
		expectShare(m["router.by.gate"], 2, 10, 1)
	})

	stepped := func(id, fault string, v eval.Verdict) eval.Result {
		r := row(id)
		r.Fallbacks = []eval.Fallback{{From: "image_gen", To: "chat", Reason: "server"}}
		r.Fault = fault
		if v != "none" {
			r.Scores = []eval.Score{{Name: "fallback", Verdict: v, Want: eval.OneOf{"chat"}}}
		}
		return r
	}

	It("tells how often the agent stepped down, and recovered", func() {
		sorry := stepped("sorry", "", "none") // an apology is no recovery
		sorry.Failure = "EXECUTOR_FAILED"
		dead := stepped("dead", "", "none")
		dead.Error = &eval.Error{Kind: eval.ProviderError}
		broken := lost("broken", eval.ProviderError, "chat") // ran, and did not step down
		never := lost("never", eval.HarnessError, "chat")
		m := of(row("plain"), stepped("a", "", "none"), sorry, dead, broken, never).Metrics
		expectShare(m["fallback.rate"], 3, 5, 1)
		expectShare(m["fallback.recovered"], 1, 3, 0)
		Expect(of(row("plain")).Metrics).NotTo(Or(HaveKey("fallback.recovered"), HaveKey("fallback.correct")))
	})

	It("judges a fallback only where there was one, under a fault that the case labels", Label("definition"), func() {
		t := metric.NewTable([]eval.SuiteSummary{{Name: "s", Variants: []eval.CellSummary{{Name: "v", Fault: eval.NoFault}, {Name: "v", Fault: "f"}}}})
		held := func(id, fault string, v eval.Verdict) eval.Result {
			r := stepped(id, fault, v)
			r.Fallbacks = nil
			return r
		}
		for _, r := range []eval.Result{
			stepped("a", "f", eval.Pass), stepped("b", "f", eval.Fail), stepped("c", "f", eval.Unjudged), stepped("d", "f", "none"),
			held("e", "f", eval.Pass), held("f", "f", eval.Fail), held("g", "", eval.Pass), stepped("h", "", eval.Fail),
		} {
			Expect(t.Add(r)).To(Succeed())
		}
		cells := t.Close().Suites[0].Variants
		expectShare(cells[1].Metrics["fallback.correct"], 1, 2, 1)
		expectShare(cells[1].Metrics["served.correct"], 2, 4, 1)
		Expect(cells[0].Metrics).NotTo(HaveKey("fallback.correct"), "no fault, no fallback to judge")
		expectShare(cells[0].Metrics["served.correct"], 1, 2, 0)
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

	It("has an interval of one side where there are too few for two, and says how many are equal", func() {
		var all []eval.Result
		for i := range 30 {
			all = append(all, taking(fmt.Sprint(i), eval.Millis(1+i/3)))
		}
		e := of(all...).Metrics["latency.p95"]
		Expect(*e.Value).To(Equal(10.0))
		Expect(*e.Lo).To(Equal(9.0)) // rank 26 of 30, by the reference value L
		Expect(e.Hi).To(BeNil())
		Expect(e.Ties).To(Equal(int64(3)))
	})

	It("takes the epochs of a case for a cluster in the intervals of quantiles: W1 of the reference values", func() {
		var all []eval.Result
		for i := range 100 {
			for k := range 3 {
				all = append(all, taking(fmt.Sprint(i), eval.Millis(100+3*(7*i%100)+11*(i*k%5))))
			}
		}
		e := played(3, all...).Metrics["latency.p50"]
		Expect(e.N).To(Equal(int64(300)))
		Expect(e.Cases).To(Equal(int64(100)))
		Expect([]float64{*e.Value, *e.Lo, *e.Hi}).To(Equal([]float64{263, 235, 294}))
	})

	It("comes to the same in a run whose epochs are all alike, with the same interval", func() {
		var once, thrice []eval.Result
		for i := range 200 {
			r := taking(fmt.Sprint(i), eval.Millis(i+1))
			if i%4 == 0 {
				r.Fallbacks = []eval.Fallback{{From: "router", To: "rules", Reason: "timeout"}}
			}
			once, thrice = append(once, r), append(thrice, r, r, r)
		}
		a, b := played(1, once...).Metrics, played(3, thrice...).Metrics
		for _, name := range []string{"fallback.rate", "missing.rate", "latency.p50", "latency.p95", "latency.mean", "calls.mean"} {
			Expect(b[name].N).To(Equal(3*a[name].N), name)
			Expect(b[name].Cases).To(Equal(a[name].N), name)
			Expect(*b[name].Value).To(Equal(*a[name].Value), name)
			Expect(*b[name].Lo).To(BeNumerically("~", *a[name].Lo, 1e-9), name)
			Expect(*b[name].Hi).To(BeNumerically("~", *a[name].Hi, 1e-9), name)
		}
	})

	It("bounds quantiles by the turns that have no answer: were they slower, or faster, than all", func() {
		var all []eval.Result
		for i := range 95 {
			all = append(all, taking(fmt.Sprint(i), eval.Millis(i+1)))
		}
		for i := range 5 {
			all = append(all, lost(fmt.Sprint("lost", i), eval.ProviderError, "chat"))
		}
		m := of(all...).Metrics
		Expect(*m["latency.p50"].Value).To(Equal(48.0)) // rank ⌈0.5·95⌉ of what was measured
		Expect(*m["latency.p50"].Worst).To(Equal(50.0))
		Expect(*m["latency.p50"].Best).To(Equal(45.0))
		Expect(*m["latency.p95"].Worst).To(Equal(95.0))
		Expect(m["latency.p99"].Worst).To(BeNil()) // it would be one of the missing
		Expect(m["latency.p99"].Missing).To(Equal(int64(5)))
		Expect(m["latency.mean"].Missing).To(Equal(int64(5)), "a mean of what is left is none of all")
	})

	It("times turns, not trials, and apologies apart", Label("definition"), func() {
		first := 300 * ms
		three := taking("a", 1200)
		three.Turns = []eval.TurnRow{
			{Took: 1000 * ms, TTFT: &first, Answered: true},
			{Took: 10 * ms, Answered: true, Failure: "MASK_REQUIRED"},
			{Took: 190 * ms, Answered: true},
		}
		two := taking("b", 500)
		two.Turns = []eval.TurnRow{{Took: 400 * ms, Answered: true}, {Took: 100 * ms, Answered: true}}
		m := of(three, two).Metrics
		Expect(*m["latency.p99"].Value).To(Equal(1000.0))
		Expect(*m["latency.mean"].Value).To(Equal(422.5))
		Expect(m["latency.mean"].N).To(Equal(int64(4)))
		Expect(m["latency.mean"].Cases).To(Equal(int64(2)))
		Expect(m["latency.mean"].Missing).To(BeZero(), "nothing failed")
		Expect(*m["latency.apology.p50"].Value).To(Equal(10.0))
		Expect(*m["ttft.p50"].Value).To(Equal(300.0))
		Expect(*m["episode.mean"].Value).To(Equal(500.0), "one with an apology tells how long that takes")
		Expect(m["episode.mean"].N).To(Equal(int64(1)))
	})

	It("misses turns that failed, were not played, or ended in an apology for a failed call", Label("definition"), func() {
		r := taking("a", 900)
		r.Turns = []eval.TurnRow{{Took: 500 * ms, Answered: true}, {Took: 400 * ms}, {}}
		sorry := taking("b", 3)
		sorry.Turns[0].Failure, sorry.Turns[0].Reason = "PLANNER_FAILED", "server"
		m := of(r, sorry).Metrics
		for name, missing := range map[string]int64{"latency.p50": 3, "latency.mean": 3, "episode.p50": 2, "episode.mean": 2} {
			Expect(m[name].Missing).To(Equal(missing), name)
		}
		Expect(*m["latency.mean"].Value).To(Equal(500.0))
		Expect(m["episode.mean"].Value).To(BeNil())
		Expect(*m["latency.apology.mean"].Value).To(Equal(3.0))
	})

	It("times single calls of a node and counts them, and its visits besides, failures included", Label("definition"), func() {
		r, failed := row("a"), lost("b", eval.TimeoutError, "chat")
		r.Nodes = []eval.NodeTime{
			{Node: "image", Took: 5000 * ms, Calls: 3, Single: []eval.Millis{40 * ms, 50 * ms, 60 * ms}},
			{Node: "image", Took: 70 * ms, Calls: 1, Single: []eval.Millis{70 * ms}},
		}
		failed.Nodes = []eval.NodeTime{{Node: "image", Took: 60_000 * ms, Calls: 1, Single: []eval.Millis{60_000 * ms}}}
		m := of(r, failed).Metrics
		Expect(*m["node.image.p50"].Value).To(Equal(60.0))
		Expect(*m["node.image.p99"].Value).To(Equal(60_000.0))
		Expect(m["node.image.p50"].N).To(Equal(int64(5)))
		Expect(m["node.image.p50"].Cases).To(Equal(int64(2)))
		Expect(m["node.image.calls"]).To(Equal(eval.Estimate{Value: new(5.0), N: 2}))
		Expect(*m["step.image.p50"].Value).To(Equal(5000.0))
		Expect(m["step.image.p50"].N).To(Equal(int64(3)))
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
		t := metric.NewTable([]eval.SuiteSummary{{Name: "s", Variants: []eval.CellSummary{{Name: "v", Fault: eval.NoFault}, {Name: "v", Fault: "f"}}}})
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

	It("lets a second result of a trial take the place of the first", func() {
		t := table(2)
		Expect(t.Add(judged("a", "chat", "image"))).To(Succeed())
		Expect(t.Add(judged("a", "image", "image"))).To(Succeed())
		c := t.Close().Suites[0].Variants[0]
		Expect(c.Trials).To(Equal(int64(1)))
		expectShare(c.Metrics["route.accuracy"], 1, 1, 0)
	})

	It("has a slice of every cell for each tag", func() {
		t := metric.NewTable([]eval.SuiteSummary{{Name: "s", Variants: []eval.CellSummary{{Name: "v", Fault: eval.NoFault}, {Name: "w", Fault: eval.NoFault}}}}, "zh", "en")
		for i, tags := range [][]string{{"zh"}, {"en", "zh"}, nil} {
			for _, v := range []string{"v", "w"} {
				r := judged(fmt.Sprint(i), "chat", "chat", "image")
				r.Variant, r.Tags = v, tags
				Expect(t.Add(r)).To(Succeed())
			}
		}
		slices := t.Close().Suites[0].Slices
		Expect(slices).To(HaveLen(4))
		for i, want := range []struct {
			tag, variant string
			n            int
		}{{"zh", "v", 2}, {"zh", "w", 2}, {"en", "v", 1}, {"en", "w", 1}} {
			Expect([]string{slices[i].Tag, slices[i].Name, slices[i].Fault}).To(Equal([]string{want.tag, want.variant, eval.NoFault}))
			Expect(slices[i].Trials).To(Equal(int64(want.n)))
			expectShare(slices[i].Metrics["route.accuracy"], want.n, want.n, 0)
		}
		Expect(table(1).Close().Suites[0].Slices).To(BeEmpty())
	})

	It("X8: comes to the same bytes in whatever order results arrive", func() {
		const n = 20_000 // more different times than a sketch keeps exactly
		summary := func(seed uint64) string {
			t := metric.NewTable([]eval.SuiteSummary{{Name: "s", Epochs: 2, Variants: []eval.CellSummary{{Name: "v", Fault: eval.NoFault}}}}, "zh")
			for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(n) {
				r := someTrial(i)
				r.Case, r.Epoch = fmt.Sprintf("case-%06d", i/2), i%2+1
				Expect(t.Add(r)).To(Succeed())
			}
			b, err := json.Marshal(t.Close())
			Expect(err).NotTo(HaveOccurred())
			return string(b)
		}
		want := summary(1)
		Expect(summary(2) == want).To(BeTrue(), "the summary depends on the order")
	})

	It("may be closed more than once", func() {
		t := table(1)
		Expect(t.Add(judged("a", "chat", "chat"))).To(Succeed())
		Expect(t.Close()).To(Equal(t.Close()))
	})

	It("needs no more memory for 200,000 results than for 50,000", func() {
		t := table(1)
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
