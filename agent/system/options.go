package system

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// OptionNames are all that a turn may set in its options: the switches and the
// parameters.
func (c Contract) OptionNames() []string {
	return slices.Concat(c.Options, slices.Sorted(maps.Keys(c.OptionChecks)))
}

// Option checks what a turn sets under a name in its options; nil: there is none of that
// name.
func (c Contract) Option(name string) func(json.RawMessage) error {
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
