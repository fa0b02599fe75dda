package suite

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/agent/classifier"
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

// UsesBaselineModel reports whether a baseline model decides in place of this component. Only the
// deciding component can be replaced.
func (s Suite) UsesBaselineModel(v Variant, part string) bool {
	return IsBaselineModel(v.Model) && s.SystemOf(v).DecidingComponent().Name == part
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
// first variant with a deciding model. If the suite's target is an external agent, the baseline
// models decide in the target prompt, which takes the same labels.
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
			Target:   template.Target,
			Settings: template.Settings,
			Model:    model,
			Faults:   []string{},
		})
	}
	return list, nil
}

func (s Suite) baselineTemplate(shipped []Variant) (Variant, error) {
	known := slices.Concat(s.Variants, shipped)
	if s.System().IsExternal() {
		known = append(known, Variant{Target: classifier.System().Name})
	}
	i := slices.IndexFunc(known, func(v Variant) bool { return IsBaselineModel(v.Model) })
	if i < 0 {
		i = slices.IndexFunc(known,
			func(v Variant) bool {
				of := s.SystemOf(v)
				return !of.IsExternal() && s.UsesComponent(v, of.DecidingComponent().Name)
			})
	}
	if i < 0 {
		return Variant{}, ErrSettingUnused
	}
	return known[i], nil
}

// MergeBaselineModels returns the list with only one variant of a baseline model instead of several
// whose settings differ in nothing that has an effect. This variant has the name that the suite gives it, or
// else the words that all their names share, or else the kind of the baseline model.
func (s Suite) MergeBaselineModels(list []Variant) (merged []Variant) {
	groups, names := map[string][]Variant{}, map[string]bool{}
	key := func(v Variant) string { return fmt.Sprint(v.Model, s.TargetOf(v), s.baselineSettings(v), v.Faults) }
	for _, v := range list {
		names[v.Name] = true
		if IsBaselineModel(v.Model) {
			groups[key(v)] = append(groups[key(v)], v)
		}
	}
	for _, v := range list {
		group := groups[key(v)]
		switch {
		case !IsBaselineModel(v.Model) || len(group) == 1:
			merged = append(merged, v)
		case len(group) > 1:
			merged = append(merged, s.mergedVariant(group, names))
			groups[key(v)] = nil
		}
	}
	return merged
}

// mergedVariant returns the variant that replaces a group of variants with the same baseline model.
// It has the settings that all of them have. used contains the names that the list has.
func (s Suite) mergedVariant(group []Variant, used map[string]bool) Variant {
	v := group[0]
	v.Settings = maps.Clone(v.Settings)
	maps.DeleteFunc(v.Settings, func(name, value string) bool {
		return slices.ContainsFunc(group, func(of Variant) bool { return of.Settings[name] != value })
	})
	name := s.mergedName(group)
	if !used[name] || slices.ContainsFunc(group, func(of Variant) bool { return of.Name == name }) {
		v.Name = name
	}
	used[v.Name] = true
	return v
}

// baselineSettings returns the settings that have an effect although a baseline model decides.
func (s Suite) baselineSettings(v Variant) map[string]string {
	list := s.effectiveSettings(v)
	maps.DeleteFunc(list, func(name, _ string) bool {
		set, _ := s.SystemOf(v).Setting(name)
		return !s.hasEffect(set, v)
	})
	return list
}

// onlyDecides reports whether the variant uses no component except the deciding one.
func (s Suite) onlyDecides(v Variant) bool {
	of := s.SystemOf(v)
	return !slices.ContainsFunc(of.Components, func(p system.Component) bool {
		return p.Name != of.DecidingComponent().Name && s.UsesComponent(v, p.Name)
	})
}

// readsPrompts reports whether the variant calls a model that receives prompts. A baseline model
// receives only the message.
func (s Suite) readsPrompts(v Variant) bool { return !IsBaselineModel(v.Model) || !s.onlyDecides(v) }

// mergedName returns the name of a variant that replaces the variants of a group.
func (s Suite) mergedName(group []Variant) string {
	for _, v := range group {
		isOwn := func(own Variant) bool { return own.Name == v.Name && own.Model == v.Model }
		if slices.ContainsFunc(s.Variants, isOwn) {
			return v.Name
		}
	}
	shared := strings.Fields(group[0].Name)
	for _, v := range group[1:] {
		words := strings.Fields(v.Name)
		shared = slices.DeleteFunc(shared, func(word string) bool { return !slices.Contains(words, word) })
	}
	kind, _ := group[0].BaselineModel()
	return cmp.Or(strings.Join(shared, " "), string(kind))
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
