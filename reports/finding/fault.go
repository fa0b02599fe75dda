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

// DegradedShare returns the share of trials whose result gets worse under the fault. It has no value
// if this is unknown.
func (h FaultEffect) DegradedShare() (e eval.Estimate) {
	if share := h.degradedShare(); share >= 0 {
		e.Value, e.N = &share, h.Outcome.Trials
	}
	return e
}

// degradedShare is the value of [FaultEffect.DegradedShare]. It is negative if this is unknown.
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

// WorstFault returns the fault that makes the largest share of the trials worse. Every report that
// names a worst fault uses it. ok is false if no fault makes a trial worse.
func WorstFault(s eval.SuiteSummary) (worst FaultEffect, ok bool) {
	list := FaultEffects(s)
	if len(list) == 0 || list[0].degradedShare() <= 0 {
		return worst, false
	}
	return list[0], true
}

// DegradedClass counts the trials that a fault makes worse in one way.
type DegradedClass struct {
	Trials int64
	Result string // value of [CaseFilter.Result] that selects the trials
	Name   string // such as "broken"
}

// linkedFaults names faults and links each to the variant's cases with the given result under it.
func linkedFaults(variant, result string, names []string) clause {
	list := eachName(OtherName, names)
	for i, name := range names {
		list[i] = linked(list[i], CaseFilter{Variant: variant, Fault: name, Result: result})
	}
	return enumerate(list)
}

// FailedOrUnscored names the trials that have no answer because of an error, or no score.
const FailedOrUnscored = "failed or unscored"

// NotScored names the trials of labeled cases whose decision has no score, for example because they failed or
// ended with an error reply.
const NotScored = "not scored"

// MoreFallbacks names the trials whose only difference from the trial without the fault is the number of
// fallbacks.
const MoreFallbacks = "more fallbacks, same label"

// DegradedClasses returns the ways in which the fault makes trials worse, without those that do not
// occur. Each trial is in one class, so that the sum is [eval.FaultOutcome.Degraded].
func (h FaultEffect) DegradedClasses() (list []DegradedClass) {
	if h.Outcome == nil {
		return nil
	}
	errorReplies := "error replies"
	if h.Outcome.NowErrorReply == 1 {
		errorReplies = "error reply"
	}
	for _, c := range []DegradedClass{
		{h.Outcome.NowWrong, nowWrong, "broken"},
		{h.Outcome.NowErrorReply, nowErrorReply, errorReplies},
		{h.Outcome.NowUnscored, nowUnscored, FailedOrUnscored},
	} {
		if c.Trials > 0 {
			list = append(list, c)
		}
	}
	return list
}

// worstFault describes the effect of the worst fault.
func worstFault(s eval.SuiteSummary) values {
	h, ok := WorstFault(s)
	if !ok {
		return nil
	}
	cases := CaseFilter{Variant: h.Variant, Fault: h.Conditions[0].Fault, Result: degradedCases}
	worse := metric.FormatInteger(h.Outcome.Degraded()) + " of " + metric.Plural(h.Outcome.Trials, unit(s))
	if h.Outcome.Degraded() == h.Outcome.Trials {
		worse = "all " + metric.Plural(h.Outcome.Trials, unit(s))
	}
	classes := h.DegradedClasses()
	var parts []clause
	for _, c := range classes {
		text := metric.FormatInteger(c.Trials) + " " + c.Name
		if len(classes) == 1 && c.Trials > 1 {
			text = "all " + c.Name
		}
		cases.Result = c.Result
		parts = append(parts, linked(text, cases))
	}
	cases.Result = degradedCases
	v := values{
		"faults":  h.names(),
		"n":       len(h.Conditions),
		"variant": variants(h.Variant),
		"worse":   linked(worse, cases),
		"classes": enumerate(parts),
	}
	if h.Outcome.Fixed > 0 {
		v["fixed"] = metric.Plural(h.Outcome.Fixed, "wrong decision")
		if s.Epochs <= 1 {
			cases.Result, cases.Change = "", fixedByVariant
			v["fixed"] = linked(v["fixed"], cases)
		}
	}
	if !slices.ContainsFunc(h.Conditions, func(c eval.ConditionSummary) bool {
		e := c.Metrics["fallback.recovered"]
		return !metric.IsKnown(e.Value) || *e.Value != 1 || e.Missing > 0
	}) {
		v["recovery"] = "Every fallback still answers"
	}
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

// lacksLatencies reports whether too many turns of a condition have no latency to compare it with
// another condition. The turns that a fault leaves without an answer are often the slowest.
func lacksLatencies(c eval.ConditionSummary) bool {
	e := c.Metrics[p95]
	return float64(e.Missing) > tolerableMissing*float64(e.N+e.Missing)
}

// P95Ratio returns the p95 latency under a fault divided by that of plain, the condition of the
// variant without a fault. ok is false if a p95 is unknown, or if more than 5 % of the turns have no
// latency in one of the two.
func P95Ratio(c, plain eval.ConditionSummary) (ratio float64, ok bool) {
	with, without := c.Metrics[p95].Value, plain.Metrics[p95].Value
	if !metric.IsKnown(with) || !metric.IsKnown(without) || *without <= 0 || lacksLatencies(c) || lacksLatencies(plain) {
		return 0, false
	}
	return *with / *without, true
}

// AnsweredTurns states how many turns the latencies of the conditions cover, such as "of 764
// answered". It returns "" if no turn lacks a latency.
func (h FaultEffect) AnsweredTurns() string {
	var counts []int64
	missing := false
	for _, c := range h.Conditions {
		counts = append(counts, c.Metrics[p95].N)
		missing = missing || c.Metrics[p95].Missing > 0
	}
	if !missing {
		return ""
	}
	text := metric.FormatInteger(slices.Max(counts))
	if least := slices.Min(counts); least < slices.Max(counts) {
		text = metric.FormatInteger(least) + "–" + text
	}
	return "of " + text + " answered"
}

// SlowRatio is the ratio of the p95 from which reports call a fault slow.
const SlowRatio = 1.5

// slowestFault names the fault with the highest latency, among those under which almost all turns
// have a latency.
func slowestFault(s eval.SuiteSummary) values {
	var slow, plain eval.ConditionSummary
	var most float64
	for _, c := range s.Conditions {
		before, ok := conditionOf(s, c.Variant, eval.NoFault)
		with, without := c.Metrics[p95], before.Metrics[p95]
		if !ok || c.Fault == before.Fault || min(with.N, without.N) < minPercentSample {
			continue
		}
		if ratio, ok := P95Ratio(c, before); ok && ratio >= SlowRatio && *with.Value > most {
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
func SplitRows(s eval.SuiteSummary, rows []FaultEffect) (list []FaultEffect) {
	for _, h := range rows {
		for _, c := range h.Conditions {
			list = append(list,
				FaultEffect{Variant: h.Variant, Conditions: []eval.ConditionSummary{c}, Outcome: faultOutcome(s, c)})
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
		for _, h := range SplitRows(s, FaultMatrixRows(s)) {
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
