package suite

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval"
)

// VariantFaults lists the faults of a variant, first the fault-free condition. It omits faults that
// cannot affect the variant: for example, any fault of a baseline model, or of the router if only
// rules decide.
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

// checkGraderFaults rejects a fault of a component that measures. It would change the scores, not
// the answers.
func (s Suite) checkGraderFaults(faults []string) error {
	for _, spec := range faults {
		for one := range strings.SplitSeq(spec, "+") {
			if part, _, _ := strings.Cut(strings.TrimSpace(one), ":"); s.isMeasuring(part) {
				return fmt.Errorf("faults: fault %q: the %s measures the answers: faults do not apply to it",
					spec, part)
			}
		}
	}
	return nil
}

// checkBaselineModelFaults rejects a variant's own fault for its baseline model.
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

// isMeasuring reports whether a component runs after the turns, such as a grader. Faults do not
// apply to it.
func (s Suite) isMeasuring(part string) bool {
	p, ok := s.System().Part(part)
	return ok && p.Role == system.RoleGrader
}

// canAffect reports whether a component in the fault specification can affect the variant. Unknown
// components are checked where faults are parsed.
func (s Suite) canAffect(spec string, v Variant) bool {
	for one := range strings.SplitSeq(spec, "+") {
		part, _, _ := strings.Cut(strings.TrimSpace(one), ":")
		if !slices.Contains(s.PartNames(), part) || s.UsesComponent(v, part) && !s.HasBaselineModel(v, part) {
			return true
		}
	}
	return false
}
