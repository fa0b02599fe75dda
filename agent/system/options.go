package system

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// OptionNames returns the names of all options that a turn may set: the switches first, then the
// options with values.
func (c Contract) OptionNames() []string {
	return slices.Concat(c.Options, slices.Sorted(maps.Keys(c.OptionChecks)))
}

// OptionCheck returns the function that checks the value of an option of a turn, or nil if the
// option is unknown.
func (c Contract) OptionCheck(name string) func(json.RawMessage) error {
	if slices.Contains(c.Options, name) {
		return checkSwitch
	}
	if c.AllowAnyOption && c.OptionChecks[name] == nil && name != "" {
		return func(json.RawMessage) error { return nil }
	}
	return c.OptionChecks[name]
}

func checkSwitch(raw json.RawMessage) error {
	if on := string(raw); on != "true" && on != "false" {
		return fmt.Errorf("%.60s is neither true nor false", raw)
	}
	return nil
}
