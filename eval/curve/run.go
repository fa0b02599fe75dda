package curve

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// ErrNoCurve is returned if a suite has no two variants that differ only in one numeric setting.
var ErrNoCurve = errors.New("no two variants differ in one numeric setting alone")

// FindNumericSetting returns the numeric setting that a curve of the suite is drawn over: variants
// of the suite differ in this setting alone. named selects one of several such settings; ""
// requires that there is only one.
func FindNumericSetting(s suite.Suite, named string) (string, error) {
	axes := axesOf(s)
	switch {
	case len(axes) == 0:
		return "", fmt.Errorf("suite %s: %w", s.Name, ErrNoCurve)
	case named != "" && !slices.Contains(axes, named):
		if _, ok := s.System().Setting(named); ok {
			return "", fmt.Errorf("suite %s: no variants differ in %s alone, but in %s", s.Name,
				named, suggest.JoinWords(axes))
		}
		return "", suggest.UnknownWordError("setting", named, axes)
	case named != "":
		return named, nil
	case len(axes) > 1:
		return "", fmt.Errorf("suite %s: variants differ in %s: choose one with --setting", s.Name,
			suggest.JoinWords(axes))
	}
	return axes[0], nil
}

// FromRun returns the accuracy curves of a finished suite over the setting that FindNumericSetting
// returns. One curve contains the variants that agree in all other settings, without a fault.
func FromRun(s suite.Suite, found eval.SuiteSummary, setting string) ([]Curve, error) {
	axis, err := FindNumericSetting(s, setting)
	if err != nil {
		return nil, err
	}
	var list []Curve
	series := seriesOf(s, axis)
	for _, of := range series {
		c := Curve{Suite: s.Name, Axis: axis, Models: decidingModels(s, found.Models, of)}
		if last := of[len(of)-1]; len(series) > 1 {
			c.Name = strings.TrimSpace(strings.Replace(last.Name, axis+"="+s.SettingValues(last)[axis], "", 1))
		}
		for _, v := range of {
			c.Points = append(c.Points,
				Point{X: valueOf(s, v, axis), Variant: v.Name, Accuracy: accuracyOf(found, v.Name)})
		}
		c.Identical = true
		for i := range c.Points[1:] {
			p := &c.Points[i+1]
			c.Identical = c.Identical && isIdenticalIn(found, c.Points[i].Variant, p.Variant)
			p.VersusPrevious, p.VersusFirst = differenceOf(found, c.Points[i].Variant, p.Variant),
				differenceOf(found, c.Points[0].Variant, p.Variant)
		}
		list = append(list, c)
	}
	return list, nil
}

// BaseVariants returns the variants of a suite that remain if the given settings are ignored. Of
// variants that differ only in these settings it returns the first. It excludes baseline models.
func BaseVariants(s suite.Suite, settings ...string) (list []suite.Variant) {
	for _, v := range s.WithoutBaselineModels() {
		if !slices.ContainsFunc(list, func(base suite.Variant) bool { return sameSettings(s, base, v, settings...) }) {
			list = append(list, v)
		}
	}
	if len(list) == 1 {
		list[0].Name = "" // no name is needed, because only the settings distinguish the points
	}
	return list
}

// axesOf returns the settings that are the only difference between some variants.
func axesOf(s suite.Suite) (names []string) {
	for _, set := range s.System().Settings {
		if len(seriesOf(s, set.Name)) > 0 {
			names = append(names, set.Name)
		}
	}
	return names
}

// seriesOf groups the variants that differ only in the given setting, lowest value first.
func seriesOf(s suite.Suite, setting string) (list [][]suite.Variant) {
	var variants []suite.Variant
	for _, v := range s.Variants {
		if set, _ := s.System().Setting(setting); set.Values == nil && !set.IsFile && set.IsUsed(s.SettingValues(v)) &&
			!math.IsNaN(valueOf(s, v, setting)) {
			variants = append(variants, v)
		}
	}
	slices.SortStableFunc(variants,
		func(a, b suite.Variant) int { return cmp.Compare(valueOf(s, a, setting), valueOf(s, b, setting)) })
	done := map[string]bool{}
	// starts with the highest value, whose variant uses the most settings
	for _, last := range slices.Backward(variants) {
		if done[last.Name] {
			continue
		}
		var one []suite.Variant
		for _, v := range variants {
			again := len(one) > 0 && valueOf(s, one[len(one)-1], setting) == valueOf(s, v, setting)
			if !again && sameSettings(s, v, last, setting) {
				one, done[v.Name] = append(one, v), true
			}
		}
		if len(one) > 1 {
			list = append(list, one)
		}
	}
	slices.Reverse(list)
	return list
}

// sameSettings reports whether two variants agree in their model and in all settings that both use.
// It ignores the settings in but.
func sameSettings(s suite.Suite, a, b suite.Variant, but ...string) bool {
	in := func(set system.Setting) bool {
		va, vb := s.SettingValues(a), s.SettingValues(b)
		return slices.Contains(but, set.Name) || va[set.Name] == vb[set.Name] || !set.IsUsed(va) || !set.IsUsed(vb)
	}
	return a.Model == b.Model && a.BaseURL == b.BaseURL &&
		!slices.ContainsFunc(s.System().Settings, func(set system.Setting) bool { return !in(set) })
}

func valueOf(s suite.Suite, v suite.Variant, setting string) float64 {
	n, err := strconv.ParseFloat(s.SettingValues(v)[setting], 64)
	if err != nil || math.IsInf(n, 0) {
		return math.NaN()
	}
	return n
}

// decidingModels returns the notes about the models that make the decision in the given variants.
func decidingModels(s suite.Suite, notes []eval.ModelInfo, variants []suite.Variant) (list []eval.ModelInfo) {
	for _, n := range notes {
		of := n.Variants == nil ||
			slices.ContainsFunc(variants, func(v suite.Variant) bool { return slices.Contains(n.Variants, v.Name) })
		if of && n.Component == s.System().DecidingComponent().Name {
			list = append(list, n)
		}
	}
	return list
}

func accuracyOf(s eval.SuiteSummary, variant string) eval.Estimate {
	for _, c := range s.Conditions {
		if c.Variant == variant && c.Fault == eval.NoFault {
			return c.Metrics["route.accuracy"]
		}
	}
	return eval.Estimate{}
}

// differenceOf returns the accuracy of b minus that of a, from the suite's summary; nil if unknown.
func differenceOf(s eval.SuiteSummary, a, b string) *eval.Contrast {
	for _, d := range s.Differences {
		switch c := d.Accuracy; {
		case d.Fault != eval.NoFault || d.State == eval.InsufficientData || c.Value == nil:
		case d.ComparedWith == a && d.Variant == b:
			return &c
		case d.ComparedWith == b && d.Variant == a:
			c.Value = new(0 - *c.Value)
			c.Lo, c.Hi = negative(c.Hi), negative(c.Lo)
			return &c
		}
	}
	return nil
}

// isIdenticalIn reports whether two variants made the same decisions, according to the summary.
func isIdenticalIn(s eval.SuiteSummary, a, b string) bool {
	return slices.ContainsFunc(s.Differences, func(d eval.Difference) bool {
		pair := d.ComparedWith == a && d.Variant == b || d.ComparedWith == b && d.Variant == a
		return pair && d.Fault == eval.NoFault && d.State == eval.Identical
	})
}

func negative(v *float64) *float64 {
	if v == nil {
		return nil
	}
	return new(0 - *v)
}
