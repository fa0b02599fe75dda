package finding

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/eval/metric"
)

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

// MatrixStateOf returns the state of a condition in a fault matrix, based on its metrics.
func MatrixStateOf(c eval.ConditionSummary) MatrixState {
	correct, isScored := c.Metrics[eval.FaultCorrectScore]
	switch {
	case Numerator(c.Metrics["fault.affected"]) == 0:
		return NotTriggered
	case !isScored:
		return Unspecified
	case Numerator(correct) < ScorableTrials(c):
		return Unexpected
	case correct.N < Numerator(c.Metrics["fault.affected"]):
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
func FaultMatrixRows(s eval.SuiteSummary) (list []FaultEffect) {
	for _, c := range s.Conditions {
		if cmp.Or(c.Fault, eval.NoFault) == eval.NoFault {
			continue
		}
		h := FaultEffect{Variant: c.Variant, Conditions: []eval.ConditionSummary{c}}
		if at := slices.IndexFunc(list, h.hasSameOutcome); at >= 0 {
			list[at].Conditions = append(list[at].Conditions, c)
			continue
		}
		list = append(list, h)
	}
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

// State returns the state of the conditions in the row, which is the same for all.
func (h FaultEffect) State() MatrixState { return MatrixStateOf(h.Conditions[0]) }

// unexpectedTrials returns the number of trials that did not have the expected outcome.
func (h FaultEffect) unexpectedTrials() int64 {
	return ScorableTrials(h.Conditions[0]) - Numerator(h.Conditions[0].Metrics[eval.FaultCorrectScore])
}

func (h FaultEffect) misrouted() int64 { return Numerator(h.Conditions[0].Metrics["fault.misrouted"]) }

// hasSameOutcome reports whether two conditions of a component have equal values except for times,
// so that one row can represent both.
func (h FaultEffect) hasSameOutcome(o FaultEffect) bool {
	if h.Variant != o.Variant || h.Component() != o.Component() || h.State() != o.State() ||
		h.Conditions[0].OurDecision != o.Conditions[0].OurDecision {
		return false
	}
	a, b := h.Conditions[0], o.Conditions[0]
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
func (h FaultEffect) AffectsFewTrials() bool { return isWeak(h.Conditions[0]) }

func isWeak(c eval.ConditionSummary) bool {
	n := Numerator(c.Metrics["fault.affected"])
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
		for _, c := range s.Conditions {
			if !s.FaultMatrix || cmp.Or(c.Fault, eval.NoFault) == eval.NoFault {
				continue
			}
			state := MatrixStateOf(c)
			t.Conditions++
			t.States[state]++
			t.MisroutedTrials += Numerator(c.Metrics["fault.misrouted"])
			if state != Unspecified && state != NotTriggered {
				t.ScoredConditions++
				if c.OurDecision {
					t.OurDecisions++
				}
			}
			if isWeak(c) {
				t.FewAffected++
			}
		}
	}
	return t
}
