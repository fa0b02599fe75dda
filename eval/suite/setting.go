package suite

import (
	"fmt"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// CheckValue finds a value that the setting cannot have. A file is looked at
// when it is opened.
func CheckValue(set system.Setting, value string) error {
	switch {
	case set.Values != nil:
		return suggest.Known(set.Name, value, set.Values)
	case value == "":
		return fmt.Errorf("is empty")
	case set.Check != nil && !set.File:
		return set.Check(value)
	}
	return nil
}

// Foreign says that none of the targets has a setting, and who has.
func Foreign(setting string, targets ...string) error {
	owners := OwnersOf(setting)
	if len(owners) == 0 {
		var known []string
		for _, s := range Settings(targets...) {
			known = append(known, s.Name)
		}
		return suggest.Unknown("setting", setting, known)
	}
	has := "has"
	if len(owners) > 1 {
		has = "have"
	}
	return fmt.Errorf("%s has none; %s %s", strings.Join(targets, ", "), strings.Join(owners, ", "), has)
}
