package suite

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/scorer"
	"evalctl/eval/suggest"
)

// Outcome says what is to come of a turn when faults of some kinds strike some parts.
type Outcome struct {
	Parts   []string          `yaml:"parts"`
	Kinds   []string          `yaml:"kinds"`   // none: all that are left
	With    map[string]string `yaml:"with"`    // only in variants that are set so
	Because string            `yaml:"because"` // where that is laid down
	Then    Demands           `yaml:"then"`    // any of which will do
	Untold  string            `yaml:"untold"`  // in place of Then: why nobody knows what should come of it
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
	return slices.Contains(o.Parts, part) && (o.Kinds == nil || slices.Contains(o.Kinds, kind))
}

// OutcomeOf is what is to come of a fault in a variant; false where nothing is said of it,
// as of faults that are joined, or strike now and then.
func (s Suite) OutcomeOf(v Variant, fault string) (Outcome, bool) {
	part, kind, _ := strings.Cut(fault, ":")
	set := s.Values(v)
	for _, o := range s.Outcomes {
		if o.fits(set, part, kind) {
			return o, true
		}
	}
	return Outcome{}, false
}

func (s Suite) demands(v Variant, fault string) []scorer.Demand {
	o, _ := s.OutcomeOf(v, fault)
	return o.Then
}

// checkOutcomes finds what cannot come of a turn of the target. Kinds of faults, who
// makes them knows.
func (s Suite) checkOutcomes() error {
	if len(s.Outcomes) > maxFaults {
		return fmt.Errorf("outcomes: are more than %d", maxFaults)
	}
	for i, o := range s.Outcomes {
		if err := s.checkOutcome(o); err != nil {
			return fmt.Errorf("outcomes[%d].%w", i, err)
		}
	}
	return nil
}

func (s Suite) checkOutcome(o Outcome) error {
	if len(o.Parts) == 0 {
		return errors.New("parts: is missing")
	}
	for _, part := range o.Parts {
		if err := suggest.Known("part", part, s.PartNames()); err != nil {
			return fmt.Errorf("parts: %w", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.With)) {
		set, ok := s.System().Setting(name)
		if !ok {
			return fmt.Errorf("with.%s: %w", name, Foreign(name, s.Target))
		}
		if err := CheckValue(set, o.With[name]); err != nil {
			return fmt.Errorf("with.%s: %w", name, err)
		}
	}
	switch {
	case len(o.Then) == 0 && o.Untold == "":
		return errors.New("then: is missing: say what is to come of it, or why nobody knows, as untold")
	case len(o.Then) > 0 && o.Untold != "":
		return errors.New("untold: does not go with then")
	case len(o.Then) > 0 && o.Because == "":
		return errors.New("because: is missing: say where that is laid down")
	}
	for i, d := range o.Then {
		if err := s.checkDemand(d); err != nil {
			return fmt.Errorf("then[%d].%w", i, err)
		}
	}
	return nil
}

func (s Suite) checkDemand(d scorer.Demand) error {
	c := s.System().Contract
	labels := c.Labels
	if c.IsOpen() {
		labels = append(slices.Concat(d.Decided, d.Served), scorer.AsDecided)
	}
	var kinds []string
	for _, k := range eval.ErrorKinds() {
		kinds = append(kinds, string(k))
	}
	for _, field := range []struct {
		name        string
		given, have []string
	}{
		{"decided", d.Decided, labels},
		{"source", d.Source, append([]string{scorer.Nobody}, s.System().Sources...)},
		{"served", d.Served, slices.Concat(labels, c.Served, []string{scorer.AsDecided})},
		{"error", d.Error, kinds},
	} {
		for _, word := range field.given {
			if err := suggest.Known(field.name, word, field.have); err != nil {
				return fmt.Errorf("%s: %w", field.name, err)
			}
		}
	}
	for _, step := range d.Steps {
		if from, to, ok := strings.Cut(step, ">"); !ok || from == "" || to == "" {
			return fmt.Errorf("steps: %q is no FROM>TO", step)
		}
	}
	return nil
}
