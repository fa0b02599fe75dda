package metric_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
)

// withDuration returns a trial that takes the given number of milliseconds.
func withDuration(id string, duration eval.Millis) eval.Result {
	r := row(id)
	r.Duration = duration * ms
	r.Turns[0].Duration = r.Duration
	return r
}

var _ = Describe("The latency of a condition", func() {
	It("has exact quantiles and means", func() {
		var all []eval.Result
		for i := range 100 {
			all = append(all, withDuration(fmt.Sprint(i), eval.Millis(i+1)))
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

	It("has only a lower limit if there are too few values, and counts ties", func() {
		var all []eval.Result
		for i := range 30 {
			all = append(all, withDuration(fmt.Sprint(i), eval.Millis(1+i/3)))
		}
		e := of(all...).Metrics["latency.p95"]
		Expect(*e.Value).To(Equal(10.0))
		Expect(*e.Lo).To(Equal(9.0)) // rank 26 of 30, by the reference value L
		Expect(e.Hi).To(BeNil())
		Expect(e.Ties).To(Equal(int64(3)))
	})

	It("has intervals that treat the epochs of a case as a cluster, as in the reference values W1", func() {
		var all []eval.Result
		for i := range 100 {
			for k := range 3 {
				all = append(all, withDuration(fmt.Sprint(i), eval.Millis(100+3*(7*i%100)+11*(i*k%5))))
			}
		}
		e := epochsOf(3, all...).Metrics["latency.p50"]
		Expect(e.N).To(Equal(int64(300)))
		Expect(e.Cases).To(Equal(int64(100)))
		Expect([]float64{*e.Value, *e.Lo, *e.Hi}).To(Equal([]float64{263, 235, 294}))
	})

	It("has the same values and intervals for three equal epochs as for one", func() {
		var once, thrice []eval.Result
		for i := range 200 {
			r := withDuration(fmt.Sprint(i), eval.Millis(i+1))
			if i%4 == 0 {
				r.Fallbacks = []eval.Fallback{{From: "router", To: "rules", Reason: "timeout"}}
			}
			once, thrice = append(once, r), append(thrice, r, r, r)
		}
		a, b := epochsOf(1, once...).Metrics, epochsOf(3, thrice...).Metrics
		for _, name := range []string{"fallback.rate", "missing.rate", "latency.p50", "latency.p95",
			"latency.mean", "calls.mean"} {
			Expect(b[name].N).To(Equal(3*a[name].N), name)
			Expect(b[name].Cases).To(Equal(a[name].N), name)
			Expect(*b[name].Value).To(Equal(*a[name].Value), name)
			Expect(*b[name].Lo).To(BeNumerically("~", *a[name].Lo, 1e-9), name)
			Expect(*b[name].Hi).To(BeNumerically("~", *a[name].Hi, 1e-9), name)
		}
	})

	It("has bounds: all turns without an answer count as slower, or as faster, than the others", func() {
		var all []eval.Result
		for i := range 95 {
			all = append(all, withDuration(fmt.Sprint(i), eval.Millis(i+1)))
		}
		for i := range 5 {
			all = append(all, lost(fmt.Sprint("lost", i), eval.ProviderError, "chat"))
		}
		m := of(all...).Metrics
		Expect(*m["latency.p50"].Value).To(Equal(48.0)) // rank ⌈0.5·95⌉ of the measured values
		Expect(*m["latency.p50"].WorstCase).To(Equal(50.0))
		Expect(*m["latency.p50"].BestCase).To(Equal(45.0))
		Expect(*m["latency.p95"].WorstCase).To(Equal(95.0))
		Expect(m["latency.p99"].WorstCase).To(BeNil()) // the bound would itself be a missing value
		Expect(m["latency.p99"].Missing).To(Equal(int64(5)))
		Expect(m["latency.mean"].Missing).To(Equal(int64(5)), "a mean of what is left is none of all")
	})

	It("counts turns instead of trials, and error replies separately", Label("definition"), func() {
		first := 300 * ms
		three := withDuration("a", 1200)
		three.Turns = []eval.TurnSummary{
			{Duration: 1000 * ms, TTFT: &first, Answered: true},
			{Duration: 10 * ms, Answered: true, ErrorReply: "MASK_REQUIRED"},
			{Duration: 190 * ms, Answered: true},
		}
		two := withDuration("b", 500)
		two.Turns = []eval.TurnSummary{{Duration: 400 * ms, Answered: true}, {Duration: 100 * ms, Answered: true}}
		m := of(three, two).Metrics
		Expect(*m["latency.p99"].Value).To(Equal(1000.0))
		Expect(*m["latency.mean"].Value).To(Equal(422.5))
		Expect(m["latency.mean"].N).To(Equal(int64(4)))
		Expect(m["latency.mean"].Cases).To(Equal(int64(2)))
		Expect(m["latency.mean"].Missing).To(BeZero(), "nothing failed")
		Expect(*m["latency.error_reply.p50"].Value).To(Equal(10.0))
		Expect(*m["ttft.p50"].Value).To(Equal(300.0))
		Expect(*m["episode.mean"].Value).To(Equal(500.0), "one with an apology tells how long that takes")
		Expect(m["episode.mean"].N).To(Equal(int64(1)))
	})

	It("counts turns as missing that failed, did not run, or ended in an error reply after a failed call",
		Label("definition"), func() {
			r := withDuration("a", 900)
			r.Turns = []eval.TurnSummary{{Duration: 500 * ms, Answered: true}, {Duration: 400 * ms}, {}}
			sorry := withDuration("b", 3)
			sorry.Turns[0].ErrorReply, sorry.Turns[0].ErrorReplyCause = "PLANNER_FAILED", "server_error"
			m := of(r, sorry).Metrics
			for name, missing := range map[string]int64{"latency.p50": 3, "latency.mean": 3, "episode.p50": 2,
				"episode.mean": 2} {
				Expect(m[name].Missing).To(Equal(missing), name)
			}
			Expect(*m["latency.mean"].Value).To(Equal(500.0))
			Expect(m["episode.mean"].Value).To(BeNil())
			Expect(*m["latency.error_reply.mean"].Value).To(Equal(3.0))
		})

	It("N4: counts a turn as missing that reaches the step limit without an answer, and times its error reply",
		Label("definition"), func() {
			spent, fine := withDuration("a", 900), withDuration("b", 100)
			spent.Turns[0].ErrorReply, spent.Turns[0].Steps = "EXHAUSTED",
				[]agent.Step{followed, ended} // no call failed
			spent.Turns[0].HasDecisionSequence = true
			m := of(spent, fine).Metrics
			for _, name := range []string{"latency.p50", "latency.mean", "episode.p50", "episode.mean"} {
				Expect(m[name]).To(And(HaveField("N", int64(1)), HaveField("Missing", int64(1))), name)
			}
			Expect(*m["latency.error_reply.mean"].Value).To(Equal(900.0))
			Expect(*m["supervisor.exhausted_rate"].Value).To(Equal(1.0))
		})

	It("is measured for single calls of a node and for its visits, including failures", Label("definition"), func() {
		r, failed := row("a"), lost("b", eval.TimeoutError, "chat")
		r.Nodes = []eval.NodeVisit{
			{Node: "image", Duration: 5000 * ms, Calls: 3, CallDurations: []eval.Millis{40 * ms, 50 * ms, 60 * ms}},
			{Node: "image", Duration: 70 * ms, Calls: 1, CallDurations: []eval.Millis{70 * ms}},
		}
		failed.Nodes = []eval.NodeVisit{{Node: "image", Duration: 60_000 * ms, Calls: 1,
			CallDurations: []eval.Millis{60_000 * ms}}}
		m := of(r, failed).Metrics
		Expect(*m["node.image.p50"].Value).To(Equal(60.0))
		Expect(*m["node.image.p99"].Value).To(Equal(60_000.0))
		Expect(m["node.image.p50"].N).To(Equal(int64(5)))
		Expect(m["node.image.p50"].Cases).To(Equal(int64(2)))
		Expect(m["node.image.calls"]).To(Equal(eval.Estimate{Value: new(5.0), N: 2}))
		Expect(*m["step.image.p50"].Value).To(Equal(5000.0))
		Expect(m["step.image.p50"].N).To(Equal(int64(3)))
	})
})
