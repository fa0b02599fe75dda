package backend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval/suite"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
)

// ExpandFaults replaces wildcards in the fault specs of a suite: "all" by every fault that can
// affect a variant, and COMPONENT:all by every fault of that component. A suite with wildcards is a
// fault matrix. Components with a real endpoint and baseline models are excluded. A wildcard that
// affects no variant is an error.
func ExpandFaults(s suite.Suite) (suite.Suite, error) {
	s.Variants = slices.Clone(s.Variants)
	expanded, hasEffect := false, map[string]bool{}
	for i, v := range s.Variants {
		specs := v.Faults
		if specs == nil {
			specs = s.Faults
		}
		if !slices.ContainsFunc(specs, isFaultWildcard) {
			continue
		}
		expanded = true
		s.Variants[i].Faults = []string{}
		for _, spec := range specs {
			list := []string{spec}
			if isFaultWildcard(spec) {
				list = allFaults(s, v, spec)
			}
			hasEffect[spec] = hasEffect[spec] || len(list) > 0
			s.Variants[i].Faults = append(s.Variants[i].Faults, list...)
		}
	}
	for _, spec := range slices.Sorted(maps.Keys(hasEffect)) {
		if !hasEffect[spec] {
			return s, fmt.Errorf("faults: fault %q affects no variant: no variant uses that component", spec)
		}
	}
	s.FaultMatrix = s.FaultMatrix || expanded
	if expanded {
		s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), isFaultWildcard)
	}
	return s, nil
}

// isFaultWildcard reports whether a fault spec is "all" or COMPONENT:all.
func isFaultWildcard(spec string) bool {
	part, kind, hasKind := strings.Cut(spec, ":")
	return part == suite.AllFaults && !hasKind || kind == suite.AllFaults
}

// allFaults returns the fault specs that replace a wildcard in a variant.
func allFaults(s suite.Suite, v suite.Variant, spec string) (list []string) {
	one, _, single := strings.Cut(spec, ":")
	parts := ComponentsOf(s.System())
	for _, name := range s.ComponentNames() {
		role, _ := parts.RoleOf(name)
		switch {
		case single && name != one, !s.UsesComponent(v, name), s.UsesBaselineModel(v, name),
			s.ModelFor(v, name).BaseURL != "", role == component.Role(system.RoleGrader):
			continue
		}
		for _, kind := range fault.Kinds() {
			if kind.AppliesTo(role) && (kind != fault.FallbackLabel || s.Models[name].Behavior != scripted) {
				list = append(list, name+":"+string(kind))
			}
		}
	}
	return list
}
