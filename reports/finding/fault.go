package finding

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// FaultEffect is the effect of a fault on the results of a variant. It represents several faults of
// a component if their effects are equal.
type FaultEffect struct {
	Variant    string
	Conditions []eval.ConditionSummary // one for each fault; their displayed values are equal, except latency
	Outcome    *eval.FaultOutcome      // outcome of the trials, equal for all conditions; nil: unknown
}

// FaultEffects returns the effects of all faults in a suite. The most harmful fault comes first;
// equally harmful ones are sorted by latency, slowest first.
func FaultEffects(s eval.SuiteSummary) []FaultEffect {
	list := groupFaults(s, FaultEffect.hasSameEffect)
	slices.SortStableFunc(list, func(a, b FaultEffect) int {
		return cmp.Or(cmp.Compare(b.degradedShare(), a.degradedShare()), cmp.Compare(b.slowest(), a.slowest()))
	})
	return list
}

// groupFaults returns the effects of all faults. Faults of a component that are the same for a
// variant share one.
func groupFaults(s eval.SuiteSummary, same func(a, b FaultEffect) bool) (list []FaultEffect) {
	for _, c := range s.Conditions {
		if !hasFault(c) {
			continue
		}
		h := FaultEffect{Variant: c.Variant, Conditions: []eval.ConditionSummary{c}, Outcome: faultOutcome(s, c)}
		at := slices.IndexFunc(list, func(o FaultEffect) bool {
			return o.Variant == h.Variant && o.Component() == h.Component() && same(o, h)
		})
		if at < 0 {
			list = append(list, h)
		} else {
			list[at].Conditions = append(list[at].Conditions, c)
		}
	}
	return list
}

func faultOutcome(s eval.SuiteSummary, c eval.ConditionSummary) *eval.FaultOutcome {
	at := slices.IndexFunc(s.FaultOutcomes,
		func(f eval.FaultOutcome) bool { return f.Variant == c.Variant && f.Fault == c.Fault })
	if at < 0 {
		return nil
	}
	return &s.FaultOutcomes[at]
}

// hasSameEffect reports whether two faults have the same effect, so that one row of the fault table
// can represent both.
func (h FaultEffect) hasSameEffect(o FaultEffect) bool {
	if (h.Outcome == nil) != (o.Outcome == nil) {
		return false
	}
	a, b := h.Conditions[0], o.Conditions[0]
	for _, name := range []string{accuracy, "fallback.rate", "fallback.recovered", "error_reply.rate"} {
		x, y := a.Metrics[name], b.Metrics[name]
		if FormatShare(x) != FormatShare(y) || name != "fallback.rate" && Numerator(x) != Numerator(y) ||
			x.Missing != y.Missing {
			return false
		}
	}
	if h.Outcome == nil {
		return true
	}
	x, y := *h.Outcome, *o.Outcome
	return x.NowWrong == y.NowWrong && x.Broken == y.Broken && x.NowErrorReply == y.NowErrorReply &&
		x.NowUnscored == y.NowUnscored && x.Fixed == y.Fixed && x.Trials == y.Trials
}

// Component returns the component that the fault makes fail, such as "router". For a combination of
// faults, it returns the whole name.
func (h FaultEffect) Component() string {
	fault := h.Conditions[0].Fault
	component, _, _ := strings.Cut(fault, ":")
	if strings.Contains(fault, "+") {
		return fault
	}
	return component
}

// FaultKinds returns the kinds of the faults, such as "timeout". It returns nil for a combination
// of faults, which has no single kind.
func (h FaultEffect) FaultKinds() (list []string) {
	for _, c := range h.Conditions {
		if kind := strings.TrimPrefix(c.Fault, h.Component()+":"); kind != c.Fault {
			list = append(list, kind)
		}
	}
	return list
}

// FaultNames returns the names of the faults, such as "router:timeout".
func (h FaultEffect) FaultNames() (list []string) {
	for _, c := range h.Conditions {
		list = append(list, c.Fault)
	}
	return list
}

// degradedShare returns the share of trials whose result gets worse under the fault. It is negative
// if this is unknown.
func (h FaultEffect) degradedShare() float64 {
	if h.Outcome == nil || h.Outcome.Trials == 0 {
		return -1
	}
	return float64(h.Outcome.Degraded()) / float64(h.Outcome.Trials)
}

// P95Range returns the lowest and the highest p95 latency under the faults, in milliseconds. It
// returns false if none is known.
func (h FaultEffect) P95Range() (lo, hi float64, ok bool) {
	for _, c := range h.Conditions {
		if v := c.Metrics[p95].Value; metric.IsKnown(v) {
			if !ok {
				lo = *v
				hi = *v
				ok = true
			}
			lo, hi = min(lo, *v), max(hi, *v)
		}
	}
	return lo, hi, ok
}

func (h FaultEffect) slowest() float64 {
	_, hi, _ := h.P95Range()
	return hi
}

// worstFault describes the most harmful fault, among those with enough scored trials, by its largest
// effect: error replies, unscored trials or broken decisions. For the first two, it counts all trials
// under the fault, so that the numbers equal those in the fault table.
func worstFault(s eval.SuiteSummary) values {
	hits := FaultEffects(s)
	at := slices.IndexFunc(hits, func(h FaultEffect) bool {
		return h.degradedShare() > 0 && !slices.ContainsFunc(h.Conditions, hasMissing)
	})
	if at < 0 {
		return nil
	}
	h := hits[at]
	f, condition := *h.Outcome, h.Conditions[0]
	v := values{"faults": h.names(), "n": len(h.Conditions), "variant": variants(h.Variant)}
	if slices.ContainsFunc(s.Conditions, hasMissing) {
		v["scope"] = "Worst fault with enough scored cases"
	}
	if !slices.ContainsFunc(h.Conditions, func(c eval.ConditionSummary) bool {
		e := c.Metrics["fallback.recovered"]
		return !metric.IsKnown(e.Value) || *e.Value != 1 || e.Missing > 0
	}) {
		v["recovery"] = "Every fallback still answers"
	}
	cases := CaseFilter{Variant: h.Variant, Fault: condition.Fault}
	switch {
	case f.NowErrorReply > max(f.Broken, f.NowUnscored):
		e := condition.Metrics["error_reply.rate"]
		cases.Result = errorReplies
		v["errorReplies"] = linked(metric.FormatInteger(Numerator(e))+" of "+metric.Plural(e.N, unit(s)), cases)
		v["errorCount"] = Numerator(e)
		plain, _ := conditionOf(s, h.Variant, eval.NoFault)
		if n := Numerator(plain.Metrics["error_reply.rate"]); n > 0 {
			v["without"] = n
		}
		return v
	case f.NowUnscored > f.Broken:
		lost, of := missingShare(condition)
		cases.Result = unscoredCases
		v["unscored"] = linked(metric.FormatInteger(lost)+" of "+metric.Plural(of, unit(s)), cases)
		return v
	}
	v["broken"] = metric.Plural(f.Broken, "correct decision")
	if f.Fixed > 0 {
		v["fixed"] = f.Fixed
	}
	if s.Epochs > 1 {
		v["trials"] = metric.Plural(f.Trials, "trial")
		return v
	}
	cases.Change = brokenByVariant
	v["broken"] = linked(v["broken"], cases)
	cases.Change = fixedByVariant
	v["fixed"] = linked(v["fixed"], cases)
	return v
}

// names returns the names of all faults for a sentence that is shown alone. For a sentence next to
// the tables, it returns only the first.
func (h FaultEffect) names() clause {
	names, kinds := h.FaultNames(), h.FaultKinds()
	if len(names) == 1 || len(kinds) < len(names) {
		return linkedFaults(h.Variant, degradedCases, names)
	}
	last := len(kinds) - 1
	return linked(fill("{short}[{component} ({kinds} and {last})]", values{
		"short":     clause{{Text: names[0] + more(last), Role: WithTableOnly}},
		"component": h.Component(),
		"kinds":     strings.Join(kinds[:last], ", "),
		"last":      kinds[last],
	}), CaseFilter{Variant: h.Variant, Fault: names[0], Result: degradedCases})
}

// AccuracyChange returns how much a fault changes the accuracy, as a fraction: 0.05 is 5 percentage
// points. It compares only trials that are scored with and without the fault. even is true if the
// fault changed no verdict. ok is false if most trials are unscored.
func AccuracyChange(f *eval.FaultOutcome, c eval.ConditionSummary) (points float64, even, ok bool) {
	if e := c.Metrics[accuracy]; f == nil || f.Scored == 0 || !metric.IsKnown(e.Value) || e.Missing > e.N {
		return 0, false, false
	}
	return float64(f.Fixed-f.Broken) / float64(f.Scored), f.Fixed == 0 && f.Broken == 0, true
}

// slowestFault names the fault with the highest latency.
func slowestFault(s eval.SuiteSummary) values {
	var slow, plain eval.ConditionSummary
	var most float64
	for _, c := range s.Conditions {
		before, ok := conditionOf(s, c.Variant, eval.NoFault)
		with, without := c.Metrics[p95], before.Metrics[p95]
		if !ok || c.Fault == before.Fault || !metric.IsKnown(with.Value) || !metric.IsKnown(without.Value) ||
			min(with.N, without.N) < minPercentSample {
			continue
		}
		if *with.Value >= 1.5**without.Value && *with.Value > most {
			slow, plain, most = c, before, *with.Value
		}
	}
	if most == 0 {
		return nil
	}
	return values{
		"fault":   linked(otherNames(slow.Fault), CaseFilter{Variant: slow.Variant, Fault: slow.Fault}),
		"turn":    when(HasMultiTurnCases(s), "the turn "),
		"variant": variants(slow.Variant),
		"before":  metric.FormatTime(*plain.Metrics[p95].Value),
		"after":   metric.FormatTime(most),
	}
}

// MatrixState is the overall result of a condition in a fault matrix. A fault matrix tests whether
// faults have the expected outcomes.
type MatrixState int

// Results of a condition, the most critical last.
const (
	AsExpected        MatrixState = iota // all affected trials had the expected outcome
	PartlyUnspecified                    // as AsExpected, but some trials have no expected outcome
	Unspecified                          // no affected trial has an expected outcome
	NotTriggered                         // the fault was never triggered
	Unexpected                           // a trial had another outcome than expected, or is unscored
)

// State returns the state of the conditions in the row, which is the same for all.
func (h FaultEffect) State() MatrixState {
	affected := Numerator(h.Conditions[0].Metrics["fault.affected"])
	correct, isScored := h.Conditions[0].Metrics[eval.FaultCorrectScore]
	switch {
	case affected == 0:
		return NotTriggered
	case !isScored:
		return Unspecified
	case h.unexpectedTrials() > 0:
		return Unexpected
	case correct.N < affected:
		return PartlyUnspecified
	}
	return AsExpected
}

// ScorableTrials returns how many trials of a condition have an expected outcome, whether they
// could be scored or not.
func ScorableTrials(c eval.ConditionSummary) int64 {
	e := c.Metrics[eval.FaultCorrectScore]
	return e.N + max(e.Missing-Numerator(c.Metrics["fault.unspecified"]), 0)
}

// FaultMatrixRows returns the rows of a fault matrix, worst first, then in the order of the suite.
// Conditions of one component with equal values share a row; only their times may differ.
func FaultMatrixRows(s eval.SuiteSummary) []FaultEffect {
	list := groupFaults(s, FaultEffect.hasSameOutcome)
	slices.SortStableFunc(list, func(a, b FaultEffect) int {
		return cmp.Or(cmp.Compare(b.State(), a.State()), cmp.Compare(b.unexpectedTrials(), a.unexpectedTrials()),
			cmp.Compare(b.misrouted(), a.misrouted()))
	})
	return list
}

// SplitRows splits rows that represent several conditions into one row for each condition.
func SplitRows(rows []FaultEffect) (list []FaultEffect) {
	for _, h := range rows {
		for _, c := range h.Conditions {
			list = append(list, FaultEffect{Variant: h.Variant, Conditions: []eval.ConditionSummary{c}})
		}
	}
	return list
}

// unexpectedTrials returns the number of trials that did not have the expected outcome.
func (h FaultEffect) unexpectedTrials() int64 {
	return ScorableTrials(h.Conditions[0]) - Numerator(h.Conditions[0].Metrics[eval.FaultCorrectScore])
}

func (h FaultEffect) misrouted() int64 { return Numerator(h.Conditions[0].Metrics["fault.misrouted"]) }

// hasSameOutcome reports whether two conditions have equal values except for times, so that one row
// can represent both.
func (h FaultEffect) hasSameOutcome(o FaultEffect) bool {
	a, b := h.Conditions[0], o.Conditions[0]
	if h.State() != o.State() || a.OurDecision != b.OurDecision {
		return false
	}
	for _, name := range []string{"fault.affected", eval.FaultCorrectScore, "fault.recovered", "fault.misrouted"} {
		x, y := a.Metrics[name], b.Metrics[name]
		if Numerator(x) != Numerator(y) || x.N != y.N || x.Missing != y.Missing {
			return false
		}
	}
	return true
}

// MetricRange returns the lowest and the highest value of a metric in the conditions. It returns
// false if a condition does not have the metric.
func (h FaultEffect) MetricRange(key string) (lo, hi float64, ok bool) {
	for i, c := range h.Conditions {
		v := c.Metrics[key].Value
		if !metric.IsKnown(v) {
			return 0, 0, false
		}
		if i == 0 {
			lo, hi = *v, *v
		}
		lo, hi = min(lo, *v), max(hi, *v)
	}
	return lo, hi, len(h.Conditions) > 0
}

// weakBelow is the minimum number of trials that a fault must affect for a reliable result.
const weakBelow = 3

// AffectsFewTrials reports whether the fault affected only one or two trials, so that the result is
// not reliable.
func (h FaultEffect) AffectsFewTrials() bool {
	n := Numerator(h.Conditions[0].Metrics["fault.affected"])
	return 0 < n && n < weakBelow
}

// MatrixTotals counts the conditions of one or more fault matrices, as a summary.
type MatrixTotals struct {
	Conditions       int64                 // number of conditions with a fault
	States           map[MatrixState]int64 // number of conditions in each state
	ScoredConditions int64                 // conditions with at least one scored trial
	OurDecisions     int64                 // scored conditions whose expected outcome is our decision
	FewAffected      int64                 // conditions in which the fault affected one or two trials
	MisroutedTrials  int64                 // number of trials, not conditions
}

// CountMatrix counts the conditions of those suites that are fault matrices.
func CountMatrix(suites ...eval.SuiteSummary) MatrixTotals {
	t := MatrixTotals{States: map[MatrixState]int64{}}
	for _, s := range suites {
		if !s.FaultMatrix {
			continue
		}
		for _, h := range SplitRows(FaultMatrixRows(s)) {
			state := h.State()
			t.Conditions++
			t.States[state]++
			t.MisroutedTrials += h.misrouted()
			if state != Unspecified && state != NotTriggered {
				t.ScoredConditions++
				if h.Conditions[0].OurDecision {
					t.OurDecisions++
				}
			}
			if h.AffectsFewTrials() {
				t.FewAffected++
			}
		}
	}
	return t
}
