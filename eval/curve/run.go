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

// ErrNone says that no variants of a suite lie along an axis.
var ErrNone = errors.New("no two variants differ in one numeric setting alone")

// FindAxis is the one numeric setting in which alone variants of a suite differ, which
// must be named where there are several.
func FindAxis(s suite.Suite, named string) (string, error) {
	axes := axesOf(s)
	switch {
	case len(axes) == 0:
		return "", fmt.Errorf("suite %s: %w", s.Name, ErrNone)
	case named != "" && !slices.Contains(axes, named):
		if _, ok := s.System().Setting(named); ok {
			return "", fmt.Errorf("suite %s: no variants differ in %s alone, but in %s", s.Name, named, suggest.Join(axes))
		}
		return "", suggest.UnknownWordError("setting", named, axes)
	case named != "":
		return named, nil
	case len(axes) > 1:
		return "", fmt.Errorf("suite %s: variants differ in %s: choose one with --setting", s.Name, suggest.Join(axes))
	}
	return axes[0], nil
}

// FromRun finds the curves of a suite that was played, along the setting that FindAxis
// finds: of its variants without a fault that agree in all else.
func FromRun(s suite.Suite, found eval.SuiteSummary, setting string) ([]Curve, error) {
	axis, err := FindAxis(s, setting)
	if err != nil {
		return nil, err
	}
	var list []Curve
	series := seriesOf(s, axis)
	for _, of := range series {
		c := Curve{Suite: s.Name, Axis: axis, Models: deciding(s, found.Models, of)}
		if last := of[len(of)-1]; len(series) > 1 {
			c.Name = strings.TrimSpace(strings.Replace(last.Name, axis+"="+s.Values(last)[axis], "", 1))
		}
		for _, v := range of {
			c.Points = append(c.Points, CurvePoint{At: valueOf(s, v, axis), Variant: v.Name, Accuracy: accuracyOf(found, v.Name)})
		}
		c.Identical = true
		for i := range c.Points[1:] {
			p := &c.Points[i+1]
			c.Identical = c.Identical && alikeIn(found, c.Points[i].Variant, p.Variant)
			p.VersusPrevious, p.VersusFirst = between(found, c.Points[i].Variant, p.Variant), between(found, c.Points[0].Variant, p.Variant)
		}
		list = append(list, c)
	}
	return list, nil
}

// BaseVariants are the variants that settings are to be laid over: of those that differ in
// these alone, and would be played twice, the first; and no floor.
func BaseVariants(s suite.Suite, settings ...string) (list []suite.Variant) {
	for _, v := range s.WithoutBaselineModels() {
		if !slices.ContainsFunc(list, func(base suite.Variant) bool { return alike(s, base, v, settings...) }) {
			list = append(list, v)
		}
	}
	if len(list) == 1 {
		list[0].Name = "" // settings alone tell them apart
	}
	return list
}

// axesOf are the settings in which alone some variants differ.
func axesOf(s suite.Suite) (names []string) {
	for _, set := range s.System().Settings {
		if len(seriesOf(s, set.Name)) > 0 {
			names = append(names, set.Name)
		}
	}
	return names
}

// seriesOf groups the variants that differ in the setting alone, the least value of
// each first.
func seriesOf(s suite.Suite, setting string) (list [][]suite.Variant) {
	var variants []suite.Variant
	for _, v := range s.Variants {
		if set, _ := s.System().Setting(setting); set.Values == nil && !set.IsFile && set.IsUsed(s.Values(v)) && !math.IsNaN(valueOf(s, v, setting)) {
			variants = append(variants, v)
		}
	}
	slices.SortStableFunc(variants, func(a, b suite.Variant) int { return cmp.Compare(valueOf(s, a, setting), valueOf(s, b, setting)) })
	done := map[string]bool{}
	for _, last := range slices.Backward(variants) { // what shows most makes use of most
		if done[last.Name] {
			continue
		}
		var one []suite.Variant
		for _, v := range variants {
			again := len(one) > 0 && valueOf(s, one[len(one)-1], setting) == valueOf(s, v, setting)
			if !again && alike(s, v, last, setting) {
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

// alike tells variants that agree in all that both make use of, but for some settings.
func alike(s suite.Suite, a, b suite.Variant, but ...string) bool {
	in := func(set system.Setting) bool {
		va, vb := s.Values(a), s.Values(b)
		return slices.Contains(but, set.Name) || va[set.Name] == vb[set.Name] || !set.IsUsed(va) || !set.IsUsed(vb)
	}
	return a.Model == b.Model && a.BaseURL == b.BaseURL && !slices.ContainsFunc(s.System().Settings, func(set system.Setting) bool { return !in(set) })
}

// valueOf is where a variant stands on the axis, NaN where that is not a number.
func valueOf(s suite.Suite, v suite.Variant, setting string) float64 {
	n, err := strconv.ParseFloat(s.Values(v)[setting], 64)
	if err != nil || math.IsInf(n, 0) {
		return math.NaN()
	}
	return n
}

// deciding are the models that decide in some of the variants.
func deciding(s suite.Suite, notes []eval.ModelNote, variants []suite.Variant) (list []eval.ModelNote) {
	for _, n := range notes {
		of := n.Variants == nil || slices.ContainsFunc(variants, func(v suite.Variant) bool { return slices.Contains(n.Variants, v.Name) })
		if of && n.Component == s.System().DecidingComponent().Name {
			list = append(list, n)
		}
	}
	return list
}

func accuracyOf(s eval.SuiteSummary, variant string) eval.Estimate {
	for _, c := range s.Conditions {
		if c.Name == variant && c.Fault == eval.NoFault {
			return c.Metrics["route.accuracy"]
		}
	}
	return eval.Estimate{}
}

// between finds how b differs from a in what the suite has compared.
func between(s eval.SuiteSummary, a, b string) *eval.Contrast {
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

// alikeIn tells that the suite has found two variants to decide the same.
func alikeIn(s eval.SuiteSummary, a, b string) bool {
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
