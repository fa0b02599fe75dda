package suite

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"evalctl/agent/system"
)

// ComparedSetting is a setting of the target and the values of it that a run compares. A run with
// several compared settings runs every combination.
type ComparedSetting struct {
	Setting string   // name of the setting
	Values  []string // values to compare
}

// CombineSettings returns a variant for every combination of the settings' values. A setting with a
// fixed set of values, such as a router, replaces the suite's variants. Any other setting is
// applied to each of these variants. The name of a variant contains its values. A setting applies to
// the variants whose target has it.
func (s Suite) CombineSettings(axes []ComparedSetting) (list []Variant, err error) {
	for _, a := range axes {
		has := func(of system.System) bool { _, ok := of.Setting(a.Setting); return ok }
		if systems := s.Systems(); !slices.ContainsFunc(systems, has) {
			var targets []string
			for _, of := range systems {
				targets = append(targets, of.Name)
			}
			return nil, fmt.Errorf("%s: %w", a.Setting, UnknownSettingError(a.Setting, targets...))
		}
	}
	if len(axes) == 0 {
		return s.combineSettings(nil)
	}
	for _, part := range s.SplitByTarget() {
		own := slices.DeleteFunc(slices.Clone(axes), func(a ComparedSetting) bool {
			_, ok := part.System().Setting(a.Setting)
			return !ok
		})
		combined, err := part.combineSettings(own)
		if err != nil {
			return nil, err
		}
		for _, v := range combined {
			if part.Target != s.Target {
				v.Target = part.Target
			}
			list = append(list, v)
		}
	}
	return list, nil
}

// combineSettings is CombineSettings for a suite in which the target of every variant has all these
// settings.
func (s Suite) combineSettings(axes []ComparedSetting) ([]Variant, error) {
	bases := s.baseVariants(axes)
	list := bases
	for _, a := range axes {
		set, _ := s.System().Setting(a.Setting)
		if set.Values != nil {
			continue
		}
		var err error
		list, err = ExpandVariants(list, a.Values, func(v Variant) bool { return s.hasEffect(set, v) },
			func(v Variant, value string) (Variant, error) {
				shown := set.Redact(value)
				if set.IsFile {
					shown = a.shortName(value)
					var err error
					if value, err = filepath.Abs(value); err != nil {
						return v, err
					}
				}
				v = v.with(a.Setting, value)
				if len(a.Values) == 1 && (set.AllowCommas || set.IsList) {
					return v, nil // omit the value: it may be long, and the report shows it with the models
				}
				// The name contains even a single value, because the report does not show it
				// elsewhere.
				v.Name = strings.TrimSpace(v.Name + " " + a.Setting + "=" + shown)
				return v, nil
			})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Setting, err)
		}
	}
	for _, a := range axes {
		set, _ := s.System().Setting(a.Setting)
		if !slices.ContainsFunc(list, func(v Variant) bool { return s.hasEffect(set, v) }) {
			return nil, fmt.Errorf("%s: %w", a.Setting, ErrSettingUnused)
		}
	}
	distinct := s.distinct(list)
	if len(distinct) == 1 && len(bases) > 1 { // one variant remains: its name needs no base
		if _, axis, ok := strings.Cut(distinct[0].Name, bases[0].Name+" "); ok {
			distinct[0].Name = axis
		}
	}
	return distinct, nil
}

// hasEffect reports whether a setting can change the results of a variant. If a baseline model
// decides, a prompt has an effect only with a real model, because no trained or simulated model reads
// prompts. If the variant only decides, other settings can only change how the decision is applied.
func (s Suite) hasEffect(set system.Setting, v Variant) bool {
	switch {
	case !set.IsUsed(s.SettingValues(v)):
		return false
	case !IsBaselineModel(v.Model) || set.IsThreshold:
		return true
	case set.IsPrompt:
		return s.HasRealEndpoint(v)
	}
	return set.Values != nil || !s.onlyDecides(v)
}

// distinct returns the list without variants that behave like an earlier one. For example, the way
// to select examples has no effect if there are no examples. Variants of the suite that differ only
// in their faults remain.
func (s Suite) distinct(list []Variant) (distinct []Variant) {
	seen := map[string]Variant{}
	for _, v := range list {
		// fmt prints maps in the order of their keys
		key := fmt.Sprint(s.TargetOf(v), s.effectiveSettings(v), v.Model, v.BaseURL, v.KeyEnv)
		first, ok := seen[key]
		if ok && (!maps.Equal(first.Settings, v.Settings) || slices.Equal(first.Faults, v.Faults)) {
			continue
		}
		if !ok {
			seen[key] = v
		}
		distinct = append(distinct, v)
	}
	return distinct
}

// effectiveSettings returns the settings of a variant that have an effect and differ from their
// defaults.
func (s Suite) effectiveSettings(v Variant) map[string]string {
	values, list := s.SettingValues(v), map[string]string{}
	for _, set := range s.SystemOf(v).Settings {
		if value := v.Settings[set.Name]; value != "" && value != set.Default && set.IsUsed(values) {
			list[set.Name] = value
		}
	}
	return list
}

// ErrSettingUnused is returned for a setting that has no effect in any variant. The user's value
// would be ignored.
var ErrSettingUnused = errors.New("no variant makes use of it")

// baseVariants returns a variant for every combination of the settings that have a fixed set of
// values. If the user gave none of these settings, it returns the suite's own variants.
func (s Suite) baseVariants(axes []ComparedSetting) []Variant {
	list := []Variant{{}}
	anySelected := false
	for i, set := range s.System().Settings {
		at := slices.IndexFunc(axes, func(a ComparedSetting) bool { return a.Setting == set.Name })
		isSelected := at >= 0 && set.Values != nil
		anySelected = anySelected || isSelected
		values := []string{set.Default}
		if isSelected {
			values = axes[at].Values
		}
		if !isSelected && (i > 0 || set.Values == nil) {
			continue
		}
		var next []Variant
		for _, v := range list {
			for _, value := range values {
				one := v.with(set.Name, value)
				one.Name = strings.TrimPrefix(v.Name+"-"+value, "-")
				next = append(next, one)
			}
		}
		list = next
	}
	if !anySelected {
		return s.Variants
	}
	return list
}

// shortName returns a short name for one of the setting's files: the last element of its path. If
// another file has the same last element, file returns the whole path.
func (a ComparedSetting) shortName(path string) string {
	for _, other := range a.Values {
		if other != path && filepath.Base(other) == filepath.Base(path) {
			return path
		}
	}
	return filepath.Base(path)
}

// ExpandVariants replaces each variant for which suits returns true by one variant per value, which
// set creates. It returns ErrSettingUnused if there is no such variant.
func ExpandVariants(list []Variant, values []string, suits func(Variant) bool,
	set func(Variant, string) (Variant, error)) ([]Variant, error) {
	if err := checkProduct(len(list), len(values)); err != nil {
		return nil, err
	}
	var out []Variant
	used := false
	for _, v := range list {
		if !suits(v) {
			out = append(out, v)
			continue
		}
		used = true
		for _, value := range values {
			one, err := set(v, value)
			if err != nil {
				return nil, err
			}
			out = append(out, one)
		}
	}
	if !used {
		return nil, ErrSettingUnused
	}
	return out, nil
}

// DefaultVariant returns the variant that runs if the user specifies none. It is named after the
// default of the target's first setting, if that has a fixed set of values. Otherwise it has no
// name.
func (s Suite) DefaultVariant() Variant {
	if settings := s.System().Settings; len(settings) > 0 && settings[0].Values != nil {
		return Variant{Name: settings[0].Default}
	}
	return Variant{}
}
