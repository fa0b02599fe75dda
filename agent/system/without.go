package system

import (
	"fmt"
	"slices"
	"strings"
)

// withoutSettingName is the name of the setting that lists the removed components.
const withoutSettingName = "without"

// ExcludeComponentsSetting declares the setting that removes optional components from a system, to
// measure what they contribute. The prompts then state that the components are missing, so that
// models do not offer them.
func ExcludeComponentsSetting(components ...string) Setting {
	return Setting{
		Name:      withoutSettingName,
		Help:      "`COMPONENTS` to leave out: " + strings.Join(components, ", ") + "; + joins several",
		Separator: "+",
		Check: func(value string) error {
			for name := range strings.SplitSeq(value, "+") {
				if !slices.Contains(components, name) {
					return fmt.Errorf("%.60q is not one of %s", name, strings.Join(components, ", "))
				}
			}
			return nil
		},
	}
}

// HasComponent reports whether the component is part of the variant. It is not if the setting
// "without" removes it.
func (v SettingValues) HasComponent(component string) bool {
	return !slices.Contains(strings.Split(v[withoutSettingName], "+"), component)
}

// IfIncluded returns a function for Component.UsedIf, for a component that the setting "without"
// can remove.
func IfIncluded(component string) func(SettingValues) bool {
	return func(v SettingValues) bool { return v.HasComponent(component) }
}

// IsOptional reports whether the setting "without" can remove the component.
func (s System) IsOptional(component string) bool {
	set, ok := s.Setting(withoutSettingName)
	return ok && set.Check(component) == nil
}
