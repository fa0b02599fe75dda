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

// Axis is a setting with the values to be compared.
type Axis struct {
	Setting string
	Values  []string
}

// Product makes the product of the axes. Those that choose among named values
// make variants of their own, in place of the suite's; the others multiply what
// is there. A variant's name tells where it stands on them.
func (s Suite) Product(axes []Axis) ([]Variant, error) {
	bases := s.chosen(axes)
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
		list, err = WithAxis(list, a.Values, func(v Variant) bool { return s.shapes(set, v) }, func(v Variant, value string) (Variant, error) {
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
				return v, nil // long, and in the notes on what is real
			}
			v.Name = strings.TrimSpace(v.Name + " " + a.Setting + "=" + shown) // also where there is one value: a report shows it nowhere else
			return v, nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Setting, err)
		}
	}
	for _, a := range axes {
		set, _ := s.System().Setting(a.Setting)
		if !slices.ContainsFunc(list, func(v Variant) bool { return s.shapes(set, v) }) {
			return nil, fmt.Errorf("%s: %w", a.Setting, ErrUnused)
		}
	}
	kept := s.different(list)
	if len(kept) == 1 && len(bases) > 1 { // nothing is left of what their names say
		if _, axis, ok := strings.Cut(kept[0].Name, bases[0].Name+" "); ok {
			kept[0].Name = axis
		}
	}
	return kept, nil
}

// shapes tells whether a setting changes anything in a variant: a floor reads no
// prompt, what is left of one that decides is its threshold.
func (s Suite) shapes(set system.Setting, v Variant) bool {
	return set.IsUsed(s.Values(v)) && (!IsBaselineModel(v.Model) || set.Values != nil || set.IsThreshold)
}

// different leaves out variants that differ in nothing that they make use of:
// without examples it does not matter how these would be picked. Those that are alike
// but for their faults are left, unless they have become alike.
func (s Suite) different(list []Variant) (kept []Variant) {
	seen := map[string]Variant{}
	for _, v := range list {
		key := fmt.Sprint(s.effective(v), v.Model, v.BaseURL, v.KeyEnv) // maps are printed in order
		first, ok := seen[key]
		if ok && (!maps.Equal(first.Settings, v.Settings) || slices.Equal(first.Faults, v.Faults)) {
			continue
		}
		if !ok {
			seen[key] = v
		}
		kept = append(kept, v)
	}
	return kept
}

// effective are the given settings that a variant makes use of, and that are not
// the usual anyway.
func (s Suite) effective(v Variant) map[string]string {
	values, list := s.Values(v), map[string]string{}
	for _, set := range s.System().Settings {
		if value := v.Settings[set.Name]; value != "" && value != set.Default && set.IsUsed(values) {
			list[set.Name] = value
		}
	}
	return list
}

// ErrUnused refuses what would be passed over.
var ErrUnused = errors.New("no variant makes use of it")

// chosen are the variants that choices among named values make, else the
// suite's own. The target's first setting stands in every name.
func (s Suite) chosen(axes []Axis) []Variant {
	list := []Variant{{}}
	given := false
	for i, set := range s.System().Settings {
		at := slices.IndexFunc(axes, func(a Axis) bool { return a.Setting == set.Name })
		asked := at >= 0 && set.Values != nil
		given = given || asked
		values := []string{set.Default}
		if asked {
			values = axes[at].Values
		}
		if !asked && (i > 0 || set.Values == nil) {
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
	if !given {
		return s.Variants
	}
	return list
}

// file names a file by its last element, and by its path where two files have
// one name.
func (a Axis) file(path string) string {
	for _, other := range a.Values {
		if other != path && filepath.Base(other) == filepath.Base(path) {
			return path
		}
	}
	return filepath.Base(path)
}

// WithAxis has each variant that suits once for every value. It fails when none
// makes use of them: what was asked for must not be passed over.
func WithAxis(list []Variant, values []string, suits func(Variant) bool, set func(Variant, string) (Variant, error)) ([]Variant, error) {
	if err := multiplied(len(list), len(values)); err != nil {
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

// DefaultVariant is the variant that is played where none is described. It has no name
// where the target's first setting chooses nothing.
func (s Suite) DefaultVariant() Variant {
	if settings := s.System().Settings; len(settings) > 0 && settings[0].Values != nil {
		return Variant{Name: settings[0].Default}
	}
	return Variant{}
}
