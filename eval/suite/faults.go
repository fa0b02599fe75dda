package suite

import (
	"fmt"
	"slices"

	"evalctl/agent/system"
	"evalctl/eval"
)

// VariantFaults returns the faults under which a variant runs, starting with no fault. It omits
// faults that cannot affect the variant. For example, a router fault has no effect if only rules
// decide.
func (s Suite) VariantFaults(v Variant) []string {
	faults := v.Faults
	if faults == nil {
		faults = s.Faults
	}
	list := []string{eval.NoFault}
	for _, f := range faults {
		if !slices.Contains(list, f) && s.canAffect(f, v) {
			list = append(list, f)
		}
	}
	return list
}

// checkGraderFaults returns an error for a fault of a component that only grades. Such a fault
// would change the scores, not the answers.
func (s Suite) checkGraderFaults(faults []string) error {
	for _, spec := range faults {
		for _, part := range componentsInFault(spec) {
			if s.isMeasuring(part) {
				return fmt.Errorf("faults: fault %q: the %s measures the answers: faults do not apply to it",
					spec, part)
			}
		}
	}
	return nil
}

// checkBaselineModelFaults returns an error if a variant sets a fault for its baseline model. A
// baseline model cannot fail.
func (s Suite) checkBaselineModelFaults(v Variant) error {
	for _, spec := range v.Faults {
		for _, part := range componentsInFault(spec) {
			if s.UsesBaselineModel(v, part) {
				return fmt.Errorf("faults: fault %q is for %s, which is a baseline model here: faults do not apply to it", spec, part)
			}
		}
	}
	return nil
}

// isMeasuring reports whether the component is a grader. A grader runs after the turns, and faults
// do not apply to it.
func (s Suite) isMeasuring(part string) bool {
	p, ok := s.System().Component(part)
	return ok && p.Role == system.RoleGrader
}

// canAffect reports whether a fault can affect the variant. It also returns true for an unknown
// component, because the parser of the fault reports that error.
func (s Suite) canAffect(spec string, v Variant) bool {
	for _, part := range componentsInFault(spec) {
		if !slices.Contains(s.ComponentNames(), part) || s.UsesComponent(v, part) && !s.UsesBaselineModel(v, part) {
			return true
		}
	}
	return false
}
