package metric

import (
	"cmp"
	"strings"

	"evalctl/eval"
)

// split is a whole in the making, by what its parts are: how much of it each has.
// A part that is met late has none of the cases before.
type split struct {
	by      map[string]*share
	one     func() share
	sizes   map[int64]int64 // how many cases had a whole of so many
	missing int64
}

// newSplit makes each part's share with one.
func newSplit(one func() share, known ...string) *split {
	s := &split{by: map[string]*share{}, one: one, sizes: map[int64]int64{}}
	for _, name := range known {
		s.meet(name)
	}
	return s
}

// addCase adds a case: how many of its whole have each name. What is in none of
// them is in whole all the same.
func (s *split) addCase(parts map[string]int64, whole int64) {
	for name := range parts {
		s.meet(name)
	}
	for name, part := range s.by {
		part.cases.Add(parts[name], whole)
	}
	s.sizes[whole]++
}

// meet makes the share of a name that is new.
func (s *split) meet(name string) {
	if s.by[name] != nil {
		return
	}
	part := new(s.one())
	for size, cases := range s.sizes {
		for range cases {
			part.cases.Add(0, size)
		}
	}
	s.by[name] = part
}

func (s *split) close(into *eval.ConditionSummary, family string) {
	for name, part := range s.by {
		part.missing = s.missing
		into.Metrics[family+"."+name] = part.estimate()
	}
}

// totals are the metrics of which each member of a family is a part.
var totals = map[string]string{
	"router.answer_unused":         "router.answer_used",
	"router.decided_instead":       "router.answer_used",
	"supervisor.correction_rate":   "supervisor.correction_rate",
	"supervisor.called_again_rate": "supervisor.called_again_rate",
}

// Unmet is the figure of a metric whose reason or source was not met in a cell, so that the
// cell's summary does not have it: 0 of the decisions that the family's total is of.
func Unmet(c eval.ConditionSummary, name string) (e eval.Estimate, ok bool) {
	dot := strings.LastIndexByte(name, '.')
	total, ok := c.Metrics[totals[name[:max(dot, 0)]]]
	if !ok || total.N < 1 {
		return e, false
	}
	s := newRandomShare()
	s.missing = total.Missing
	cases := cmp.Or(total.Cases, total.N)
	for i := range cases {
		s.cases.Add(0, (total.N+i)/cases) // N in all, spread evenly
	}
	return s.estimate(), true
}
