package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval/floor"
	"evalctl/eval/suggest"
)

// baselineModelNames returns the names of all baseline models, with their prefix.
func baselineModelNames() (names []string) {
	for _, kind := range floor.Kinds() {
		names = append(names, llm.BaselineProvider+":"+string(kind))
	}
	return names
}

// IsBaselineModel reports whether a model name has the prefix of a baseline model. It does not
// check whether the baseline model exists; Check does.
func IsBaselineModel(model string) bool {
	provider, _, ok := strings.Cut(model, ":")
	return ok && strings.EqualFold(provider, llm.BaselineProvider)
}

// BaselineModel returns the kind of the variant's baseline model, such as linear. ok is false if
// the variant has none.
func (v Variant) BaselineModel() (kind floor.Kind, ok bool) {
	return floor.Kind(strings.TrimPrefix(v.Model, llm.BaselineProvider+":")), IsBaselineModel(v.Model)
}

// BaselineModels returns the kinds of baseline models that the suite's variants use, sorted and
// without duplicates.
func (s Suite) BaselineModels() (kinds []floor.Kind) {
	for _, v := range s.Variants {
		if kind, ok := v.BaselineModel(); ok {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// HasBaselineModel reports whether a baseline model decides in place of this component. Only the
// deciding component can be replaced.
func (s Suite) HasBaselineModel(v Variant, part string) bool {
	return IsBaselineModel(v.Model) && s.System().DecidingComponent().Name == part
}

// checkBaselineModel returns an error if the variant's baseline model is unknown. It also rejects a
// URL and an API key, which only a real model has.
func (v Variant) checkBaselineModel() error {
	switch err := suggest.CheckKnown("baseline model", v.Model, baselineModelNames()); {
	case err != nil:
		return fmt.Errorf("model: %w", err)
	case v.BaseURL != "":
		return errors.New("base_url: cannot be set for a baseline model, which runs inside evalctl")
	case v.KeyEnv != "":
		return errors.New("api_key_env: cannot be set for a baseline model, which runs inside evalctl")
	}
	return nil
}

// WithBaselineModels adds to list a variant for each kind of baseline model that it lacks. The new
// variants run without faults. Their settings are those of the first variant with a baseline model,
// of the suite or else of the built-in suite (shipped). If there is none, they are those of the
// first variant with a deciding model.
func (s Suite) WithBaselineModels(list []Variant, kinds []string, shipped []Variant) ([]Variant, error) {
	if len(kinds) == 0 {
		return list, nil
	}
	template, err := s.baselineTemplate(shipped)
	if err != nil {
		return nil, err
	}
	list = slices.Clone(list)
	for _, kind := range kinds {
		model := llm.BaselineProvider + ":" + kind
		if slices.ContainsFunc(list, func(v Variant) bool { return v.Model == model }) {
			continue
		}
		if slices.ContainsFunc(list, func(v Variant) bool { return v.Name == kind }) {
			return nil, fmt.Errorf("%s: a variant has that name and is not this baseline model", kind)
		}
		list = append(list, Variant{
			Name:     kind,
			Settings: template.Settings,
			Model:    model,
			Faults:   []string{},
		})
	}
	return list, nil
}

func (s Suite) baselineTemplate(shipped []Variant) (Variant, error) {
	known := slices.Concat(s.Variants, shipped)
	i := slices.IndexFunc(known, func(v Variant) bool { return IsBaselineModel(v.Model) })
	if i < 0 {
		i = slices.IndexFunc(known,
			func(v Variant) bool { return s.UsesComponent(v, s.System().DecidingComponent().Name) })
	}
	if i < 0 {
		return Variant{}, ErrSettingUnused
	}
	return known[i], nil
}

// WithoutBaselineModels returns the variants that use no baseline model. If all variants use one,
// it returns all of them.
func (s Suite) WithoutBaselineModels() []Variant {
	rest := slices.DeleteFunc(slices.Clone(s.Variants), func(v Variant) bool { return IsBaselineModel(v.Model) })
	if len(rest) == 0 {
		return s.Variants
	}
	return rest
}

// trainingSetHash returns a hash of the texts that a baseline model is trained on.
func trainingSetHash(trainingSet []system.LabeledExample) (string, error) {
	b, err := json.Marshal(trainingSet)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), err
}
