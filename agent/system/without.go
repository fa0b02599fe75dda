package system

import (
	"fmt"
	"slices"
	"strings"
)

// withoutName is the name of the setting that lists the removed components.
const withoutName = "without"

// WithoutSetting declares the setting that removes optional components from a system, to measure
// how much they contribute. The prompts then state that the components are missing, so that models
// do not offer them.
func WithoutSetting(parts ...string) Setting {
	return Setting{
		Name:      withoutName,
		Help:      "`COMPONENTS` to leave out: " + strings.Join(parts, ", ") + "; + joins several",
		Separator: "+",
		Check: func(value string) error {
			for name := range strings.SplitSeq(value, "+") {
				if !slices.Contains(parts, name) {
					return fmt.Errorf("%.60q is none of %s", name, strings.Join(parts, ", "))
				}
			}
			return nil
		},
	}
}

// Has reports whether the component is part of the variant, that is, not removed by the setting
// without.
func (v Values) Has(part string) bool {
	return !slices.Contains(strings.Split(v[withoutName], "+"), part)
}

// IfIncluded returns a Component.UsedIf for a component that the setting without can remove.
func IfIncluded(part string) func(Values) bool {
	return func(v Values) bool { return v.Has(part) }
}

// IsOptional reports whether the setting without can remove the component.
func (s System) IsOptional(part string) bool {
	set, ok := s.Setting(withoutName)
	return ok && set.Check(part) == nil
}
