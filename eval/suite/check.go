package suite

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval/gate"
	"evalctl/eval/suggest"
)

// Check returns an error if the suite is invalid. Models and datasets are not checked here, but
// when they are opened.
func (s Suite) Check() error {
	if err := checkName(s.Name); err != nil {
		return err
	}
	switch {
	case s.CustomSystem != nil && s.CustomSystem.Name != s.Target:
		return fmt.Errorf("target: %q differs from the name in its declaration: %q", s.Target, s.CustomSystem.Name)
	case s.CustomSystem != nil && slices.Contains(Targets(), s.Target):
		return fmt.Errorf("target: %q is the name of another system", s.Target)
	case s.CustomSystem == nil && !slices.Contains(Targets(), s.Target):
		return fmt.Errorf("target: %w", suggest.UnknownWordError("system", s.Target, Targets()))
	case s.Dataset == "":
		return errors.New("dataset: is missing")
	case !slices.Contains([]string{"", "train", "dev", "test"}, s.Split):
		return fmt.Errorf("split: %q is not train, dev or test", s.Split)
	case s.Epochs < 0:
		return fmt.Errorf("epochs: %d is negative", s.Epochs)
	case s.Limit < 0:
		return fmt.Errorf("limit: %d is negative", s.Limit)
	case s.Sample < 0:
		return fmt.Errorf("sample: %d is negative", s.Sample)
	case s.Sample > 0 && s.Limit > 0:
		return errors.New("sample: cannot be combined with limit")
	case s.Timeout < 0:
		return fmt.Errorf("timeout: %v is negative", s.Timeout)
	case s.RejudgeFirstAttempts && !s.hasCritic():
		return fmt.Errorf("second_judgment: %s has no critic", s.Target)
	case s.GradeFacts && !s.hasGrader():
		return fmt.Errorf("grade_facts: %s has no grader of facts", s.Target)
	case s.GradeFacts && s.DecisionOnly:
		return errors.New("grade_facts: cannot be combined with decision_only, which generates no answer")
	case len(s.Variants) == 0:
		return errors.New("variants: the list is empty")
	}
	if err := s.checkTargets(); err != nil {
		return err
	}
	return cmp.Or(s.checkSize(), s.checkModels(), s.checkPrices(), s.checkLabels(), s.checkDecisionOnly(),
		s.checkGraderFaults(s.Faults), s.checkVariants(), s.checkOutcomes(), s.checkGates())
}

func (s Suite) checkModels() error {
	known := s.components()
	for _, name := range slices.Sorted(maps.Keys(s.Models)) {
		m, p, ok := s.Models[name], system.Component{}, false
		if i := slices.IndexFunc(known, func(p system.Component) bool { return p.Name == name }); i >= 0 {
			p, ok = known[i], true
		}
		switch {
		case IsBaselineModel(m.Model):
			return fmt.Errorf("models.%s.model: %s is for a variant, which gives it as its own model", name, m.Model)
		case !ok:
			return fmt.Errorf("models.%s: %s has no such component (known: %s)", name, s.Target,
				suggest.JoinWords(namesOf(known)))
		case m.BaseURL != "" && m.Model == "" && p.Role.NeedsModelName():
			return fmt.Errorf("models.%s.model: is required with base_url", name)
		case m.BaseURL == "" && m.APIKeyEnv != "":
			return fmt.Errorf("models.%s.base_url: is required with api_key_env", name)
		case m.TaskDuration != 0 && p.Role != system.RoleImage:
			return fmt.Errorf("models.%s.task_duration: applies only to an image generator", name)
		case m.TaskDuration < 0:
			return fmt.Errorf("models.%s.task_duration: %v is negative", name, m.TaskDuration)
		}
		if err := CheckService(m.Model, p); err != nil {
			return fmt.Errorf("models.%s.model: %w", name, err)
		}
	}
	return nil
}

func (s Suite) checkVariants() error {
	seen := map[string]bool{}
	for i, v := range s.Variants {
		if err := cmp.Or(v.check(), s.checkLists(v), s.checkSettings(v), s.checkModel(v), s.checkBaselineModelFaults(v),
			s.checkGraderFaults(v.Faults)); err != nil {
			return fmt.Errorf("variants[%d].%w", i, err)
		}
		if seen[v.Name] {
			return fmt.Errorf("variants[%d].name: %q is used twice", i, v.Name)
		}
		seen[v.Name] = true
	}
	if s.BaselineVariant == "" {
		return nil
	}
	if err := suggest.CheckKnown("variant", s.BaselineVariant, s.VariantNames()); err != nil {
		return fmt.Errorf("baseline_variant: %w", err)
	}
	return nil
}

func (v Variant) check() error {
	if err := checkName(v.Name); err != nil {
		return err
	}
	switch {
	case IsBaselineModel(v.Model):
		return v.checkBaselineModel()
	case v.Model != "" && v.BaseURL == "":
		return errors.New("base_url: is required with model")
	case v.Model == "" && (v.BaseURL != "" || v.KeyEnv != ""):
		return errors.New("model: is required with base_url or api_key_env")
	}
	return nil
}

// checkModel returns an error if no component would call the variant's model. Otherwise the report
// would attribute the results to a model that was not used.
func (s Suite) checkModel(v Variant) error {
	calls := func(p system.Component) bool {
		return s.UsesComponent(v, p.Name) && s.UsesVariantModel(v, p.Name) &&
			(!IsBaselineModel(v.Model) || s.UsesBaselineModel(v, p.Name))
	}
	if err := CheckService(v.Model, system.Component{}); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	if v.Model != "" && !slices.ContainsFunc(s.SystemOf(v).Components, calls) {
		return fmt.Errorf("model: no component of %s calls it with these settings", s.TargetOf(v))
	}
	return nil
}

// checkSettings returns an error if the variant has an unknown setting or an invalid value.
func (s Suite) checkSettings(v Variant) error {
	of := s.SystemOf(v)
	for _, name := range slices.Sorted(maps.Keys(v.Settings)) {
		set, ok := of.Setting(name)
		if !ok {
			return fmt.Errorf("%s: %w", name, UnknownSettingError(name, s.TargetOf(v)))
		}
		if err := CheckSettingValue(set, v.Settings[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// checkLists returns an error if the file gives a list for a setting with a single value.
func (s Suite) checkLists(v Variant) error {
	for _, name := range v.ListValuedSettings {
		if set, _ := s.SystemOf(v).Setting(name); !set.IsList {
			return fmt.Errorf("%s: %w", name, errNotScalar)
		}
	}
	return nil
}

// checkGates returns an error if a gate rule cannot be parsed. Whether the run provides its metrics
// is checked when the run is planned.
func (s Suite) checkGates() error {
	for i, text := range s.Gates {
		if _, err := gate.Parse(text); err != nil {
			return fmt.Errorf("gates[%d]: %w", i, err)
		}
	}
	return nil
}

func (s Suite) checkDecisionOnly() error {
	for _, of := range s.Systems() {
		if s.DecisionOnly && !of.SupportsDecisionOnly {
			return fmt.Errorf("decision_only: %s does not decide before it acts: remove decision_only (--decision-only)",
				of.Name)
		}
	}
	return nil
}

// checkPrices returns an error if a price is invalid, or if two components give different prices
// for the same model. A trace contains only the name of the model, so the price of a call would be
// unknown.
func (s Suite) checkPrices() error {
	seen := map[string]string{} // name of the component, by name of its model
	for _, part := range slices.Sorted(maps.Keys(s.Models)) {
		m := s.Models[part]
		if m.Price == nil {
			continue
		}
		for _, v := range []float64{m.Price.In, m.Price.Out, m.Price.Image} {
			if !(v >= 0) {
				return fmt.Errorf("models.%s.price: %v is not a price", part, v)
			}
		}
		_, name := llm.ParseModel(m.Model)
		if other, ok := seen[name]; ok && *s.Models[other].Price != *m.Price {
			return fmt.Errorf("models.%s.price: differs from that of %s, which is the same model %q", part, other, name)
		}
		seen[name] = part
	}
	return nil
}
