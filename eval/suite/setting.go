package suite

import (
	"fmt"
	"strings"

	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// CheckValue rejects an invalid value of a setting. Files are checked when they are opened. A URL
// with redacted secrets, as in a manifest, is replaced before it is used.
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

// UnknownSettingError reports that none of the targets has a setting, and which targets have it.
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

// IsPersistent reports whether the setting's data outlive a trial, for all its owners.
func (s Setting) IsPersistent() bool {
	for _, of := range s.Owners {
		if set, _ := of.Setting(s.Name); !set.IsPersistent {
			return false
		}
	}
	return true
}

// checkPersistent rejects a setting that shares data between trials.
func (s Suite) checkPersistent(v Variant) error {
	for _, set := range s.System().Settings {
		if _, given := v.Settings[set.Name]; given && set.IsPersistent {
			return fmt.Errorf("%s: outlives a trial, and no trial may see another's: it is for chat and serve",
				set.Name)
		}
	}
	return nil
}
