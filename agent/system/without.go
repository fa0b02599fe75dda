package system

import (
	"fmt"
	"slices"
	"strings"
)

// withoutName is the name of the setting that WithoutSetting declares.
const withoutName = "without"

// WithoutSetting declares the setting that removes components from a system. The prompts mention
// the missing components, so that models do not offer them.
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

// Has reports whether the settings include the component.
func (v Values) Has(part string) bool {
	return !slices.Contains(strings.Split(v[withoutName], "+"), part)
}

// IfIncluded is a Component.UsedIf for a component that WithoutSetting can remove.
func IfIncluded(part string) func(Values) bool {
	return func(v Values) bool { return v.Has(part) }
}

// IsOptional reports whether the settings can remove the component.
func (s System) IsOptional(part string) bool {
	set, ok := s.Setting(withoutName)
	return ok && set.Check(part) == nil
}
