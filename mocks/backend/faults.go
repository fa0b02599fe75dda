package backend

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
)

// ParseFaults parses a fault spec such as router:timeout@1+image:task_failed. The components must
// exist in one of the given systems; without systems, in any system. COMPONENT:all is valid and
// returns no faults.
func ParseFaults(spec string, systems ...system.System) ([]fault.Fault, error) {
	if len(systems) == 0 {
		systems = suite.Systems()
	}
	for _, s := range systems { // components of the same name may have different roles in different systems
		if faults, err := fault.Parse(spec, ComponentsOf(s)); err == nil {
			return faults, nil
		}
	}
	known := ComponentsOf(systems...)
	if part, kind, _ := strings.Cut(spec, ":"); kind == suite.AllFaults && known.CheckName(part) == nil {
		return nil, nil
	}
	faults, err := fault.Parse(spec, ComponentsOf(suite.Systems()...))
	if err != nil {
		_, err = fault.Parse(spec, faultableParts(systems...))
		return nil, explain(spec, systems, err)
	}
	var names []string
	for _, s := range systems {
		names = append(names, s.Name)
	}
	for _, f := range faults {
		if known.CheckName(f.Component) != nil {
			if newName := renamed[f.Component]; known.CheckName(newName) == nil {
				return nil, fmt.Errorf("fault %q: unknown component %q: it is now %q", spec, f.Component, newName)
			}
			return nil, fmt.Errorf("fault %q: %s has no %s", spec, suggest.JoinWords(names), f.Component)
		}
	}
	return fault.Parse(spec, known)
}

// faultableParts returns the components that faults can affect: all but graders.
func faultableParts(systems ...system.System) component.Components {
	parts := ComponentsOf(systems...)
	for _, s := range systems {
		for _, p := range s.Components {
			if p.Role == system.RoleGrader {
				delete(parts, p.Name)
			}
		}
	}
	return parts
}

// renamed maps former names of components and fault kinds to the current ones, for error messages.
var renamed = map[string]string{
	"illustrator":       "image_agent",
	"knowledge":         "style_library",
	"questions":         "sub_questions",
	"recall":            "retrieval",
	"websearch":         "search_engine",
	"residual_label":    string(fault.FallbackLabel),
	"rate_limited_bare": string(fault.RateLimitedNoRetryAfter),
}

// explain returns a better error for a common mistake in a fault spec: a typing error, a former
// name, or a node name instead of the component's name. Otherwise it returns err.
func explain(spec string, systems []system.System, err error) error {
	known := faultableParts(systems...).Names()
	for one := range strings.SplitSeq(spec, "+") {
		part, kind, ok := strings.Cut(strings.TrimSpace(one), ":")
		for _, s := range systems {
			for _, p := range s.Components {
				if part == p.Node && part != p.Name && !slices.Contains(known, part) {
					return fmt.Errorf("fault %q: the part at the node %s is called %s: %s:%s", spec, part,
						p.Name, p.Name, kind)
				}
			}
		}
		if end := strings.IndexAny(kind, "=@%"); end >= 0 {
			kind = kind[:end]
		}
		if newName := renamed[part]; ok && !slices.Contains(known, part) && slices.Contains(known, newName) {
			return fmt.Errorf("fault %q: unknown component %q: it is now %q", spec, part, newName)
		}
		if newName := renamed[kind]; ok && slices.Contains(fault.Kinds(), fault.Kind(newName)) {
			return fmt.Errorf("fault %q: unknown kind %q: it is now %q", spec, kind, newName)
		}
		if near, typo := suggest.Closest(part, known); ok && typo && near != part {
			return fmt.Errorf("fault %q: %w", spec, suggest.UnknownWordError("component", part, known))
		}
		if near, typo := suggest.Closest(fault.Kind(kind), fault.Kinds()); ok && typo && string(near) != kind {
			return fmt.Errorf("fault %q: %w", spec, suggest.UnknownWordError("kind", fault.Kind(kind), fault.Kinds()))
		}
	}
	return err
}

// HasFaultComponents reports whether a system has all components of a fault spec.
func HasFaultComponents(spec string, target system.System) bool {
	_, err := ParseFaults(spec, target)
	return err == nil
}
