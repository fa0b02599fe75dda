package gate

import (
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/metric"
)

// SuiteScope describes what gate rules may refer to in one suite of a run. Rules are checked
// against it before the run starts.
type SuiteScope struct {
	System        system.System // the evaluated system; zero: unknown, so any metric is possible
	Labels        []string      // labels of the dataset, for a system that takes its labels from there; nil: any label
	HasOOSLabel   bool          // the suite has an out-of-scope label
	Tags          []string      // tags of the cases; nil: any tag
	IsFaultMatrix bool          // the suite is a fault matrix: every fault is injected into every component
	HasEpochs     bool          // the cases run in several epochs
	Conditions    []Condition   // conditions of the suite in this run
}

// measures reports whether a run of the suite can have the metric. key is the name of the metric.
func (s SuiteScope) measures(key string) bool {
	return s.System.Name == "" || slices.ContainsFunc(s.metrics(), func(known string) bool {
		before, after, isOpen := strings.Cut(known, metric.Wildcard)
		if !isOpen {
			return key == known
		}
		return len(key) > len(before)+len(after) && strings.HasPrefix(key, before) && strings.HasSuffix(key, after)
	})
}

// metrics returns the names of all metrics that a run of the suite can have.
func (s SuiteScope) metrics() []string { return metric.BuiltIn().KeysFor(s.needs(), s.sets()) }

// needs returns which requirements of metrics the suite meets, such as an out-of-scope label.
func (s SuiteScope) needs() (has metric.Requirements) {
	c := s.System.Contract
	for _, of := range []struct {
		need metric.Requirements
		met  bool
	}{
		{metric.FaultMatrix, s.IsFaultMatrix},
		{metric.Epochs, s.HasEpochs},
		{metric.OOSLabel, s.HasOOSLabel},
		{metric.Retrieval, c.RetrievalField != ""},
		{metric.AllRequired, c.RequireAllIDs},
		{metric.Facts, c.FactsField != ""},
		{metric.Grader, s.has(system.RoleGrader)},
		{metric.Sessions, c.MemoryField != ""},
		{metric.Caching, s.has(system.RoleStore)},
		{metric.RequiredForm, s.has(system.RoleStructured)},
		{metric.Critic, s.has(system.RoleCritic)},
		{metric.DecisionSequence, c.DecisionPathField != ""},
		{metric.DecidingModel, s.System.DecidingComponent().Name != ""},
	} {
		if of.met {
			has |= of.need
		}
	}
	return has
}

// sets returns the members of the metric families, such as the labels for route.f1.LABEL.
func (s SuiteScope) sets() metric.FamilyMembers {
	c := s.System.Contract
	sets := metric.FamilyMembers{"source": s.System.DecisionSources, "slot": c.Slots,
		"field": slices.Concat(c.ExtraLabelFields, c.AttributeFields), "part": nil, "kind": nil}
	switch {
	case !c.HasDatasetLabels():
		sets["label"] = c.Labels
	case s.Labels != nil:
		sets["label"] = s.Labels
	}
	for _, p := range s.System.Components {
		if p.HasAnswerFormat() {
			sets["part"] = append(sets["part"], p.NodeName())
		}
	}
	for _, k := range eval.ErrorKinds() {
		sets["kind"] = append(sets["kind"], string(k))
	}
	return sets
}

func (s SuiteScope) has(work system.Role) bool {
	return slices.ContainsFunc(s.System.Components, func(p system.Component) bool { return p.Role == work })
}
