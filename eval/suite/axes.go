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

// SettingAxis is a setting and the values to compare.
type SettingAxis struct {
	Setting string
	Values  []string
}

// Product returns the product of the axes. Axes with named values replace the suite's variants; the
// others multiply the variants. The name of a variant contains its values on the axes.
func (s Suite) Product(axes []SettingAxis) ([]Variant, error) {
	bases := s.baseVariants(axes)
	list := bases
	for _, a := range axes {
		set, ok := s.System().Setting(a.Setting)
		switch {
		case !ok:
			return nil, fmt.Errorf("%s: %w", a.Setting, UnknownSettingError(a.Setting, s.Target))
		case set.Values != nil:
			continue
		}
		var err error
		list, err = WithAxis(list, a.Values, func(v Variant) bool { return s.hasEffect(set, v) },
			func(v Variant, value string) (Variant, error) {
				shown := set.WithoutSecrets(value)
				if set.IsFile {
					shown = a.file(value)
					var err error
					if value, err = filepath.Abs(value); err != nil {
						return v, err
					}
				}
				v = v.with(a.Setting, value)
				if len(a.Values) == 1 && (set.AllowCommas || set.IsList) {
					return v, nil // these values are long, and the model notes contain them
				}
				// also for a single value, because a report shows it nowhere else
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
			return nil, fmt.Errorf("%s: %w", a.Setting, ErrUnused)
		}
	}
	distinct := s.distinct(list)
	if len(distinct) == 1 && len(bases) > 1 { // the difference that the base names state is gone
		if _, axis, ok := strings.Cut(distinct[0].Name, bases[0].Name+" "); ok {
			distinct[0].Name = axis
		}
	}
	return distinct, nil
}

// hasEffect reports whether a setting has an effect in a variant. A baseline model reads no prompt;
// of its other settings, only a threshold has an effect.
func (s Suite) hasEffect(set system.Setting, v Variant) bool {
	return set.IsUsed(s.Values(v)) && (!IsBaselineModel(v.Model) || set.Values != nil || set.IsThreshold)
}

// distinct removes variants whose effective settings are the same. For example, the way to select
// examples has no effect without examples. Variants that differ only in their faults remain, unless
// they became identical by this product.
func (s Suite) distinct(list []Variant) (distinct []Variant) {
	seen := map[string]Variant{}
	for _, v := range list {
		key := fmt.Sprint(s.effectiveSettings(v), v.Model, v.BaseURL, v.KeyEnv) // maps are printed in order
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

// effectiveSettings returns the settings of a variant that are used and differ from their defaults.
func (s Suite) effectiveSettings(v Variant) map[string]string {
	values, list := s.Values(v), map[string]string{}
	for _, set := range s.System().Settings {
		if value := v.Settings[set.Name]; value != "" && value != set.Default && set.IsUsed(values) {
			list[set.Name] = value
		}
	}
	return list
}

// ErrUnused rejects a setting that would have no effect.
var ErrUnused = errors.New("no variant makes use of it")

// baseVariants returns the variants for the axes with named values, or the suite's own variants if
// there are none. Every name contains the target's first setting.
func (s Suite) baseVariants(axes []SettingAxis) []Variant {
	list := []Variant{{}}
	anySelected := false
	for i, set := range s.System().Settings {
		at := slices.IndexFunc(axes, func(a SettingAxis) bool { return a.Setting == set.Name })
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

// file names a file by its last element, or by its path if two files have the same name.
func (a SettingAxis) file(path string) string {
	for _, other := range a.Values {
		if other != path && filepath.Base(other) == filepath.Base(path) {
			return path
		}
	}
	return filepath.Base(path)
}

// WithAxis repeats each suitable variant for every value. It returns ErrUnused if no variant is
// suitable, so that a requested value is never ignored.
func WithAxis(list []Variant, values []string, suits func(Variant) bool,
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
		return nil, ErrUnused
	}
	return out, nil
}

// DefaultVariant is the variant that is run if none is specified. It has no name if the target's
// first setting has no named values.
func (s Suite) DefaultVariant() Variant {
	if settings := s.System().Settings; len(settings) > 0 && settings[0].Values != nil {
		return Variant{Name: settings[0].Default}
	}
	return Variant{}
}
