package suite

import (
	"fmt"
	"strings"

	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// CheckSettingValue returns an error if the value is invalid for the setting. A file is not checked
// here, but when it is opened. A URL may contain redacted secrets, as in a manifest.
func CheckSettingValue(set system.Setting, value string) error {
	switch {
	case set.Values != nil:
		return suggest.CheckKnown(set.Name, value, set.Values)
	case value == "":
		return fmt.Errorf("is empty")
	case set.Check != nil && !set.IsFile && !secret.IsRedactedURL(value):
		return set.Check(value)
	}
	return nil
}

// UnknownSettingError returns an error for a setting that none of the targets has. It names the
// targets that have the setting, or suggests a similar name.
func UnknownSettingError(setting string, targets ...string) error {
	owners := SystemsWithSetting(setting)
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

// IsPersistent reports whether data that the setting stores outlive a trial. This must be so in
// every system that has the setting.
func (s Setting) IsPersistent() bool {
	for _, of := range s.Systems {
		if set, _ := of.Setting(s.Name); !set.IsPersistent {
			return false
		}
	}
	return true
}

// checkPersistent returns an error if a variant has a setting that shares data between trials,
// because trials must be independent.
func (s Suite) checkPersistent(v Variant) error {
	for _, set := range s.SystemOf(v).Settings {
		if _, given := v.Settings[set.Name]; given && set.IsPersistent {
			return fmt.Errorf("%s: outlives a trial, and no trial may see another's: it is for chat and serve",
				set.Name)
		}
	}
	return nil
}
