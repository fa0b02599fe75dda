package metric

import "evalctl/eval"

// tokens is a sum of billed tokens, input and output together.
type tokens struct {
	sum     bigSum
	n       int64
	missing int64 // items with unreported tokens
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

// total returns the sum. It has no value if the tokens of any item are unreported.
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
