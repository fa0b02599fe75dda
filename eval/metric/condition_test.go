package metric_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/metric"
)

const ms = eval.Millis(time.Millisecond)

// someTrial returns one of many different trials, selected by i.
func someTrial(i int) eval.Result {
	d := rand.New(rand.NewPCG(uint64(i), 1))
	labels := []string{"image_gen", "web_search", "time_query", "chat"}
	id := fmt.Sprintf("case-%06d", i)
	r := scoredTrial(id, labels[d.IntN(4)], labels[d.IntN(4)])
	switch d.IntN(10) {
	case 0:
		r = lost(id, eval.ErrorKinds()[d.IntN(6)], labels[d.IntN(4)])
	case 1:
		r.Fallbacks = []eval.Fallback{{From: "router", To: "rules", Reason: "timeout"}}
		r.Scores = append(r.Scores, eval.Score{Name: "fallback", Verdict: eval.PassIf(d.IntN(2) == 0)})
	}
	r.Duration = eval.Millis(d.IntN(30_000)) * ms
	ttft := r.Duration / 3
	r.TTFT = &ttft
	r.Nodes = []eval.NodeVisit{{Node: "router", Duration: r.Duration / 2, Calls: 1,
		CallDurations: []eval.Millis{r.Duration / 3}}, {Node: "chat", Duration: r.Duration / 5, Calls: 1}}
	r.DecidedBy = []string{"llm", "rules", "guard"}[d.IntN(3)]
	r.Calls, r.Tokens = int64(d.IntN(5)), eval.Tokens{In: int64(d.IntN(900)), Out: int64(d.IntN(90))}
	r.Scores = append(r.Scores,
		eval.Score{Name: "slots.subject", Verdict: []eval.Verdict{eval.Pass, eval.Fail, eval.Unscored}[d.IntN(3)]})
	r.ErrorReply = []string{"", "BUSY", "MASK_REQUIRED"}[d.IntN(3)]
	r.Turns = []eval.TurnSummary{{Duration: r.Duration, TTFT: &ttft, Answered: r.Error == nil,
		ErrorReply: r.ErrorReply}}
	r.Tags = [][]string{{"zh"}, {"en", "zh"}, nil}[d.IntN(3)]
	r.LoopRounds = someLoops(d)
	return r
}

// someLoops returns up to four rounds of a Critic loop in each of two turns, with random outcomes.
func someLoops(d *rand.Rand) (list []eval.LoopRound) {
	for turn := range 2 {
		n := d.IntN(5)
		for i := range n {
			l := eval.LoopRound{Turn: turn + 1, Round: i + 1, Score: d.Float64(), Reviewer: "llm",
				CriticInput: []eval.CriticInput{"picture", "prompt"}[d.IntN(2)], AddedTime: eval.Millis(d.Int64N(1e10)),
				Calls: 1}
			if d.IntN(2) == 0 {
				l.Acceptable = new(d.IntN(2) == 0)
			}
			if i == 0 && d.IntN(2) == 0 {
				l.SecondJudgment = &eval.SecondJudgment{Score: new(d.Float64()), Calls: 1, Cost: new(d.Float64())}
			}
			if i == n-1 {
				l.Passed = d.IntN(2) == 0
				l.Exhausted = !l.Passed && d.IntN(2) == 0
				l.Reviewer = []string{"llm", "none"}[d.IntN(2)]
			}
			list = append(list, l)
		}
	}
	return list
}

var _ = Describe("The metrics of a condition", func() {
	It("count trials with an error by kind, and their share", func() {
		m := of(scoredTrial("a", "chat", "chat"), lost("b", eval.ProviderError, "chat"),
			lost("c", eval.ProviderError, "chat"),
			lost("d", eval.TimeoutError, "chat"), lost("e", eval.HarnessError, "chat")).Metrics
		expectShare(m["missing.rate"], 4, 5, 0)
		for kind, want := range map[eval.ErrorKind]float64{eval.ProviderError: 2, eval.TimeoutError: 1,
			eval.HarnessError: 1,
			eval.AgentError:   0, eval.ScorerError: 0, eval.CanceledError: 0} {
			e := m["errors."+string(kind)]
			Expect(*e.Value).To(Equal(want), string(kind))
			Expect(e.N).To(Equal(int64(5)))
		}
	})

	It("contain the share of decisions of each source", func() {
		by := func(source string) func(string) eval.Result {
			return func(id string) eval.Result { r := row(id); r.DecidedBy = source; return r }
		}
		all := append(repeated(5, "a", by("llm")), repeated(3, "b", by("rules"))...)
		all = append(all, append(repeated(2, "c", by("guard")), row("nobody"))...)
		m := of(all...).Metrics
		expectShare(m["router.by.llm"], 5, 10, 1)
		expectShare(m["router.by.rules"], 3, 10, 1)
		expectShare(m["router.by.guard"], 2, 10, 1)
	})

	stepped := func(id, fault string, v eval.Verdict) eval.Result {
		r := row(id)
		r.Fallbacks = []eval.Fallback{{From: "image_gen", To: "chat", Reason: "server_error"}}
		r.Fault = fault
		if v != "none" {
			r.Scores = []eval.Score{{Name: "fallback", Verdict: v, Expected: eval.OneOf{"chat"}}}
		}
		return r
	}

	It("contain how often the agent fell back and how often it recovered", func() {
		sorry := stepped("sorry", "", "none") // an error reply is not a recovery
		sorry.Turns = []eval.TurnSummary{{Answered: true, ErrorReply: "EXECUTOR_FAILED"}, {Answered: true}}
		dead := stepped("dead", "", "none")
		dead.Error = &eval.Error{Kind: eval.ProviderError}
		broken := lost("broken", eval.ProviderError, "chat") // ran without a fallback
		never := lost("never", eval.HarnessError, "chat")
		m := of(row("plain"), stepped("a", "", "none"), sorry, dead, broken, never).Metrics
		expectShare(m["fallback.rate"], 3, 5, 1)
		expectShare(m["fallback.recovered"], 1, 3, 0)
		Expect(of(row("plain")).Metrics).NotTo(Or(HaveKey("fallback.recovered"), HaveKey("fallback.correct")))
	})

	It("count a correct fallback only if the trial fell back, under a fault for which the case has an expectation",
		Label("definition"), func() {
			t := metric.NewCollector([]eval.SuiteSummary{{Name: "s",
				Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault}, {Variant: "v", Fault: "f"}}}})
			held := func(id, fault string, v eval.Verdict) eval.Result {
				r := stepped(id, fault, v)
				r.Fallbacks = nil
				return r
			}
			for _, r := range []eval.Result{
				stepped("a", "f", eval.Pass), stepped("b", "f", eval.Fail), stepped("c", "f", eval.Unscored),
				stepped("d", "f", "none"),
				held("e", "f", eval.Pass), held("f", "f", eval.Fail), held("g", "", eval.Pass),
				stepped("h", "", eval.Fail),
			} {
				Expect(t.Add(r)).To(Succeed())
			}
			conditions := t.Summarize().Suites[0].Conditions
			expectShare(conditions[1].Metrics["fallback.correct"], 1, 2, 1)
			expectShare(conditions[1].Metrics["answered_by.correct"], 2, 4, 1)
			Expect(conditions[0].Metrics).NotTo(HaveKey("fallback.correct"), "no fault, no fallback to judge")
			expectShare(conditions[0].Metrics["answered_by.correct"], 1, 2, 0)
		})

	It("contain the sum of tokens, and the mean number of calls per trial", func() {
		a, b := row("a"), row("b")
		a.Calls, a.Tokens = 3, eval.Tokens{In: 100, Out: 20}
		b.Calls, b.Tokens = 2, eval.Tokens{In: 50, Out: 5}
		m := of(a, b).Metrics
		Expect(*m["tokens.in_total"].Value).To(Equal(150.0))
		Expect(*m["tokens.out_total"].Value).To(Equal(25.0))
		Expect(*m["calls.mean"].Value).To(Equal(2.5))
	})

	It("have no value without data", func() {
		m := of().Metrics
		for _, name := range []string{"route.accuracy", "route.macro_f1", "missing.rate", "fallback.rate",
			"latency.p95", "router.by.llm"} {
			Expect(m).To(HaveKey(name))
			Expect(m[name].Value).To(BeNil(), name)
			Expect(m[name].N).To(BeZero(), name)
		}
	})
})
