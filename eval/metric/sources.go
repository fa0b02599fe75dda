package metric

import "evalctl/eval"

// sources tells who decided: of those that the system knows, and of any other
// that was seen, the share of trials with a decision. One without is missing.
type sources struct {
	by      map[string]*share
	sizes   map[int64]int64 // how many cases had so many decisions
	missing int64
}

func newSources(known []string) *sources {
	m := &sources{by: map[string]*share{}, sizes: map[int64]int64{}}
	for _, source := range known {
		m.by[source] = &share{}
	}
	return m
}

func (m *sources) Add(trials []eval.Result) {
	decided, by := int64(0), map[string]int64{}
	for _, r := range trials {
		if r.Source == "" {
			m.missing++
			continue
		}
		decided++
		by[r.Source]++
		m.meet(r.Source)
	}
	for source, s := range m.by {
		s.cases.Add(by[source], decided)
	}
	m.sizes[decided]++
}

// meet makes the share of a source that is new: it decided none of the cases so far.
func (m *sources) meet(source string) {
	if m.by[source] != nil {
		return
	}
	s := &share{}
	for size, cases := range m.sizes {
		for range cases {
			s.cases.Add(0, size)
		}
	}
	m.by[source] = s
}

func (m *sources) Close(into *eval.CellSummary) {
	for source, s := range m.by {
		s.missing = m.missing
		into.Metrics["router.by."+source] = s.estimate()
	}
}
