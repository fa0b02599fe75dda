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

// ExpectationFor returns the expected outcome of a fault in a variant. ok is false if the suite
// specifies none. A combined or intermittent fault needs an expectation that names it.
func (s Suite) ExpectationFor(v Variant, fault string) (FaultExpectation, bool) {
	part, kind, _ := strings.Cut(fault, ":")
	set := s.SettingValues(v)
	for _, o := range s.ExpectedOutcomes {
		if o.appliesTo(set, part, kind) {
			return o, true
		}
	}
	return FaultExpectation{}, false
}

// IsOurDecision reports whether the expected outcome of the fault is our decision. That is so if
// the specification of the system does not define it.
func (s Suite) IsOurDecision(v Variant, fault string) bool {
	o, _ := s.ExpectationFor(v, fault)
	return s.FaultMatrix && o.OurDecisionReason != ""
}

// checkOutcomes returns an error if an expected outcome is not possible for the target. Kinds of
// faults are checked later, when faults are created.
func (s Suite) checkOutcomes() error {
	if len(s.ExpectedOutcomes) > maxFaults {
		return fmt.Errorf("expected_outcomes: are more than %d", maxFaults)
	}
	if err := s.checkTables(); err != nil {
		return fmt.Errorf("label_tables.%w", err)
	}
	for i, o := range s.ExpectedOutcomes {
		if err := s.checkOutcome(o); err != nil {
			return fmt.Errorf("expected_outcomes[%d].%w", i, err)
		}
	}
	return nil
}

func (s Suite) checkOutcome(o FaultExpectation) error {
	if len(o.Components) == 0 {
		return errors.New("components: is missing")
	}
	for _, part := range o.Components {
		if err := suggest.CheckKnown("part", part, s.ComponentNames()); err != nil {
			return fmt.Errorf("components: %w", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.When)) {
		set, ok := s.System().Setting(name)
		if !ok {
			return fmt.Errorf("when.%s: %w", name, UnknownSettingError(name, s.Target))
		}
		if err := CheckSettingValue(set, o.When[name]); err != nil {
			return fmt.Errorf("when.%s: %w", name, err)
		}
	}
	switch {
	case len(o.Expect) == 0 && o.UnspecifiedReason == "":
		return errors.New("expect: is missing: state the expected outcome, or in unspecified why there is none")
	case len(o.Expect) > 0 && o.UnspecifiedReason != "":
		return errors.New("unspecified: cannot be combined with expect")
	case len(o.Expect) > 0 && o.SpecifiedBy == "" && o.OurDecisionReason == "":
		return errors.New("specified_by: is missing: name the section of the specification, or give the reason in our_decision")
	case o.OurDecisionReason != "" && (o.SpecifiedBy != "" || o.UnspecifiedReason != ""):
		return errors.New("our_decision: cannot be combined with specified_by or unspecified")
	}
	for i, d := range o.Expect {
		if err := s.checkExpectedOutcome(d); err != nil {
			return fmt.Errorf("expect[%d].%w", i, err)
		}
	}
	return nil
}

func (s Suite) checkExpectedOutcome(d scorer.ExpectedOutcome) error {
	c := s.System().Contract
	labels := c.Labels
	if c.HasDatasetLabels() {
		labels = append(slices.Concat(d.Predicted, d.AnsweredBy), scorer.MatchPredicted)
	}
	var kinds []string
	for _, k := range eval.ErrorKinds() {
		kinds = append(kinds, string(k))
	}
	tables := slices.Sorted(maps.Keys(s.LabelTables))
	for _, field := range []struct {
		name        string
		given, have []string
	}{
		{"predicted", d.Predicted,
			slices.Concat(labels, tables, []string{scorer.MatchModelAnswer, scorer.MatchInvalid})},
		{"decided_by", d.DecidedBy, append([]string{scorer.NoDecision}, s.System().DecisionSources...)},
		{"answered_by", d.AnsweredBy, slices.Concat(labels, c.OtherRoutes, tables, []string{scorer.MatchPredicted})},
		{"error", d.Error, kinds},
	} {
		for _, word := range field.given {
			if err := suggest.CheckKnown(field.name, word, field.have); err != nil {
				return fmt.Errorf("%s: %w", field.name, err)
			}
		}
	}
	for _, step := range d.Fallbacks {
		if from, to, ok := strings.Cut(step, ">"); !ok || from == "" || to == "" {
			return fmt.Errorf("fallbacks: %q is not FROM>TO", step)
		}
	}
	return nil
}
