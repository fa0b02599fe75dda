package suite

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"evalctl/agent/system"
	"evalctl/eval/scorer"
)

// FaultExpectation defines the expected outcome of a turn under faults of some kinds in some
// components.
type FaultExpectation struct {
	Components  []string          `yaml:"components"`
	Kinds       []string          `yaml:"kinds"`        // nil: all other kinds except intermittent ones (KIND@1)
	When        map[string]string `yaml:"when"`         // applies only to variants with these settings
	SpecifiedBy string            `yaml:"specified_by"` // section of the specification
	OurDecision string            `yaml:"our_decision"` // instead of SpecifiedBy: the reason for our decision
	Expect      ExpectedOutcomes  `yaml:"expect"`       // accepted outcomes
	// replaces the expectation of cases under the fault, which is meant for other variants
	OverridesCases bool   `yaml:"overrides_cases"`
	Unspecified    string `yaml:"unspecified"` // instead of Expect: why the outcome is not specified
}

// ExpectedOutcomes are accepted outcomes of a turn. A file contains one, or a list.
type ExpectedOutcomes []scorer.ExpectedOutcome

var _ yaml.InterfaceUnmarshaler = (*ExpectedOutcomes)(nil)

// UnmarshalYAML reads a mapping or a list of mappings.
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

// appliesTo reports whether the expectation applies to a fault in a system with these settings.
func (o FaultExpectation) appliesTo(set system.Values, part, kind string) bool {
	for name, value := range o.When {
		if set[name] != value {
			return false
		}
	}
	isIntermittent := strings.ContainsAny(kind, "@%+")
	return slices.Contains(o.Components, part) && (slices.Contains(o.Kinds, kind) || o.Kinds == nil && !isIntermittent)
}
