package suite

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"evalctl/agent/system"
	"evalctl/eval/scorer"
)

// Outcome says what is to come of a turn when faults of some kinds strike some parts.
type Outcome struct {
	Parts   []string          `yaml:"components"`
	Kinds   []string          `yaml:"kinds"`           // none: all that are left, but of those that strike now and then (KIND@1)
	With    map[string]string `yaml:"when"`            // only in variants that are set so
	Because string            `yaml:"specified_by"`    // where that is laid down
	Settled string            `yaml:"our_decision"`    // in place of Because: nothing lays it down, and why the house wants it so
	Then    Demands           `yaml:"expect"`          // any of which will do
	Above   bool              `yaml:"overrides_cases"` // what cases expect under the fault, too: they mean other variants
	Untold  string            `yaml:"unspecified"`     // in place of Then: why nobody knows what should come of it
}

// Demands are ways for a turn to end; in a file one, or a list.
type Demands []scorer.Demand

var _ yaml.InterfaceUnmarshaler = (*Demands)(nil)

// UnmarshalYAML reads a mapping or a list of such.
func (d *Demands) UnmarshalYAML(decode func(any) error) error {
	var list []scorer.Demand
	var raw any
	if err := decode(&raw); err != nil {
		return err
	}
	if _, several := raw.([]any); several {
		err := decode(&list)
		*d = list
		return err
	}
	list = make([]scorer.Demand, 1)
	err := decode(&list[0])
	*d = list
	return err
}

// fits tells whether an outcome is of a fault where a system is set so.
func (o Outcome) fits(set system.Values, part, kind string) bool {
	for name, value := range o.With {
		if set[name] != value {
			return false
		}
	}
	isNowAndThen := strings.ContainsAny(kind, "@%+")
	return slices.Contains(o.Parts, part) && (slices.Contains(o.Kinds, kind) || o.Kinds == nil && !isNowAndThen)
}
