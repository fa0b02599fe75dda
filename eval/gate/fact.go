package gate

import (
	"cmp"
	"strings"

	"evalctl/eval"
)

// contribution is what one trial contributes to a metric that is compared with the baseline run.
type contribution struct {
	epoch int
	known bool             // false: the trial should have a value but has none
	right bool             // the trial is correct, for a metric that is a share
	turns []eval.TurnScore // scored turns, for a recall and for macro-F1, which count turns
	// measured values, for a mean or a quantile: nanoseconds, dollars, counts, or values from 0 to
	// 1
	values      []float64
	fingerprint caseFingerprint

	predicted, text string // for new failures: the predicted label, and the message of a wrong case
}

const (
	accuracy = "route.accuracy"
	macroF1  = "route.macro_f1"
	recallOf = "route.recall."
)

// contributionOf returns a function that extracts what a trial contributes to the metric of the
// rule. That function returns false if the trial does not concern the rule.
func contributionOf(r Rule) func(eval.Result) (contribution, bool) {
	family, _, _ := strings.Cut(r.Metric, ".")
	switch {
	case r.Comparison == NewFailures:
		return predicted
	case r.Metric == accuracy:
		return decided
	case r.Metric == macroF1:
		return func(res eval.Result) (contribution, bool) { return labeled(res, "") }
	case strings.HasPrefix(r.Metric, recallOf):
		label := strings.TrimPrefix(r.Metric, recallOf)
		return func(res eval.Result) (contribution, bool) { return labeled(res, label) }
	case r.Comparison == Drop:
		return func(res eval.Result) (contribution, bool) { return scored(res, r.Metric) }
	case family == "latency", family == "ttft", family == "episode":
		return func(res eval.Result) (contribution, bool) { return timed(res, family) }
	}
	return func(res eval.Result) (contribution, bool) { return usage(res, r.Metric) }
}

// decided returns whether the trial is correct as a whole. A trial may be a conversation.
func decided(r eval.Result) (contribution, bool) {
	s, ok := r.Decision()
	return judged(r, s), ok
}

// predicted returns whether the decision is correct, and the predicted label.
func predicted(r eval.Result) (contribution, bool) {
	s, ok := r.Decision()
	f := judged(r, s)
	f.predicted = cmp.Or(s.Actual, r.Predicted)
	if !f.right {
		f.text = r.Text
	}
	return f, ok
}

// labeled returns the decisions of the turns whose primary label is label ("": all labeled turns).
// They are known if all these turns were scored.
func labeled(r eval.Result, label string) (contribution, bool) {
	f := contribution{epoch: r.Epoch, known: true}
	for _, j := range r.Decisions() {
		if label == "" || j.Expected.Primary() == label {
			f.known = f.known && j.Verdict != eval.Unscored
			f.turns = append(f.turns, j)
		}
	}
	return f, len(f.turns) > 0
}

func scored(r eval.Result, metric string) (contribution, bool) {
	for _, s := range r.Scores {
		if name, v := s.MetricVerdict(); name == metric {
			s.Verdict = v
			f := judged(r, s)
			if s.IsMeasurement() {
				f.values = []float64{s.Value}
			}
			return f, true
		}
	}
	return contribution{}, false
}

func judged(r eval.Result, s eval.Score) contribution {
	return contribution{epoch: r.Epoch, known: s.Verdict != eval.Unscored, right: s.Verdict == eval.Pass}
}

// timed returns the latencies of the answered turns, without error replies. For the family episode
// it returns the duration of the whole trial. They are not known if a turn should have a latency
// but has none.
func timed(r eval.Result, family string) (contribution, bool) {
	f := contribution{epoch: r.Epoch, known: true}
	hasErrorReply := false
	for _, t := range r.Turns {
		f.known = f.known && !t.IsLatencyMissing()
		hasErrorReply = hasErrorReply || t.ErrorReply != ""
		switch {
		case !t.HasLatency():
		case family == "latency":
			f.values = append(f.values, float64(t.Duration))
		case family == "ttft" && t.TTFT != nil:
			f.values = append(f.values, float64(*t.TTFT))
		}
	}
	if family == "episode" && !hasErrorReply {
		f.values = []float64{float64(r.Duration)}
	}
	return f, !f.known || len(f.values) > 0
}

func usage(r eval.Result, metric string) (contribution, bool) {
	f := contribution{epoch: r.Epoch, known: true, values: []float64{0}}
	switch metric {
	case "cost.total_usd", "cost.usd_per_1000":
		if f.known = r.Cost != nil && !r.LacksUsage(); f.known {
			f.values[0] = *r.Cost
		}
	case "calls.mean":
		f.known, f.values[0] = !r.HasUnreportedCalls(), float64(r.Calls)
	case "tokens.in_total", "tokens.in_mean":
		f.known, f.values[0] = !r.HasUnknownTokens(), float64(r.Tokens.In)
	case "tokens.out_total", "tokens.out_mean":
		f.known, f.values[0] = !r.HasUnknownTokens(), float64(r.Tokens.Out)
	}
	return f, true
}
