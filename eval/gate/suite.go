package gate

import (
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/metric"
)

// Suite is what rules may ask of one of a run's suites.
type Suite struct {
	System     system.System // the zero one: nobody knows, and any metric may be measured
	Labels     []string      // of a system whose labels are the dataset's own; nil: any
	OutOfScope bool          // a label stands for all else
	Tags       []string      // that cases have; nil: any
	Matrix     bool          // it is the fault matrix
	Repeats    bool          // cases are played in several epochs
	Cells      []Cell
}

// measures tells whether some run of the suite has the metric.
func (s Suite) measures(key string) bool {
	return s.System.Name == "" || slices.ContainsFunc(s.metrics(), func(known string) bool {
		before, after, isOpen := strings.Cut(known, metric.Open)
		if !isOpen {
			return key == known
		}
		return len(key) > len(before)+len(after) && strings.HasPrefix(key, before) && strings.HasSuffix(key, after)
	})
}

// metrics are all that a run of the suite may have, by what its system declares.
func (s Suite) metrics() []string { return metric.Shipped().Keys(s.needs(), s.sets()) }

// needs are the conditions of metrics that the suite meets.
func (s Suite) needs() (has metric.Needs) {
	c := s.System.Contract
	for _, of := range []struct {
		need metric.Needs
		met  bool
	}{
		{metric.Matrix, s.Matrix},
		{metric.Epochs, s.Repeats},
		{metric.OutOfScope, s.OutOfScope},
		{metric.Retrieval, c.Finds != ""},
		{metric.AllRequired, c.FindsAll},
		{metric.Facts, c.Facts != ""},
		{metric.Grader, s.has(system.Grades)},
		{metric.Sessions, c.Remembers != ""},
		{metric.Caching, s.has(system.Keeps)},
		{metric.Writing, s.has(system.Writes)},
		{metric.Critic, s.has(system.Judges)},
		{metric.Path, c.Path != ""},
		{metric.Decider, s.System.Decider().Name != ""},
	} {
		if of.met {
			has |= of.need
		}
	}
	return has
}

// sets are the members of families of metrics that the system declares.
func (s Suite) sets() metric.Sets {
	c := s.System.Contract
	sets := metric.Sets{"source": s.System.Sources, "slot": c.Slots, "field": slices.Concat(c.Also, c.Aspects), "part": nil, "kind": nil}
	switch {
	case !c.IsOpen():
		sets["label"] = c.Labels
	case s.Labels != nil:
		sets["label"] = s.Labels
	}
	for _, p := range s.System.Parts {
		if p.IsAskedInForm() {
			sets["part"] = append(sets["part"], p.In())
		}
	}
	for _, k := range eval.ErrorKinds() {
		sets["kind"] = append(sets["kind"], string(k))
	}
	return sets
}

// has tells that some part does such work.
func (s Suite) has(work system.Work) bool {
	return slices.ContainsFunc(s.System.Parts, func(p system.Part) bool { return p.Work == work })
}
