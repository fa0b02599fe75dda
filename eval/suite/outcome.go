package suite

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"evalctl/agent/system"
	"evalctl/eval/scorer"
)

// FaultExpectation says what is to come of a turn when faults of some kinds strike some parts.
type FaultExpectation struct {
	Components     []string          `yaml:"components"`
	Kinds          []string          `yaml:"kinds"`           // none: all that are left, but of those that strike now and then (KIND@1)
	When           map[string]string `yaml:"when"`            // only in variants that are set so
	SpecifiedBy    string            `yaml:"specified_by"`    // where that is laid down
	OurDecision    string            `yaml:"our_decision"`    // in place of Because: nothing lays it down, and why the house wants it so
	Expect         ExpectedOutcomes  `yaml:"expect"`          // any of which will do
	OverridesCases bool              `yaml:"overrides_cases"` // what cases expect under the fault, too: they mean other variants
	Unspecified    string            `yaml:"unspecified"`     // in place of Then: why nobody knows what should come of it
}

// ExpectedOutcomes are ways for a turn to end; in a file one, or a list.
type ExpectedOutcomes []scorer.ExpectedOutcome

var _ yaml.InterfaceUnmarshaler = (*ExpectedOutcomes)(nil)

// UnmarshalYAML reads a mapping or a list of such.
func (d *ExpectedOutcomes) UnmarshalYAML(decode func(any) error) error {
	var list []scorer.ExpectedOutcome
	var raw any
	if err := decode(&raw); err != nil {
		return err
	}
	if _, several := raw.([]any); several {
		err := decode(&list)
		*d = list
		return err
	}
	list = make([]scorer.ExpectedOutcome, 1)
	err := decode(&list[0])
	*d = list
	return err
}

// fits tells whether an outcome is of a fault where a system is set so.
func (o FaultExpectation) fits(set system.Values, part, kind string) bool {
	for name, value := range o.When {
		if set[name] != value {
			return false
		}
	}
	isNowAndThen := strings.ContainsAny(kind, "@%+")
	return slices.Contains(o.Components, part) && (slices.Contains(o.Kinds, kind) || o.Kinds == nil && !isNowAndThen)
}
