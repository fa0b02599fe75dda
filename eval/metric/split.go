package metric

import (
	"cmp"
	"strings"

	"evalctl/eval"
)

// split computes several shares of the same total, by name, such as the share of each decision
// source. A name that first occurs late has 0 items in all earlier cases.
type split struct {
	by          map[string]*share
	newShare    func() share
	casesBySize map[int64]int64 // number of cases by the number of their items
	missing     int64
}

// newSplit returns a split. one creates the share of a new name; known names have a share from the
// start.
func newSplit(one func() share, known ...string) *split {
	s := &split{by: map[string]*share{}, newShare: one, casesBySize: map[int64]int64{}}
	for _, name := range known {
		s.addName(name)
	}
	return s
}

// addCase adds a case: parts is the number of items by name, whole the number of all items. Items
// without a name count only in whole.
func (s *split) addCase(parts map[string]int64, whole int64) {
	for name := range parts {
		s.addName(name)
	}
	for name, part := range s.by {
		part.cases.Add(parts[name], whole)
	}
	s.casesBySize[whole]++
}

// addName adds a share for a new name, with 0 items in the cases so far.
func (s *split) addName(name string) {
	if s.by[name] != nil {
		return
	}
	part := new(s.newShare())
	for size, cases := range s.casesBySize {
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

// totals maps a family of metrics to a metric with the same denominator.
var totals = map[string]string{
	"router.answer_unused":         "router.answer_used",
	"router.decided_instead":       "router.answer_used",
	"supervisor.correction_rate":   "supervisor.correction_rate",
	"supervisor.called_again_rate": "supervisor.called_again_rate",
}

// ZeroEstimate returns the estimate for a reason or source that did not occur in a condition and is
// therefore absent from the summary: 0 of the family's denominator. ok is false for other metrics.
func ZeroEstimate(c eval.ConditionSummary, name string) (e eval.Estimate, ok bool) {
	dot := strings.LastIndexByte(name, '.')
	total, ok := c.Metrics[totals[name[:max(dot, 0)]]]
	if !ok || total.N < 1 {
		return e, false
	}
	s := newRandomShare()
	s.missing = total.Missing
	cases := cmp.Or(total.Cases, total.N)
	for i := range cases {
		s.cases.Add(0, (total.N+i)/cases) // N items in total, evenly distributed
	}
	return s.estimate(), true
}
