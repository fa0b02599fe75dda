package system

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
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

// CheckButton returns an error unless the agent has the button that a turn presses. "" presses none.
func (c Contract) CheckButton(button string) error {
	switch {
	case button == "" || slices.Contains(c.ButtonIDs, button):
		return nil
	case c.ButtonIDs == nil:
		return fmt.Errorf("%.60q: the agent has no buttons", button)
	}
	return fmt.Errorf("unknown button %.60q (known: %s)", button, strings.Join(c.ButtonIDs, ", "))
}

func checkSwitch(raw json.RawMessage) error {
	if on := string(raw); on != "true" && on != "false" {
		return fmt.Errorf("%.60s is neither true nor false", raw)
	}
	return nil
}
