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

// toFollow prepares a suite for curves over settings. It uses the test split, as baseline models
// do, because examples come from the train split. Duplicate variants are removed.
func (f *curveFlags) toFollow(s suite.Suite) suite.Suite {
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

// given returns the one numeric setting with several values, or "" if there are none or several
// such settings.
func (f *curveFlags) given() (name string) {
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

// single returns an error that shows how to give several values to a setting with one value. It is
// nil if there is no such setting.
func (f *curveFlags) single(suites []suite.Suite) error {
	for _, a := range f.axes() {
		owns := slices.ContainsFunc(suites, func(s suite.Suite) bool {
			set, ok := s.System().Setting(a.Setting)
			return ok && valuesToFollow(set) != nil
		})
		if owns && len(a.Values) == 1 && a.Values[0] != "0" {
			return flagError(a.Setting, fmt.Errorf("one value makes no curve, give several: --%s 0,%s", a.Setting, a.Values[0]))
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

// asWith shows how to give values to the first numeric setting of the systems, or "" if there is
// none.
func asWith(of ...system.System) string {
	for _, s := range of {
		if example := followed(s); example != "" {
			return ", as " + example
		}
	}
	return ""
}

// curveExamples returns an example line for each system with a numeric setting.
func curveExamples() string {
	var b strings.Builder
	for _, s := range suite.Systems() {
		if example := followed(s); example != "" {
			fmt.Fprintf(&b, "  evalctl curve %s %s\n", s.Name, example)
		}
	}
	return b.String()
}

// followed returns a flag with example values for a system's first numeric setting.
func followed(of system.System) string {
	for _, set := range of.Settings {
		if values := valuesToFollow(set); values != nil {
			return "--" + set.Name + " " + strings.Join(values, ",")
		}
	}
	return ""
}

// valuesToFollow returns example values of a numeric setting. It is nil for settings that accept
// any word or none of the examples.
func valuesToFollow(set system.Setting) []string {
	takes := func(value string) bool {
		return set.Values == nil && !set.IsFile && set.Check != nil && set.Check(value) == nil
	}
	for _, values := range [][]string{{"0", "1", "2"}, {"0", "0.5", "1"}} {
		if !takes("word") && takes(values[0]) && takes(values[1]) && takes(values[2]) {
			return values
		}
	}
	return nil
}
