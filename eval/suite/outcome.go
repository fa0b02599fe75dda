package suite

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"evalctl/agent/system"
	"evalctl/eval/scorer"
)

// FaultExpectation defines the expected outcome of a turn in which a fault was injected. It applies
// to some components and kinds of faults.
type FaultExpectation struct {
	Components []string `yaml:"components"` // components in which the fault is injected
	// kinds of faults that it applies to; nil: all kinds except intermittent ones, such as KIND@1
	Kinds []string          `yaml:"kinds"`
	When  map[string]string `yaml:"when"` // settings that a variant must have; nil: it applies to all variants
	// section of the system's specification that defines the outcome
	SpecifiedBy string `yaml:"specified_by"`
	// reason for our decision, if the specification does not define the outcome
	OurDecisionReason string           `yaml:"our_decision"`
	Expect            ExpectedOutcomes `yaml:"expect"` // accepted outcomes
	// Expect also replaces the expectations in cases (expect.under_fault), which are meant for
	// other variants
	OverridesCases    bool   `yaml:"overrides_cases"`
	UnspecifiedReason string `yaml:"unspecified"` // why no outcome is expected, in place of Expect
}

// ExpectedOutcomes contains the accepted outcomes of a turn. The suite file may contain a single
// one or a list.
type ExpectedOutcomes []scorer.ExpectedOutcome

var _ yaml.InterfaceUnmarshaler = (*ExpectedOutcomes)(nil)

// UnmarshalYAML reads one expected outcome, or a list of them.
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

// appliesTo reports whether the expectation applies to a kind of fault in a component. set contains
// the settings of the variant.
func (o FaultExpectation) appliesTo(set system.SettingValues, part, kind string) bool {
	for name, value := range o.When {
		if set[name] != value {
			return false
		}
	}
	isIntermittent := strings.ContainsAny(kind, "@%+")
	return slices.Contains(o.Components, part) && (slices.Contains(o.Kinds, kind) || o.Kinds == nil && !isIntermittent)
}
