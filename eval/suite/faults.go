package suite

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval"
)

// VariantFaults lists the cells of a variant: the fault-free one first. What cannot
// strike it is left out: rules alone ask no router, and nothing strikes a floor.
func (s Suite) VariantFaults(v Variant) []string {
	faults := v.Faults
	if faults == nil {
		faults = s.Faults
	}
	list := []string{eval.NoFault}
	for _, f := range faults {
		if !slices.Contains(list, f) && s.strikes(f, v) {
			list = append(list, f)
		}
	}
	return list
}

// checkMeasured finds a fault for a part that measures: it would change what is known of
// the answers, and no answer.
func (s Suite) checkMeasured(faults []string) error {
	for _, spec := range faults {
		for one := range strings.SplitSeq(spec, "+") {
			if part, _, _ := strings.Cut(strings.TrimSpace(one), ":"); s.measures(part) {
				return fmt.Errorf("faults: fault %q: the %s measures the answers: faults do not strike it", spec, part)
			}
		}
	}
	return nil
}

// checkBaselineModelFaults finds a fault that a variant names for itself and that is for
// its floor.
func (s Suite) checkBaselineModelFaults(v Variant) error {
	for _, spec := range v.Faults {
		for one := range strings.SplitSeq(spec, "+") {
			if part, _, _ := strings.Cut(strings.TrimSpace(one), ":"); s.HasBaselineModel(v, part) {
				return fmt.Errorf("faults: fault %q is for %s, which is a baseline model here: faults do not apply to it", spec, part)
			}
		}
	}
	return nil
}

// measures tells a part that works when the turns are over: nothing strikes it.
func (s Suite) measures(part string) bool {
	p, ok := s.System().Part(part)
	return ok && p.Role == system.RoleGrader
}

// strikes tells a fault spec that has a part which can reach the variant.
// Unknown parts are for those to judge who know the faults.
func (s Suite) strikes(spec string, v Variant) bool {
	for one := range strings.SplitSeq(spec, "+") {
		part, _, _ := strings.Cut(strings.TrimSpace(one), ":")
		if !slices.Contains(s.PartNames(), part) || s.UsesComponent(v, part) && !s.HasBaselineModel(v, part) {
			return true
		}
	}
	return false
}
