package finding

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/eval/number"
)

// MatrixState is what a cell of the fault matrix came to.
type MatrixState int

// What a cell comes to, the worst last.
const (
	AsExpected        MatrixState = iota // all that was struck came to what is demanded
	PartlyUnspecified                    // so did all that could be judged, but of some nobody knows what should come
	Unspecified                          // nobody knows what should come of it
	NotTriggered                         // the fault struck nothing
	Unexpected                           // something came to something else, or has no verdict
)

// StateOf is what a cell came to.
func StateOf(c eval.ConditionSummary) MatrixState {
	correct, told := c.Metrics[eval.FaultCorrectScore]
	switch {
	case Count(c.Metrics["fault.affected"]) == 0:
		return NotTriggered
	case !told:
		return Unspecified
	case Count(correct) < ScorableTrials(c):
		return Unexpected
	case correct.N < Count(c.Metrics["fault.affected"]):
		return PartlyUnspecified
	}
	return AsExpected
}

// ScorableTrials is how many trials have a verdict on what came of the fault, or should: those left
// out of which nobody knows what should come.
func ScorableTrials(c eval.ConditionSummary) int64 {
	e := c.Metrics[eval.FaultCorrectScore]
	return e.N + max(e.Missing-Count(c.Metrics["fault.unspecified"]), 0)
}

// Matrix are the cells of a suite that is the fault matrix, those of one part that came to the
// same together: the worst first, then as the suite has them. Of what is added only the
// times may differ.
func Matrix(s eval.SuiteSummary) (list []FaultEffect) {
	for _, c := range s.Conditions {
		if cmp.Or(c.Fault, eval.NoFault) == eval.NoFault {
			continue
		}
		h := FaultEffect{Variant: c.Name, Conditions: []eval.ConditionSummary{c}}
		if at := slices.IndexFunc(list, h.cameToTheSame); at >= 0 {
			list[at].Conditions = append(list[at].Conditions, c)
			continue
		}
		list = append(list, h)
	}
	slices.SortStableFunc(list, func(a, b FaultEffect) int {
		return cmp.Or(cmp.Compare(b.State(), a.State()), cmp.Compare(b.astray(), a.astray()), cmp.Compare(b.misrouted(), a.misrouted()))
	})
	return list
}

// Single has each cell in a row of its own.
func Single(rows []FaultEffect) (list []FaultEffect) {
	for _, h := range rows {
		for _, c := range h.Conditions {
			list = append(list, FaultEffect{Variant: h.Variant, Conditions: []eval.ConditionSummary{c}})
		}
	}
	return list
}

// MatrixState is that of all cells.
func (h FaultEffect) State() MatrixState { return StateOf(h.Conditions[0]) }

// astray is how many trials came to something else than what is demanded.
func (h FaultEffect) astray() int64 {
	return ScorableTrials(h.Conditions[0]) - Count(h.Conditions[0].Metrics[eval.FaultCorrectScore])
}

func (h FaultEffect) misrouted() int64 { return Count(h.Conditions[0].Metrics["fault.misrouted"]) }

// cameToTheSame tells cells of one part whose figures are equal but for times.
func (h FaultEffect) cameToTheSame(o FaultEffect) bool {
	if h.Variant != o.Variant || h.Component() != o.Component() || h.State() != o.State() || h.Conditions[0].OurDecision != o.Conditions[0].OurDecision {
		return false
	}
	a, b := h.Conditions[0], o.Conditions[0]
	for _, name := range []string{"fault.affected", eval.FaultCorrectScore, "fault.recovered", "fault.misrouted"} {
		x, y := a.Metrics[name], b.Metrics[name]
		if Count(x) != Count(y) || x.N != y.N || x.Missing != y.Missing {
			return false
		}
	}
	return true
}

// Range is from the least to the greatest of a figure in the cells; false where one does
// not have it.
func (h FaultEffect) Range(metric string) (lo, hi float64, ok bool) {
	for i, c := range h.Conditions {
		v := c.Metrics[metric].Value
		if !number.IsKnown(v) {
			return 0, 0, false
		}
		if i == 0 {
			lo, hi = *v, *v
		}
		lo, hi = min(lo, *v), max(hi, *v)
	}
	return lo, hi, len(h.Conditions) > 0
}

// weak is of how many struck trials a cell is weak evidence.
const weak = 3

// IsWeak tells cells that struck something, but too little to say much.
func (h FaultEffect) IsWeak() bool { return isWeak(h.Conditions[0]) }

func isWeak(c eval.ConditionSummary) bool {
	n := Count(c.Metrics["fault.affected"])
	return 0 < n && n < weak
}

// MatrixTotals counts the cells of the fault matrix.
type MatrixTotals struct {
	Conditions int64
	States     map[MatrixState]int64
	Judged     int64 // cells of which something is
	Settled    int64 // of these: what is demanded the house has settled
	Weak       int64 // cells of fewer than three struck trials
	Misrouted  int64 // trials
}

// TallyOf counts the cells of suites that are the fault matrix.
func TallyOf(suites ...eval.SuiteSummary) MatrixTotals {
	t := MatrixTotals{States: map[MatrixState]int64{}}
	for _, s := range suites {
		for _, c := range s.Conditions {
			if !s.FaultMatrix || cmp.Or(c.Fault, eval.NoFault) == eval.NoFault {
				continue
			}
			state := StateOf(c)
			t.Conditions++
			t.States[state]++
			t.Misrouted += Count(c.Metrics["fault.misrouted"])
			if state != Unspecified && state != NotTriggered {
				t.Judged++
				if c.OurDecision {
					t.Settled++
				}
			}
			if isWeak(c) {
				t.Weak++
			}
		}
	}
	return t
}
