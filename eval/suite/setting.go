package suite

import (
	"fmt"
	"strings"

	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// CheckValue finds a value that the setting cannot have. A file is looked at
// when it is opened; an address without its secrets, as a manifest keeps it, is
// given again before.
func CheckValue(set system.Setting, value string) error {
	switch {
	case set.Values != nil:
		return suggest.CheckWord(set.Name, value, set.Values)
	case value == "":
		return fmt.Errorf("is empty")
	case set.Check != nil && !set.IsFile && !secret.IsRedactedURL(value):
		return set.Check(value)
	}
	return nil
}

// UnknownSettingError says that none of the targets has a setting, and who has.
func UnknownSettingError(setting string, targets ...string) error {
	owners := OwnersOf(setting)
	if len(owners) == 0 {
		var known []string
		for _, s := range Settings(targets...) {
			known = append(known, s.Name)
		}
		return suggest.UnknownWordError("setting", setting, known)
	}
	has := "has"
	if len(owners) > 1 {
		has = "have"
	}
	return fmt.Errorf("%s does not have it; %s %s", strings.Join(targets, ", "), strings.Join(owners, ", "), has)
}

// IsPersistent tells a setting of what outlives a trial, whoever has it.
func (s Setting) IsPersistent() bool {
	for _, of := range s.Owners {
		if set, _ := of.Setting(s.Name); !set.IsPersistent {
			return false
		}
	}
	return true
}

// checkLasting finds a setting by which one trial would see what another left.
func (s Suite) checkLasting(v Variant) error {
	for _, set := range s.System().Settings {
		if _, given := v.Settings[set.Name]; given && set.IsPersistent {
			return fmt.Errorf("%s: outlives a trial, and no trial may see another's: it is for chat and serve", set.Name)
		}
	}
	return nil
}
