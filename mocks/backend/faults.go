package backend

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
	"evalctl/mocks"
)

// ParseFaults reads a spec like router:timeout@1+image:task_failed, whose parts
// are those of some of the systems; of any where none is named.
func ParseFaults(spec string, of ...system.System) ([]mocks.Fault, error) {
	if len(of) == 0 {
		of = suite.Systems()
	}
	var known, names []string
	for _, s := range of {
		names = append(names, s.Name)
		known = append(known, suite.PartNames(s)...)
	}
	faults, err := mocks.ParseFaults(spec)
	if err != nil {
		return nil, explain(spec, known, err)
	}
	for _, f := range faults {
		if !slices.Contains(known, string(f.Component)) {
			return nil, fmt.Errorf("fault %q: %s has no %s", spec, suggest.Join(names), f.Component)
		}
	}
	return faults, nil
}

// explain finds a slip of the keyboard.
func explain(spec string, known []string, err error) error {
	for one := range strings.SplitSeq(spec, "+") {
		part, kind, ok := strings.Cut(strings.TrimSpace(one), ":")
		if end := strings.IndexAny(kind, "=@%"); end >= 0 {
			kind = kind[:end]
		}
		if near, typo := suggest.Closest(part, known); ok && typo && near != part {
			return fmt.Errorf("fault %q: %w", spec, suggest.Unknown("component", part, known))
		}
		if near, typo := suggest.Closest(mocks.Kind(kind), mocks.Kinds()); ok && typo && string(near) != kind {
			return fmt.Errorf("fault %q: %w", spec, suggest.Unknown("kind", mocks.Kind(kind), mocks.Kinds()))
		}
	}
	return err
}

// Strikes tells a spec whose parts a system has, all of them.
func Strikes(spec string, of system.System) bool {
	_, err := ParseFaults(spec, of)
	return err == nil
}
