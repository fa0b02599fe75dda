package finding

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// FaultEffect is what one fault, or several of one component that come to the same, do
// to a variant.
type FaultEffect struct {
	Variant    string
	Conditions []eval.ConditionSummary // one a fault; equal in all that is shown of them but latency
	Outcome    *eval.FaultOutcome      // of the first, and equal in all; nil: unknown
}

// Hits are a suite's faults, those that hurt most first, then the slowest.
func Hits(s eval.SuiteSummary) []FaultEffect {
	var list []FaultEffect
	for _, c := range s.Conditions {
		if cmp.Or(c.Fault, eval.NoFault) == eval.NoFault {
			continue
		}
		h := FaultEffect{Variant: c.Name, Conditions: []eval.ConditionSummary{c}, Outcome: fate(s, c)}
		if at := slices.IndexFunc(list, h.same); at >= 0 {
			list[at].Conditions = append(list[at].Conditions, c)
			continue
		}
		list = append(list, h)
	}
	slices.SortStableFunc(list, func(a, b FaultEffect) int {
		return cmp.Or(cmp.Compare(b.hurt(), a.hurt()), cmp.Compare(b.slowest(), a.slowest()))
	})
	return list
}

func fate(s eval.SuiteSummary, c eval.ConditionSummary) *eval.FaultOutcome {
	at := slices.IndexFunc(s.FaultOutcomes, func(f eval.FaultOutcome) bool { return f.Variant == c.Name && f.Fault == c.Fault })
	if at < 0 {
		return nil
	}
	return &s.FaultOutcomes[at]
}

// same tells faults of the same component that come to the same for a variant.
func (h FaultEffect) same(o FaultEffect) bool {
	if h.Variant != o.Variant || h.Component() != o.Component() || (h.Outcome == nil) != (o.Outcome == nil) {
		return false
	}
	a, b := h.Conditions[0], o.Conditions[0]
	for _, name := range []string{accuracy, "fallback.rate", "fallback.recovered", "error_reply.rate"} {
		x, y := a.Metrics[name], b.Metrics[name]
		if Share(x) != Share(y) || name != "fallback.rate" && Count(x) != Count(y) || x.Missing != y.Missing {
			return false
		}
	}
	if h.Outcome == nil {
		return true
	}
	x, y := *h.Outcome, *o.Outcome
	return x.NowWrong == y.NowWrong && x.Broken == y.Broken && x.NowErrorReply == y.NowErrorReply && x.NowUnscored == y.NowUnscored && x.Fixed == y.Fixed && x.Trials == y.Trials
}

// Component is what fails; all of a fault that joins several.
func (h FaultEffect) Component() string {
	fault := h.Conditions[0].Fault
	component, _, _ := strings.Cut(fault, ":")
	if strings.Contains(fault, "+") {
		return fault
	}
	return component
}

// Kinds are how it fails, none where the component says all.
func (h FaultEffect) Kinds() (list []string) {
	for _, c := range h.Conditions {
		if kind := strings.TrimPrefix(c.Fault, h.Component()+":"); kind != c.Fault {
			list = append(list, kind)
		}
	}
	return list
}

// Faults are their names, as the run has them.
func (h FaultEffect) Faults() (list []string) {
	for _, c := range h.Conditions {
		list = append(list, c.Fault)
	}
	return list
}

// hurt is the share of trials that the faults cost something; below none where
// it is unknown.
func (h FaultEffect) hurt() float64 {
	if h.Outcome == nil || h.Outcome.Trials == 0 {
		return -1
	}
	return float64(h.Outcome.Degraded()) / float64(h.Outcome.Trials)
}

// P95 is the range of the latencies, in milliseconds; false without any.
func (h FaultEffect) P95() (lo, hi float64, ok bool) {
	for _, c := range h.Conditions {
		if v := c.Metrics[p95].Value; number.IsKnown(v) {
			if !ok {
				lo, hi, ok = *v, *v, true
			}
			lo, hi = min(lo, *v), max(hi, *v)
		}
	}
	return lo, hi, ok
}

const p95 = "latency.p95"

func (h FaultEffect) slowest() float64 {
	_, hi, _ := h.P95()
	return hi
}

// worstFault says what hurts most of all that is judged.
func worstFault(s suite) *Sentence {
	hits := Hits(s.SuiteSummary)
	at := slices.IndexFunc(hits, func(h FaultEffect) bool { return h.hurt() > 0 && !slices.ContainsFunc(h.Conditions, lacking) })
	if at < 0 {
		return nil
	}
	h := hits[at]
	out := &Sentence{Kind: Fault}
	if slices.ContainsFunc(s.Conditions, lacking) {
		out.say("Worst fault with enough scored cases: ")
	}
	plain, _ := s.condition(h.Variant, eval.NoFault)
	out.toll(h, plain, s.unit())
	if h.recovers() {
		out.say(". Every fallback still answers")
	}
	return out
}

// toll is what a fault costs most. What it leaves without a verdict, or makes an
// apology, is counted as in the table: all that there is under the fault.
func (out *Sentence) toll(h FaultEffect, plain eval.ConditionSummary, unit string) {
	f, condition := *h.Outcome, h.Conditions[0]
	cases := Cases{Variant: h.Variant, Fault: condition.Fault}
	switch lost, of := missingShare(condition); {
	case f.NowErrorReply > max(f.Broken, f.NowUnscored):
		e := condition.Metrics["error_reply.rate"]
		out.faults(h)
		out.say(": ")
		out.say(number.Thousands(Count(e)) + " of " + number.Plural(e.N, unit))
		cases.Result = errorReplies
		out.of(cases, 1)
		out.say(" of ")
		out.variants(h.Variant)
		if Count(e) == 1 {
			out.say(" ends in an error reply")
		} else {
			out.say(" end in an error reply")
		}
		if n := Count(plain.Metrics["error_reply.rate"]); n > 0 {
			out.say(" (" + number.Thousands(n) + " without the fault)")
		}
		return
	case f.NowUnscored > f.Broken:
		out.faults(h)
		out.say(": ")
		out.say(number.Thousands(lost) + " of " + number.Plural(of, unit))
		cases.Result = unscoredCases
		out.of(cases, 1)
		out.say(" of ")
		out.variants(h.Variant)
		out.say(" are unscored")
		return
	}
	out.faults(h)
	if len(h.Conditions) > 1 {
		out.say(" each break ")
	} else {
		out.say(" breaks ")
	}
	out.say(number.Plural(f.Broken, "correct decision"))
	if unit == "case" {
		cases.Change = lostCases
		out.of(cases, 1)
	}
	out.say(" of ")
	out.variants(h.Variant)
	if unit == "trial" {
		out.say(" in " + number.Plural(f.Trials, unit))
	}
	if f.Fixed == 0 {
		return
	}
	verb := " and fixes "
	if len(h.Conditions) > 1 {
		verb = " and fix "
	}
	out.say(verb)
	out.say(number.Thousands(f.Fixed))
	if unit == "case" {
		cases.Change = gainedCases
		out.of(cases, 1)
	}
}

// Effect is what a fault does to the accuracy, in points over the trials that are judged
// with it and without; false where most has no verdict. Even tells that no verdict changed.
func Effect(f *eval.FaultOutcome, c eval.ConditionSummary) (points float64, even, ok bool) {
	if e := c.Metrics[accuracy]; f == nil || f.Scored == 0 || !number.IsKnown(e.Value) || e.Missing > e.N {
		return 0, false, false
	}
	return float64(f.Fixed-f.Broken) / float64(f.Scored), f.Fixed == 0 && f.Broken == 0, true
}

// recovers tells faults after which every fallback answered.
func (h FaultEffect) recovers() bool {
	return !slices.ContainsFunc(h.Conditions, func(c eval.ConditionSummary) bool {
		e := c.Metrics["fallback.recovered"]
		return !number.IsKnown(e.Value) || *e.Value != 1 || e.Missing > 0
	})
}

// faults names all of them, or beside the tables the first.
func (out *Sentence) faults(h FaultEffect) {
	names, kinds := h.Faults(), h.Kinds()
	if len(names) == 1 || len(kinds) < len(names) {
		mark := len(out.Parts)
		out.list(Name, names, " and ")
		out.under(h.Variant, hurtCases, mark)
		return
	}
	out.brief(names[0] + " and " + number.Thousands(int64(len(names)-1)) + " more")
	out.aside(h.Component() + " (" + strings.Join(kinds[:len(kinds)-1], ", ") + " and " + kinds[len(kinds)-1] + ")")
	out.of(Cases{Variant: h.Variant, Fault: names[0], Result: hurtCases}, 2)
}

// slowest says which fault makes answers slowest.
func slowest(s suite) *Sentence {
	var slow, plain eval.ConditionSummary
	var most float64
	for _, c := range s.Conditions {
		before, ok := s.condition(c.Name, eval.NoFault)
		with, without := c.Metrics[p95], before.Metrics[p95]
		if !ok || c.Fault == before.Fault || !number.IsKnown(with.Value) || !number.IsKnown(without.Value) || min(with.N, without.N) < few {
			continue
		}
		if *with.Value >= 1.5**without.Value && *with.Value > most {
			slow, plain, most = c, before, *with.Value
		}
	}
	if most == 0 {
		return nil
	}
	out := &Sentence{Kind: Slow}
	out.say("Slowest fault: ")
	out.name(slow.Fault)
	out.of(Cases{Variant: slow.Name, Fault: slow.Fault}, 1)
	if HasTurns(s.SuiteSummary) {
		out.say(" raises the turn p95 of ")
	} else {
		out.say(" raises p95 of ")
	}
	out.variants(slow.Name)
	out.say(" from " + number.Time(*plain.Metrics[p95].Value) + " to " + number.Time(most))
	return out
}
