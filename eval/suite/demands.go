package suite

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/scorer"
	"evalctl/eval/suggest"
)

// OutcomeOf is what is to come of a fault in a variant; false where nothing is said of it,
// as of faults that are joined, or strike now and then and are not named.
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

// Settles tells whether nothing but the house lays down what is to come of a fault.
func (s Suite) Settles(v Variant, fault string) bool {
	o, _ := s.OutcomeOf(v, fault)
	return s.Matrix && o.Settled != ""
}

// checkOutcomes finds what cannot come of a turn of the target. Kinds of faults, who
// makes them knows.
func (s Suite) checkOutcomes() error {
	if len(s.Outcomes) > maxFaults {
		return fmt.Errorf("expected_outcomes: are more than %d", maxFaults)
	}
	if err := s.checkTables(); err != nil {
		return fmt.Errorf("label_tables.%w", err)
	}
	for i, o := range s.Outcomes {
		if err := s.checkOutcome(o); err != nil {
			return fmt.Errorf("expected_outcomes[%d].%w", i, err)
		}
	}
	return nil
}

func (s Suite) checkOutcome(o Outcome) error {
	if len(o.Parts) == 0 {
		return errors.New("components: is missing")
	}
	for _, part := range o.Parts {
		if err := suggest.Known("part", part, s.PartNames()); err != nil {
			return fmt.Errorf("components: %w", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.With)) {
		set, ok := s.System().Setting(name)
		if !ok {
			return fmt.Errorf("when.%s: %w", name, Foreign(name, s.Target))
		}
		if err := CheckValue(set, o.With[name]); err != nil {
			return fmt.Errorf("when.%s: %w", name, err)
		}
	}
	switch {
	case len(o.Then) == 0 && o.Untold == "":
		return errors.New("expect: is missing: state the expected outcome, or in unspecified why there is none")
	case len(o.Then) > 0 && o.Untold != "":
		return errors.New("unspecified: cannot be combined with expect")
	case len(o.Then) > 0 && o.Because == "" && o.Settled == "":
		return errors.New("specified_by: is missing: name the section of the specification, or give the reason in our_decision")
	case o.Settled != "" && (o.Because != "" || o.Untold != ""):
		return errors.New("our_decision: cannot be combined with specified_by or unspecified")
	}
	for i, d := range o.Then {
		if err := s.checkDemand(d); err != nil {
			return fmt.Errorf("expect[%d].%w", i, err)
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
	tables := slices.Sorted(maps.Keys(s.Tables))
	for _, field := range []struct {
		name        string
		given, have []string
	}{
		{"predicted", d.Decided, slices.Concat(labels, tables, []string{scorer.AsAnswered, scorer.AsInvalid})},
		{"decided_by", d.Source, append([]string{scorer.Nobody}, s.System().Sources...)},
		{"answered_by", d.Served, slices.Concat(labels, c.Served, tables, []string{scorer.AsDecided})},
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
			return fmt.Errorf("fallbacks: %q is not FROM>TO", step)
		}
	}
	return nil
}
