package spread

import "evalctl/eval"

// EpochCounts are in how many of a variant's epochs its cases are right. Of one epoch nothing
// is told.
type EpochCounts struct {
	Of      int     // epochs
	Right   []int64 // cases that are right in 0, 1 … all of their epochs, of those that were judged in each
	Missing int64   // cases that have a label, and were not judged in each
}

// Cases is how many were judged in each epoch.
func (e EpochCounts) Cases() (n int64) {
	for _, k := range e.Right {
		n += k
	}
	return n
}

// epochs keep the counts of each case.
type epochs struct {
	of, variants int
	cases        map[string][]count // by case, of each variant
}

type count struct{ right, judged, labeled uint16 }

func (e *epochs) add(variant int, r eval.Result) {
	d, labeled := r.Decision()
	if e.of < 2 || !labeled {
		return
	}
	if e.cases == nil {
		e.cases = map[string][]count{}
	}
	if e.cases[r.Case] == nil {
		e.cases[r.Case] = make([]count, e.variants)
	}
	c := &e.cases[r.Case][variant]
	c.labeled++
	if d.Verdict != eval.Unscored {
		c.judged++
	}
	if d.Verdict == eval.Pass {
		c.right++
	}
}

func (e *epochs) spread(variant int) EpochCounts {
	all := EpochCounts{}
	if e.of < 2 || len(e.cases) == 0 {
		return all
	}
	all = EpochCounts{Of: e.of, Right: make([]int64, e.of+1)}
	for _, counts := range e.cases {
		switch c := counts[variant]; {
		case c.labeled == 0:
		case int(c.judged) < e.of || int(c.right) > e.of:
			all.Missing++
		default:
			all.Right[c.right]++
		}
	}
	return all
}
