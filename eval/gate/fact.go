package gate

import (
	"slices"
	"strings"

	"evalctl/eval"
)

// fact is what one trial says about a figure that is compared with the baseline.
type fact struct {
	epoch  int
	known  bool             // false: the trial should have the figure, and has not
	right  bool             // of a share
	turns  []eval.Judgement // of a recall and of macro-F1, which count turns
	values []float64        // of a mean or a quantile: nanoseconds, dollars, counts, or from 0 to 1
	asked  question
}

const (
	accuracy = "route.accuracy"
	macroF1  = "route.macro_f1"
	recallOf = "route.recall."
	slotOf   = "slots."
	hitRate  = "retrieval.hit_rate"
)

// dropped are the metrics of which a drop is measured.
func dropped() []string {
	list := []string{accuracy, macroF1, recallOf + open, slotOf + open, hitRate, "events.in_order", "genui.conform", "form.conformity", "form.conformity." + open, "path.exact", open + besides}
	for _, first := range eval.RecallDepths() {
		list = append(list, eval.RecallAt(first))
	}
	return append(list, eval.RankScore, eval.CoverageScore, eval.VerbatimScore, eval.GradedScore, eval.KeptScore)
}

// rated are those of which a ratio is.
func rated() []string {
	return []string{"cost.usd", "cost.usd_per_1000", "calls.mean", "tokens.in", "tokens.out", "tokens.in_mean", "tokens.out_mean", "latency." + open, "ttft." + open, "episode." + open}
}

func isDropped(metric string) bool {
	field, isBesides := strings.CutSuffix(metric, besides)
	return isBesides && !strings.Contains(field, ".") ||
		isOneOf(metric, dropped(), func(name string) bool { return !strings.HasSuffix(name, ".false_hits") }) // these rise
}

// isMeasure tells a metric of which a trial has a figure from 0 to 1, and no verdict.
func isMeasure(metric string) bool { return eval.Score{Name: metric}.IsMeasure() }

func isRated(metric string) bool { return isOneOf(metric, rated(), isMoment) }

// isOneOf tells a metric of the list; fits judges what stands in the open place.
func isOneOf(metric string, list []string, fits func(string) bool) bool {
	return slices.ContainsFunc(list, func(known string) bool {
		family, isOpen := strings.CutSuffix(known, open)
		name, inside := strings.CutPrefix(metric, family)
		return isOpen && inside && name != "" && fits(name) || metric == known
	})
}

// isMoment tells a mean or a percentile of times.
func isMoment(name string) bool {
	_, ok := percentile(name)
	return ok || name == "mean"
}

// factOf reads from a result what the rule compares; false: the trial is none of its
// business.
func factOf(r Rule) func(eval.Result) (fact, bool) {
	family, _, _ := strings.Cut(r.Metric, ".")
	switch {
	case r.Against == NewFailures, r.Metric == accuracy:
		return decided
	case r.Metric == macroF1:
		return func(res eval.Result) (fact, bool) { return labelled(res, "") }
	case strings.HasPrefix(r.Metric, recallOf):
		label := strings.TrimPrefix(r.Metric, recallOf)
		return func(res eval.Result) (fact, bool) { return labelled(res, label) }
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

// labelled are the decisions of the turns with that primary label; "": of all. They
// are known where none of those turns was lost.
func labelled(r eval.Result, label string) (fact, bool) {
	f := fact{epoch: r.Epoch, known: true}
	for _, j := range r.Decisions() {
		if label == "" || j.Want.Primary() == label {
			f.known = f.known && j.Verdict != eval.Unjudged
			f.turns = append(f.turns, j)
		}
	}
	return f, len(f.turns) > 0
}

func scored(r eval.Result, metric string) (fact, bool) {
	for _, s := range r.Scores {
		if name, v := s.Measures(); name == metric {
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
	return fact{epoch: r.Epoch, known: s.Verdict != eval.Unjudged, right: s.Verdict == eval.Pass}
}

// timed has the times of the turns that were answered, and not by an apology; of an
// episode that of the whole trial. What failed, or ends in an apology for what failed,
// should have had a time.
func timed(r eval.Result, family string) (fact, bool) {
	f := fact{epoch: r.Epoch, known: true}
	sorry := false
	for _, t := range r.Turns {
		f.known = f.known && !t.IsLost()
		sorry = sorry || t.Failure != ""
		switch {
		case !t.IsTimed():
		case family == "latency":
			f.values = append(f.values, float64(t.Took))
		case family == "ttft" && t.TTFT != nil:
			f.values = append(f.values, float64(*t.TTFT))
		}
	}
	if family == "episode" && !sorry {
		f.values = []float64{float64(r.Took)}
	}
	return f, !f.known || len(f.values) > 0
}

func spent(r eval.Result, metric string) (fact, bool) {
	f := fact{epoch: r.Epoch, known: true, values: []float64{0}}
	switch metric {
	case "cost.usd", "cost.usd_per_1000":
		if f.known = r.Cost != nil; f.known {
			f.values[0] = *r.Cost
		}
	case "calls.mean":
		f.known, f.values[0] = !r.IsUntold(), float64(r.Calls)
	case "tokens.in", "tokens.in_mean":
		f.known, f.values[0] = r.Tokens.Uncounted == 0, float64(r.Tokens.In)
	case "tokens.out", "tokens.out_mean":
		f.known, f.values[0] = r.Tokens.Uncounted == 0, float64(r.Tokens.Out)
	}
	return f, true
}
