package gate

import (
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval"
)

// Suite is what rules may ask of one of a run's suites.
type Suite struct {
	System     system.System // the zero one: nobody knows, and any metric may be measured
	Labels     []string      // of a system whose labels are the dataset's own; nil: any
	OutOfScope bool          // a label stands for all else
	Tags       []string      // that cases have; nil: any
	Matrix     bool          // it is the fault matrix
	Repeats    bool          // cases are played in several epochs
	Cells      []Cell
}

// open stands in a metric's name for one of a set that nobody declares.
const open = "*"

// measures tells whether some run of the suite has the metric.
func (s Suite) measures(metric string) bool {
	return s.System.Name == "" || slices.ContainsFunc(s.metrics(), func(known string) bool {
		before, after, isOpen := strings.Cut(known, open)
		if !isOpen {
			return metric == known
		}
		return len(metric) > len(before)+len(after) && strings.HasPrefix(metric, before) && strings.HasSuffix(metric, after)
	})
}

// metrics are all that a run of the suite may have, by what its system declares.
func (s Suite) metrics() []string {
	list := []string{"route.accuracy", "route.primary", "route.macro_f1", "fallback.rate", "fallback.correct", "fallback.recovered", "served.correct",
		"missing.rate", "unjudged.rate", "apology.rate", "apology." + open, "events.in_order", "genui.conform",
		"tokens.in", "tokens.out", "tokens.in_mean", "tokens.out_mean", "cost.usd", "cost.usd_per_1000", "calls.mean", "calls.refused", "calls.retried", "cached.rate", "calls.peak", "calls.peak_mean", "batch.messages_mean", "node." + open + ".calls"}
	list = append(list, joined([]string{"route.precision", "route.recall", "route.f1"}, s.labels())...)
	list = append(list, joined([]string{"latency", "latency.apology", "latency.batch", "latency.single", "episode", "ttft", "node." + open, "step." + open},
		[]string{"p50", "p90", "p95", "p99", "mean"})...)
	list = append(list, joined([]string{"queue", "backoff"}, []string{"p50", "p90", "p95", "p99", "mean", "max"})...)
	list = append(list, joined([]string{"router.by"}, s.System.Sources)...)
	for _, slot := range s.System.Contract.Slots {
		list = append(list, "slots."+slot, "slots."+slot+".false_hits")
	}
	for _, k := range eval.ErrorKinds() {
		list = append(list, "errors."+string(k))
	}
	list = append(list, s.found()...)
	list = append(list, s.decidedAgain()...)
	if s.has(system.Writes) {
		list = append(list, "form.conformity")
		for _, p := range s.System.Parts {
			if p.IsAskedInForm() {
				list = append(list, "form.conformity."+p.In())
			}
		}
	}
	if s.Matrix {
		list = append(list, joined([]string{"fault"}, []string{"struck", "correct", "recovered", "misrouted", "added_p95", "added_calls", "added_tokens"})...)
	}
	if s.has(system.Judges) {
		list = append(list, joined([]string{"critic"}, []string{"pass_rate", "loops_mean", "exhausted_rate", "oscillation_rate",
			"first_attempt_good", "delivered_good", "good_gain", "gain_per_loop", "raw_gain_per_loop", "false_accept", "false_reject", "second.calls", "second.tokens", "second.cost"})...)
	}
	if s.Repeats {
		list = append(list, "route.consistency", "route.pass_k")
	}
	if s.System.Decider().Name != "" {
		list = append(list, joined([]string{"confidence"}, []string{"ece", "brier", "auroc"})...)
		list = append(list, "router.answer_used", "router.answer_unused."+open, "router.decided_instead."+open)
	}
	if s.OutOfScope {
		list = append(list, joined([]string{"oos"}, []string{"recall", "precision", "false_acceptance", "false_rejection", "in_scope_accuracy"})...)
	}
	return list
}

// has tells that some part does such work.
func (s Suite) has(work system.Work) bool {
	return slices.ContainsFunc(s.System.Parts, func(p system.Part) bool { return p.Work == work })
}

// found are those of what is looked for.
func (s Suite) found() (list []string) {
	if s.System.Contract.Finds != "" {
		list = append(list, "retrieval.hit_rate", "retrieval.false_hits")
	}
	if s.System.Contract.FindsAll {
		for _, first := range eval.RecallDepths() {
			list = append(list, eval.RecallAt(first))
		}
		list = append(list, eval.RankScore)
	}
	return append(list, s.stated()...)
}

// stated are those of the facts that answers state, and sessions remember.
func (s Suite) stated() (list []string) {
	if s.System.Contract.Facts != "" {
		list = append(list, eval.CoverageScore, eval.VerbatimScore)
		if s.has(system.Grades) {
			list = append(list, joined([]string{"facts"}, []string{"graded", "grader_agreement", "grader_kappa", "grader.calls", "grader.tokens", "grader.cost"})...)
		}
	}
	if s.System.Contract.Remembers != "" {
		list = append(list, "compression.ratio", eval.KeptScore)
	}
	if s.has(system.Keeps) {
		list = append(list, "cache.hit_rate", "cache.calls_saved", "cache.errors")
	}
	return list
}

// decidedAgain are those of what is decided again and again, and of further labels.
func (s Suite) decidedAgain() (list []string) {
	for _, field := range slices.Concat(s.System.Contract.Also, s.System.Contract.Aspects) {
		list = append(list, field+besides)
	}
	if s.System.Contract.Path == "" {
		return list
	}
	list = append(list, "path.exact")
	return append(list, joined([]string{"supervisor"}, []string{"correction_rate", "correction_rate." + open,
		"asked_again_rate", "asked_again_rate." + open, "steps_mean", "exhausted_rate"})...)
}

func (s Suite) labels() []string {
	switch {
	case !s.System.Contract.IsOpen():
		return s.System.Contract.Labels
	case s.Labels != nil:
		return s.Labels
	}
	return []string{open}
}

func joined(families, names []string) (list []string) {
	for _, f := range families {
		for _, n := range names {
			list = append(list, f+"."+n)
		}
	}
	return list
}
