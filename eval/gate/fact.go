package gate

import (
	"cmp"
	"strings"

	"evalctl/eval"
)

// fact is what one trial says about a figure that is compared with the baseline.
type fact struct {
	epoch  int
	known  bool             // false: the trial should have the figure, and has not
	right  bool             // of a share
	turns  []eval.TurnScore // of a recall and of macro-F1, which count turns
	values []float64        // of a mean or a quantile: nanoseconds, dollars, counts, or from 0 to 1
	asked  caseFingerprint

	got, text string // of a rule on new failures: the prediction, and the text of a wrong one
}

const (
	accuracy = "route.accuracy"
	macroF1  = "route.macro_f1"
	recallOf = "route.recall."
)

// factOf reads from a result what the rule compares; false: the trial is none of its
// business.
func factOf(r Rule) func(eval.Result) (fact, bool) {
	family, _, _ := strings.Cut(r.Metric, ".")
	switch {
	case r.Against == NewFailures:
		return predicted
	case r.Metric == accuracy:
		return decided
	case r.Metric == macroF1:
		return func(res eval.Result) (fact, bool) { return labeled(res, "") }
	case strings.HasPrefix(r.Metric, recallOf):
		label := strings.TrimPrefix(r.Metric, recallOf)
		return func(res eval.Result) (fact, bool) { return labeled(res, label) }
	case r.Against == Drop:
		return func(res eval.Result) (fact, bool) { return scored(res, r.Metric) }
	case family == "latency", family == "ttft", family == "episode":
		return func(res eval.Result) (fact, bool) { return timed(res, family) }
	}
	return func(res eval.Result) (fact, bool) { return spent(res, r.Metric) }
}

// decided is what came of the whole trial, of a conversation as of one turn.
func decided(r eval.Result) (fact, bool) {
	s, ok := r.Decision()
	return judged(r, s), ok
}

// predicted is decided with the prediction; a wrong one has the text of its case.
func predicted(r eval.Result) (fact, bool) {
	s, ok := r.Decision()
	f := judged(r, s)
	f.got = cmp.Or(s.Actual, r.Predicted)
	if !f.right {
		f.text = r.Text
	}
	return f, ok
}

// labeled are the decisions of the turns with that primary label; "": of all. They
// are known where none of those turns was lost.
func labeled(r eval.Result, label string) (fact, bool) {
	f := fact{epoch: r.Epoch, known: true}
	for _, j := range r.Decisions() {
		if label == "" || j.Expected.Primary() == label {
			f.known = f.known && j.Verdict != eval.Unscored
			f.turns = append(f.turns, j)
		}
	}
	return f, len(f.turns) > 0
}

func scored(r eval.Result, metric string) (fact, bool) {
	for _, s := range r.Scores {
		if name, v := s.MetricVerdict(); name == metric {
			s.Verdict = v
			f := judged(r, s)
			if s.IsMeasure() {
				f.values = []float64{s.Value}
			}
			return f, true
		}
	}
	return fact{}, false
}

func judged(r eval.Result, s eval.Score) fact {
	return fact{epoch: r.Epoch, known: s.Verdict != eval.Unscored, right: s.Verdict == eval.Pass}
}

// timed has the times of the turns that were answered, and not by an apology; of an
// episode that of the whole trial. What failed, or ends in an apology for what failed,
// should have had a time.
func timed(r eval.Result, family string) (fact, bool) {
	f := fact{epoch: r.Epoch, known: true}
	sorry := false
	for _, t := range r.Turns {
		f.known = f.known && !t.IsLatencyMissing()
		sorry = sorry || t.ErrorReply != ""
		switch {
		case !t.HasLatency():
		case family == "latency":
			f.values = append(f.values, float64(t.Duration))
		case family == "ttft" && t.TTFT != nil:
			f.values = append(f.values, float64(*t.TTFT))
		}
	}
	if family == "episode" && !sorry {
		f.values = []float64{float64(r.Duration)}
	}
	return f, !f.known || len(f.values) > 0
}

func spent(r eval.Result, metric string) (fact, bool) {
	f := fact{epoch: r.Epoch, known: true, values: []float64{0}}
	switch metric {
	case "cost.total_usd", "cost.usd_per_1000":
		if f.known = r.Cost != nil; f.known {
			f.values[0] = *r.Cost
		}
	case "calls.mean":
		f.known, f.values[0] = !r.HasUnreportedCalls(), float64(r.Calls)
	case "tokens.in_total", "tokens.in_mean":
		f.known, f.values[0] = r.Tokens.UnreportedCalls == 0, float64(r.Tokens.In)
	case "tokens.out_total", "tokens.out_mean":
		f.known, f.values[0] = r.Tokens.UnreportedCalls == 0, float64(r.Tokens.Out)
	}
	return f, true
}
