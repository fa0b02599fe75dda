package finding

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/eval/number"
)

// State is what a cell of the fault matrix came to.
type State int

// What a cell comes to, the worst last.
const (
	Right   State = iota // all that was struck came to what is demanded
	Partly               // so did all that could be judged, but of some nobody knows what should come
	Untold               // nobody knows what should come of it
	Unfired              // the fault struck nothing
	Astray               // something came to something else, or has no verdict
)

// StateOf is what a cell came to.
func StateOf(c eval.CellSummary) State {
	correct, told := c.Metrics[eval.DegradedScore]
	switch {
	case Count(c.Metrics["fault.affected"]) == 0:
		return Unfired
	case !told:
		return Untold
	case Count(correct) < Owed(c):
		return Astray
	case correct.N < Count(c.Metrics["fault.affected"]):
		return Partly
	}
	return Right
}

// Owed is how many trials have a verdict on what came of the fault, or should: those left
// out of which nobody knows what should come.
func Owed(c eval.CellSummary) int64 {
	e := c.Metrics[eval.DegradedScore]
	return e.N + max(e.Missing-Count(c.Metrics["fault.unspecified"]), 0)
}

// Matrix are the cells of a suite that is the fault matrix, those of one part that came to the
// same together: the worst first, then as the suite has them. Of what is added only the
// times may differ.
func Matrix(s eval.SuiteSummary) (list []Hit) {
	for _, c := range s.Variants {
		if cmp.Or(c.Fault, eval.NoFault) == eval.NoFault {
			continue
		}
		h := Hit{Variant: c.Name, Cells: []eval.CellSummary{c}}
		if at := slices.IndexFunc(list, h.cameToTheSame); at >= 0 {
			list[at].Cells = append(list[at].Cells, c)
			continue
		}
		list = append(list, h)
	}
	slices.SortStableFunc(list, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.State(), a.State()), cmp.Compare(b.astray(), a.astray()), cmp.Compare(b.misrouted(), a.misrouted()))
	})
	return list
}

// Single has each cell in a row of its own.
func Single(rows []Hit) (list []Hit) {
	for _, h := range rows {
		for _, c := range h.Cells {
			list = append(list, Hit{Variant: h.Variant, Cells: []eval.CellSummary{c}})
		}
	}
	return list
}

// State is that of all cells.
func (h Hit) State() State { return StateOf(h.Cells[0]) }

// astray is how many trials came to something else than what is demanded.
func (h Hit) astray() int64 {
	return Owed(h.Cells[0]) - Count(h.Cells[0].Metrics[eval.DegradedScore])
}

func (h Hit) misrouted() int64 { return Count(h.Cells[0].Metrics["fault.misrouted"]) }

// cameToTheSame tells cells of one part whose figures are equal but for times.
func (h Hit) cameToTheSame(o Hit) bool {
	if h.Variant != o.Variant || h.Component() != o.Component() || h.State() != o.State() || h.Cells[0].Settled != o.Cells[0].Settled {
		return false
	}
	a, b := h.Cells[0], o.Cells[0]
	for _, name := range []string{"fault.affected", eval.DegradedScore, "fault.recovered", "fault.misrouted"} {
		x, y := a.Metrics[name], b.Metrics[name]
		if Count(x) != Count(y) || x.N != y.N || x.Missing != y.Missing {
			return false
		}
	}
	return true
}

// Range is from the least to the greatest of a figure in the cells; false where one does
// not have it.
func (h Hit) Range(metric string) (lo, hi float64, ok bool) {
	for i, c := range h.Cells {
		v := c.Metrics[metric].Value
		if !number.Known(v) {
			return 0, 0, false
		}
		if i == 0 {
			lo, hi = *v, *v
		}
		lo, hi = min(lo, *v), max(hi, *v)
	}
	return lo, hi, len(h.Cells) > 0
}

// weak is of how many struck trials a cell is weak evidence.
const weak = 3

// IsWeak tells cells that struck something, but too little to say much.
func (h Hit) IsWeak() bool { return isWeak(h.Cells[0]) }

func isWeak(c eval.CellSummary) bool {
	n := Count(c.Metrics["fault.affected"])
	return 0 < n && n < weak
}

// Tally counts the cells of the fault matrix.
type Tally struct {
	Cells     int64
	States    map[State]int64
	Judged    int64 // cells of which something is
	Settled   int64 // of these: what is demanded the house has settled
	Weak      int64 // cells of fewer than three struck trials
	Misrouted int64 // trials
}

// TallyOf counts the cells of suites that are the fault matrix.
func TallyOf(suites ...eval.SuiteSummary) Tally {
	t := Tally{States: map[State]int64{}}
	for _, s := range suites {
		for _, c := range s.Variants {
			if !s.Matrix || cmp.Or(c.Fault, eval.NoFault) == eval.NoFault {
				continue
			}
			state := StateOf(c)
			t.Cells++
			t.States[state]++
			t.Misrouted += Count(c.Metrics["fault.misrouted"])
			if state != Untold && state != Unfired {
				t.Judged++
				if c.Settled {
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
