package gate

import (
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/metric"
)

// SuiteScope is what rules may ask of one of a run's suites.
type SuiteScope struct {
	System     system.System // the zero one: nobody knows, and any metric may be measured
	Labels     []string      // of a system whose labels are the dataset's own; nil: any
	OOSLabel   bool          // a label stands for all else
	Tags       []string      // that cases have; nil: any
	Matrix     bool          // it is the fault matrix
	HasEpochs  bool          // cases are played in several epochs
	Conditions []Condition
}

// measures tells whether some run of the suite has the metric.
func (s SuiteScope) measures(key string) bool {
	return s.System.Name == "" || slices.ContainsFunc(s.metrics(), func(known string) bool {
		before, after, isOpen := strings.Cut(known, metric.Open)
		if !isOpen {
			return key == known
		}
		return len(key) > len(before)+len(after) && strings.HasPrefix(key, before) && strings.HasSuffix(key, after)
	})
}

// metrics are all that a run of the suite may have, by what its system declares.
func (s SuiteScope) metrics() []string { return metric.Shipped().Keys(s.needs(), s.sets()) }

// needs are the conditions of metrics that the suite meets.
func (s SuiteScope) needs() (has metric.Needs) {
	c := s.System.Contract
	for _, of := range []struct {
		need metric.Needs
		met  bool
	}{
		{metric.Matrix, s.Matrix},
		{metric.Epochs, s.HasEpochs},
		{metric.OOSLabel, s.OOSLabel},
		{metric.Retrieval, c.RetrievalField != ""},
		{metric.AllRequired, c.RequireAll},
		{metric.Facts, c.FactsField != ""},
		{metric.Grader, s.has(system.RoleGrader)},
		{metric.Sessions, c.MemoryField != ""},
		{metric.Caching, s.has(system.RoleStore)},
		{metric.Writing, s.has(system.RoleStructured)},
		{metric.Critic, s.has(system.RoleCritic)},
		{metric.Path, c.PathField != ""},
		{metric.Decider, s.System.DecidingComponent().Name != ""},
	} {
		if of.met {
			has |= of.need
		}
	}
	return has
}

// sets are the members of families of metrics that the system declares.
func (s SuiteScope) sets() metric.Sets {
	c := s.System.Contract
	sets := metric.Sets{"source": s.System.DecisionSources, "slot": c.Slots, "field": slices.Concat(c.ExtraLabels, c.AttributeFields), "part": nil, "kind": nil}
	switch {
	case !c.IsOpen():
		sets["label"] = c.Labels
	case s.Labels != nil:
		sets["label"] = s.Labels
	}
	for _, p := range s.System.Parts {
		if p.HasAnswerFormat() {
			sets["part"] = append(sets["part"], p.NodeName())
		}
	}
	for _, k := range eval.ErrorKinds() {
		sets["kind"] = append(sets["kind"], string(k))
	}
	return sets
}

// has tells that some part does such work.
func (s SuiteScope) has(work system.Role) bool {
	return slices.ContainsFunc(s.System.Parts, func(p system.Component) bool { return p.Role == work })
}
