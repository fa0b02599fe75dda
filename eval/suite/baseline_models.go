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

// BaselineModelNames lists the models that are learned in the process.
func BaselineModelNames() (names []string) {
	for _, kind := range floor.Kinds() {
		names = append(names, llm.Baseline+":"+string(kind))
	}
	return names
}

// IsBaselineModel tells a model that is learned in the process by its name, of which Check
// knows whether it is spelt right.
func IsBaselineModel(model string) bool {
	provider, _, ok := strings.Cut(model, ":")
	return ok && strings.EqualFold(provider, llm.Baseline)
}

// BaselineModel is the kind of model that is learned in the process for the variant; ok
// is false where none is.
func (v Variant) BaselineModel() (kind floor.Kind, ok bool) {
	return floor.Kind(strings.TrimPrefix(v.Model, llm.Baseline+":")), IsBaselineModel(v.Model)
}

// BaselineModels are the kinds that the suite's variants have, each once, in order.
func (s Suite) BaselineModels() (kinds []floor.Kind) {
	for _, v := range s.Variants {
		if kind, ok := v.BaselineModel(); ok {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// HasBaselineModel tells whether a floor stands behind a part in a variant: it can only
// decide.
func (s Suite) HasBaselineModel(v Variant, part string) bool {
	return IsBaselineModel(v.Model) && s.System().DecidingComponent().Name == part
}

// checkBaselineModel finds a floor that there is not, and what none has.
func (v Variant) checkBaselineModel() error {
	switch err := suggest.CheckWord("baseline model", v.Model, BaselineModelNames()); {
	case err != nil:
		return fmt.Errorf("model: %w", err)
	case v.BaseURL != "":
		return errors.New("base_url: cannot be set for a baseline model, which runs inside evalctl")
	case v.KeyEnv != "":
		return errors.New("api_key_env: cannot be set for a baseline model, which runs inside evalctl")
	}
	return nil
}

// WithBaselineModels adds a variant for each kind of floor that none of the list has, and
// which nothing strikes. It is set up as the suite's own floor is, else as that of
// the system's shipped variants, else as the first in which a model decides.
func (s Suite) WithBaselineModels(list []Variant, kinds []string, shipped []Variant) ([]Variant, error) {
	if len(kinds) == 0 {
		return list, nil
	}
	like, err := s.likeBaselineModel(shipped)
	if err != nil {
		return nil, err
	}
	list = slices.Clone(list)
	for _, kind := range kinds {
		model := llm.Baseline + ":" + kind
		if slices.ContainsFunc(list, func(v Variant) bool { return v.Model == model }) {
			continue
		}
		if slices.ContainsFunc(list, func(v Variant) bool { return v.Name == kind }) {
			return nil, fmt.Errorf("%s: a variant has that name and is not this baseline model", kind)
		}
		list = append(list, Variant{Name: kind, Settings: like.Settings, Model: model, Faults: []string{}})
	}
	return list, nil
}

func (s Suite) likeBaselineModel(shipped []Variant) (Variant, error) {
	known := slices.Concat(s.Variants, shipped)
	i := slices.IndexFunc(known, func(v Variant) bool { return IsBaselineModel(v.Model) })
	if i < 0 {
		i = slices.IndexFunc(known, func(v Variant) bool { return s.UsesComponent(v, s.System().DecidingComponent().Name) })
	}
	if i < 0 {
		return Variant{}, ErrUnused
	}
	return known[i], nil
}

// WithoutBaselineModels are the variants in which no floor decides, all where there is no
// other.
func (s Suite) WithoutBaselineModels() []Variant {
	rest := slices.DeleteFunc(slices.Clone(s.Variants), func(v Variant) bool { return IsBaselineModel(v.Model) })
	if len(rest) == 0 {
		return s.Variants
	}
	return rest
}

// taughtVersion changes with what a floor learns.
func taughtVersion(taught []system.Example) (string, error) {
	b, err := json.Marshal(taught)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), err
}
