package system

import (
	"fmt"
	"slices"
	"strings"
)

// withoutName is the name of the setting that WithoutSetting declares.
const withoutName = "without"

// WithoutSetting declares the setting by which a system does without some of its parts. The
// system informs its models of what is absent, so that they say so.
func WithoutSetting(parts ...string) Setting {
	return Setting{
		Name:   withoutName,
		Help:   "`COMPONENTS` to leave out: " + strings.Join(parts, ", ") + "; + joins several",
		Joined: "+",
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

// Has is true unless the settings do without the part.
func (v Values) Has(part string) bool {
	return !slices.Contains(strings.Split(v[withoutName], "+"), part)
}

// Unless makes a Part's Used of the setting that does without it.
func Unless(part string) func(Values) bool {
	return func(v Values) bool { return v.Has(part) }
}

// CanLack is true for a part that the settings can do without.
func (s System) CanLack(part string) bool {
	set, ok := s.Setting(withoutName)
	return ok && set.Check(part) == nil
}
