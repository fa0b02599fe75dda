package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"evalctl/agent/system"
	"evalctl/eval/curve"
	"evalctl/eval/suite"
)

// prepareSuite prepares a suite for curves over settings. It uses the test split, as baseline
// models do, because examples come from the train split. Duplicate variants are removed.
func (f *curveFlags) prepareSuite(s suite.Suite) suite.Suite {
	if f.split == "" {
		s.Split = cmp.Or(s.Split, "test")
	}
	var settings []string
	for _, a := range f.axes() {
		settings = append(settings, a.Setting)
	}
	s.Variants = curve.BaseVariants(s, settings...)
	return s
}

// multiValueSetting returns the one numeric setting with several values, or "" if there are none or
// several such settings.
func (f *curveFlags) multiValueSetting() (name string) {
	for _, a := range f.axes() {
		if len(a.Values) < 2 || slices.ContainsFunc(a.Values, isNoNumber) {
			continue
		}
		if name != "" {
			return ""
		}
		name = a.Setting
	}
	return name
}

func isNoNumber(value string) bool {
	_, err := strconv.ParseFloat(value, 64)
	return err != nil
}

// singleValueError returns an error that shows how to give several values to a setting with one
// value. It is nil if there is no such setting.
func (f *curveFlags) singleValueError(suites []suite.Suite) error {
	for _, a := range f.axes() {
		owns := slices.ContainsFunc(suites, func(s suite.Suite) bool {
			set, ok := s.System().Setting(a.Setting)
			return ok && exampleValues(set) != nil
		})
		if owns && len(a.Values) == 1 && a.Values[0] != "0" {
			return flagError(a.Setting,
				fmt.Errorf("one value makes no curve, give several: --%s 0,%s", a.Setting, a.Values[0]))
		}
	}
	return nil
}

// systems returns the systems of the selected suites, or all systems if the suites cannot be
// loaded.
func (f *curveFlags) systems(args []string) (list []system.System) {
	suites, err := f.suites(args)
	if err != nil {
		return suite.Systems()
	}
	for _, s := range suites {
		list = append(list, s.System())
	}
	return list
}

// flagExample shows how to give values to the first numeric setting of the systems, or "" if there
// is none.
func flagExample(of ...system.System) string {
	for _, s := range of {
		if example := exampleFlag(s); example != "" {
			return ", as " + example
		}
	}
	return ""
}

// curveExamples returns an example line for each system with a numeric setting.
func curveExamples() string {
	var b strings.Builder
	for _, s := range suite.Systems() {
		if example := exampleFlag(s); example != "" {
			fmt.Fprintf(&b, "  evalctl curve %s %s\n", s.Name, example)
		}
	}
	return b.String()
}

// exampleFlag returns a flag with example values for a system's first numeric setting.
func exampleFlag(of system.System) string {
	for _, set := range of.Settings {
		if values := exampleValues(set); values != nil {
			return "--" + set.Name + " " + strings.Join(values, ",")
		}
	}
	return ""
}

// exampleValues returns example values of a numeric setting. It is nil for settings that accept
// any word or none of the examples.
func exampleValues(set system.Setting) []string {
	accepts := func(value string) bool {
		return set.Values == nil && !set.IsFile && set.Check != nil && set.Check(value) == nil
	}
	for _, values := range [][]string{{"0", "1", "2"}, {"0", "0.5", "1"}} {
		if !accepts("word") && accepts(values[0]) && accepts(values[1]) && accepts(values[2]) {
			return values
		}
	}
	return nil
}
