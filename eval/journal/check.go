package journal

import (
	"fmt"
	"time"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// Limits that no real trial exceeds. maxTokens is the number of tokens in a million calls of
// maximum size. maxValue applies to all other numbers (in milliseconds, it is 31 years).
const (
	maxTokens = 1_000_000 * trace.MaxPlausibleTokens
	maxValue  = 1e12
)

// namedNumber is a number in a result, with the name of its field.
type namedNumber struct {
	name  string
	value float64
}

func checkModelDecision(o *agent.ModelDecision) error {
	if o == nil || o.Confidence == nil || *o.Confidence >= 0 && *o.Confidence <= 1 {
		return nil
	}
	return fmt.Errorf("turns.model_decision.confidence is %g, which is invalid: expected 0 to 1", *o.Confidence)
}

// checkNumbers returns an error for numbers that no run writes. They show that the file was edited,
// and would make sums wrong.
func checkNumbers(r eval.Result) error {
	for _, check := range []func(eval.Result) error{checkEpoch, checkScores, checkCosts, checkTokens} {
		if err := check(r); err != nil {
			return err
		}
	}
	list := []namedNumber{{"calls", float64(r.Calls)}, {"external_requests", float64(r.ExternalRequests)},
		duration("duration_ms", r.Duration), duration("queued_ms", r.QueueTime), duration("backoff_ms", r.Backoff)}
	if r.TTFT != nil {
		list = append(list, duration("ttft_ms", *r.TTFT))
	}
	for _, t := range r.Turns {
		list = append(list, duration("turns.duration_ms", t.Duration))
		if t.TTFT != nil {
			list = append(list, duration("turns.ttft_ms", *t.TTFT))
		}
		if err := checkModelDecision(t.ModelDecision); err != nil {
			return err
		}
	}
	for _, n := range r.Nodes {
		list = append(list, duration("nodes.duration_ms", n.Duration), namedNumber{"nodes.calls", float64(n.Calls)})
		for _, call := range n.CallDurations {
			list = append(list, duration("nodes.call_durations_ms", call))
		}
	}
	for _, l := range r.LoopRounds {
		list = append(list, duration("loops.added_ms", l.AddedTime), namedNumber{"loops.calls", float64(l.Calls)})
		if s := l.SecondJudgment; s != nil {
			list = append(list, namedNumber{"loops.second_judgment.calls", float64(s.Calls)})
		}
	}
	list = append(list, otherNumbers(r)...)
	for _, s := range r.Scores {
		if err := checkTurns(s); err != nil {
			return err
		}
		if err := checkFacts(s, len(r.Turns)); err != nil {
			return err
		}
	}
	if !r.CaseHash.IsValid() {
		return fmt.Errorf("case_hash is %.40q, which is invalid: expected three hashes of eight hexadecimal digits",
			r.CaseHash)
	}
	if c := r.Confidence; c != nil && !(*c >= 0 && *c <= 1) {
		return fmt.Errorf("confidence is %g, which is invalid: expected 0 to 1", *c)
	}
	for _, f := range list {
		if err := f.within(maxValue); err != nil {
			return err
		}
	}
	return r.CheckConsistency()
}

func checkTokens(r eval.Result) error {
	list := tokens("", r.Tokens)
	for _, l := range r.LoopRounds {
		list = append(list, tokens("loops.", l.Tokens)...)
		if l.SecondJudgment != nil {
			list = append(list, tokens("loops.second_judgment.", l.SecondJudgment.Tokens)...)
		}
	}
	if r.Grading != nil {
		list = append(list, tokens("grading.", r.Grading.Tokens)...)
	}
	for _, f := range list {
		if err := f.within(maxTokens); err != nil {
			return err
		}
	}
	return nil
}

// otherNumbers returns the numbers that do not concern answers, such as cache hits and retries.
func otherNumbers(r eval.Result) []namedNumber {
	list := []namedNumber{{"peak_calls", float64(r.PeakCalls)}, {"cache.hits", float64(r.Cache.Hits)},
		{"cache.misses", float64(r.Cache.Misses)},
		{"cache.errors", float64(r.Cache.Errors)}, {"cached_calls", float64(r.CachedCalls)},
		{"rate_limited", float64(r.RateLimitedRequests)},
		{"retried", float64(r.RetriedRequests)}}
	for _, c := range r.Compressions {
		list = append(list, namedNumber{"compressions.tokens_before", float64(c.TokensBefore)},
			namedNumber{"compressions.tokens_after", float64(c.TokensAfter)})
	}
	if g := r.Grading; g != nil {
		list = append(list, namedNumber{"grading.turns", float64(g.Turns)},
			namedNumber{"grading.failed", float64(g.Failed)},
			namedNumber{"grading.calls", float64(g.Calls)})
	}
	return list
}

// checkFacts returns an error for facts of turns that do not exist or that are listed twice.
func checkFacts(s eval.Score, turns int) error {
	last := 0
	for _, f := range s.FactsInAnswers {
		if f.Turn <= last || f.Turn > turns {
			return fmt.Errorf("scores.facts has turn %d after turn %d of %d, which is invalid", f.Turn, last, turns)
		}
		last = f.Turn
	}
	return nil
}

// within returns an error unless the number is from 0 to most.
func (f namedNumber) within(most float64) error {
	if f.value >= 0 && f.value <= most {
		return nil
	}
	return fmt.Errorf("%s is %g, which is invalid: expected 0 to %g", f.name, f.value, most)
}

func tokens(of string, t eval.Tokens) []namedNumber {
	return []namedNumber{{of + "tokens.in", float64(t.In)}, {of + "tokens.out", float64(t.Out)},
		{of + "tokens.unreported_calls", float64(t.UnreportedCalls)}}
}

func duration(name string, m eval.Millis) namedNumber {
	return namedNumber{name, float64(m) / float64(time.Millisecond)}
}

// checkTurns returns an error if the scores of single turns contradict the conversation's score.
func checkTurns(s eval.Score) error {
	if s.Turns == nil {
		return nil
	}
	count, last := map[eval.Verdict]int{}, 0
	for _, j := range s.Turns {
		if j.Turn <= last || len(j.Expected) == 0 {
			return fmt.Errorf("scores.turns has turn %d after turn %d, expecting %q, which is invalid: expected rising turns that have a label", j.Turn, last, j.Expected)
		}
		last = j.Turn
		count[j.Verdict]++
	}
	n := len(s.Turns)
	switch pass, fail := count[eval.Pass], count[eval.Fail]; {
	case n < 2 || pass+fail+count[eval.Unscored] < n:
	case pass == n && s.Verdict == eval.Pass, pass < n && pass+fail == n && s.Verdict == eval.Fail,
		pass+fail < n && s.Verdict == eval.Unscored:
		return nil
	}
	return fmt.Errorf("scores.verdict is %q, which contradicts its %d turns", s.Verdict, n)
}
