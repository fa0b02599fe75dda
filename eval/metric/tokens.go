package metric

import "evalctl/eval"

// tokens adds up those that were billed in either direction.
type tokens struct {
	sum     bigSum
	n       int64
	missing int64 // of which they are not known
}

func (t *tokens) add(billed eval.Tokens) {
	if billed.UnreportedCalls > 0 {
		t.missing++
		return
	}
	t.n++
	t.sum.add(billed.In)
	t.sum.add(billed.Out)
}

// total has no value where something was not counted.
func (t tokens) total() eval.Estimate {
	e := eval.Estimate{N: t.n, Missing: t.missing}
	if t.missing == 0 && t.n > 0 {
		v := t.sum.float()
		e.Value = &v
	}
	return e
}

func (t tokens) mean() eval.Estimate {
	e := t.total()
	if e.Value != nil {
		*e.Value /= float64(t.n)
	}
	return e
}
