package page

import "evalctl/eval"

// EpochCounts counts the cases of a variant by the number of epochs in which they are right. It is
// empty for runs with one epoch.
type EpochCounts struct {
	Epochs int // number of epochs
	// CasesByRightEpochs[k]: number of cases that are right in k epochs and scored in all
	CasesByRightEpochs []int64
	UnscoredCases      int64 // labeled cases that are unscored in at least one epoch
}

// Cases returns the number of cases that are scored in every epoch.
func (e EpochCounts) Cases() (n int64) {
	for _, k := range e.CasesByRightEpochs {
		n += k
	}
	return n
}

// epochs counts for each case in how many epochs it is right, scored and labeled.
type epochs struct {
	of, variants int
	cases        map[string][]count // key: case id; the values are indexed by variant
}

type count struct{ right, scored, labeled uint16 }

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
		c.scored++
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
	all = EpochCounts{Epochs: e.of, CasesByRightEpochs: make([]int64, e.of+1)}
	for _, counts := range e.cases {
		switch c := counts[variant]; {
		case c.labeled == 0:
		case int(c.scored) < e.of || int(c.right) > e.of:
			all.UnscoredCases++
		default:
			all.CasesByRightEpochs[c.right]++
		}
	}
	return all
}
