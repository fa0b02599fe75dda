package suite

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// System returns the agent system that the suite evaluates. It returns the zero System if the
// target is unknown. A variant may have another system: see SystemOf.
func (s Suite) System() system.System {
	if s.CustomSystem != nil {
		return *s.CustomSystem
	}
	of, _ := FindSystem(s.Target)
	return of
}

// TargetOf returns the target that a variant evaluates: its own, or else that of the suite.
func (s Suite) TargetOf(v Variant) string { return cmp.Or(v.Target, s.Target) }

// SystemOf returns the agent system that a variant evaluates. It returns the zero System if the
// variant's target is unknown.
func (s Suite) SystemOf(v Variant) system.System {
	if s.TargetOf(v) == s.Target {
		return s.System()
	}
	of, _ := FindSystem(v.Target)
	return of
}

// Systems returns the agent systems that the variants evaluate, without duplicates. For a suite
// without variants, it returns the system of the suite.
func (s Suite) Systems() (list []system.System) {
	if len(s.Variants) == 0 {
		return []system.System{s.System()}
	}
	for _, part := range s.SplitByTarget() {
		list = append(list, part.System())
	}
	return list
}

// SplitByTarget returns a suite for each target of the variants, in the order in which the targets
// first occur. Each suite has the variants of its target, and the models and faults of the target's
// components.
func (s Suite) SplitByTarget() (parts []Suite) {
	for _, v := range s.Variants {
		i := slices.IndexFunc(parts, func(part Suite) bool { return part.Target == s.TargetOf(v) })
		if i < 0 {
			i, parts = len(parts), append(parts, s.withTarget(s.TargetOf(v)))
		}
		v.Target = ""
		parts[i].Variants = append(parts[i].Variants, v)
	}
	if len(parts) == 1 && parts[0].Target == s.Target {
		parts[0].Models, parts[0].Faults = s.Models, s.Faults // unknown names remain, for the error messages
	}
	return parts
}

// withTarget returns a copy of the suite with this target and without variants. Models and faults of
// other targets' components are removed.
func (s Suite) withTarget(target string) Suite {
	if target != s.Target {
		s.Target, s.CustomSystem = target, nil
	}
	s.Variants, s.BaselineVariant = nil, ""
	names := s.ComponentNames()
	s.Models = maps.Clone(s.Models)
	maps.DeleteFunc(s.Models, func(name string, _ Model) bool { return !slices.Contains(names, name) })
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(spec string) bool {
		return !slices.ContainsFunc(componentsInFault(spec),
			func(name string) bool { return slices.Contains(names, name) })
	})
	return s
}

// componentsInFault returns the components that a fault spec names, such as router:timeout.
func componentsInFault(spec string) (names []string) {
	for one := range strings.SplitSeq(spec, "+") {
		name, _, _ := strings.Cut(strings.TrimSpace(one), ":")
		names = append(names, name)
	}
	return names
}

// checkTargets returns an error if a variant has an unknown target, or one that cannot run on the
// suite's cases. Only targets that take their labels from the dataset share cases.
func (s Suite) checkTargets() error {
	for i, v := range s.Variants {
		if v.Target == "" || v.Target == s.Target {
			continue
		}
		if err := suggest.CheckKnown("system", v.Target, Targets()); err != nil {
			return fmt.Errorf("variants[%d].target: %w", i, err)
		}
		for _, of := range []system.System{s.System(), s.SystemOf(v)} {
			if !of.Contract.HasDatasetLabels() {
				return fmt.Errorf("variants[%d].target: %s cannot run in one suite with %s, because %s has its own labels",
					i, v.Target, s.Target, of.Name)
			}
		}
	}
	return nil
}
