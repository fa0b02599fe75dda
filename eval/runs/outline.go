package runs

import (
	"cmp"
	"slices"

	"evalctl/eval"
)

// outline is what ran, as far as results tell: suites and cells in the order in
// which they come.
type outline struct {
	list  []eval.SuiteSummary
	cases []map[string]struct{}
}

func (o *outline) add(r eval.Result) {
	at := slices.IndexFunc(o.list, func(s eval.SuiteSummary) bool { return s.Name == r.Suite })
	if at < 0 {
		at = len(o.list)
		o.list = append(o.list, eval.SuiteSummary{Name: r.Suite})
		o.cases = append(o.cases, map[string]struct{}{})
	}
	s := &o.list[at]
	o.cases[at][r.Case] = struct{}{}
	s.Epochs = max(s.Epochs, r.Epoch)
	fault := cmp.Or(r.Fault, eval.NoFault)
	if !slices.ContainsFunc(s.Variants, func(c eval.CellSummary) bool { return c.Name == r.Variant && c.Fault == fault }) {
		s.Variants = append(s.Variants, eval.CellSummary{Name: r.Variant, Fault: fault})
	}
}

func (o *outline) suites() []eval.SuiteSummary {
	for i := range o.list {
		o.list[i].Cases = int64(len(o.cases[i]))
	}
	return o.list
}
