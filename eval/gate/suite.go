package gate

import (
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/metric"
)

// SuiteScope has what rules may refer to in one of a run's suites.
type SuiteScope struct {
	System     system.System // zero: unknown, any metric is possible
	Labels     []string      // for a system with labels of the dataset; nil: any
	OOSLabel   bool          // the suite has an out-of-scope label
	Tags       []string      // tags of the cases; nil: any
	Matrix     bool          // the suite is a fault matrix
	HasEpochs  bool          // cases run in several epochs
	Conditions []Condition
}

// measures reports whether a run of the suite can have the metric.
func (s SuiteScope) measures(key string) bool {
	return s.System.Name == "" || slices.ContainsFunc(s.metrics(), func(known string) bool {
		before, after, isOpen := strings.Cut(known, metric.Wildcard)
		if !isOpen {
			return key == known
		}
		return len(key) > len(before)+len(after) && strings.HasPrefix(key, before) && strings.HasSuffix(key, after)
	})
}

// metrics returns all metrics that a run of the suite can have, according to its system.
func (s SuiteScope) metrics() []string { return metric.Shipped().KeysFor(s.needs(), s.sets()) }

// needs returns the needs of metrics that the suite meets.
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

// sets returns the declared members of families of metrics.
func (s SuiteScope) sets() metric.Sets {
	c := s.System.Contract
	sets := metric.Sets{"source": s.System.DecisionSources, "slot": c.Slots,
		"field": slices.Concat(c.ExtraLabels, c.AttributeFields), "part": nil, "kind": nil}
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

// has reports whether a component has this role.
func (s SuiteScope) has(work system.Role) bool {
	return slices.ContainsFunc(s.System.Parts, func(p system.Component) bool { return p.Role == work })
}
