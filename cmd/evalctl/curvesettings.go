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

// toFollow is a suite whose settings are followed: asked its test split as the floor is,
// since examples are of the train split, and no two variants alike.
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

// given is the one numeric setting that was given several values, "" where several or none
// were: it is followed, in whatever else the suite's variants differ.
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

// single says how to give several values of a setting that has one, nil where none has.
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

// systems are those of the suites that are asked for, all where none can be told.
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

// asWith is how the first numeric setting of these systems is given, "" where they have
// none.
func asWith(of ...system.System) string {
	for _, s := range of {
		if example := followed(s); example != "" {
			return ", as " + example
		}
	}
	return ""
}

// curveExamples are a line of each system that has a numeric setting.
func curveExamples() string {
	var b strings.Builder
	for _, s := range suite.Systems() {
		if example := followed(s); example != "" {
			fmt.Fprintf(&b, "  evalctl curve %s %s\n", s.Name, example)
		}
	}
	return b.String()
}

// followed gives a system's first numeric setting some values.
func followed(of system.System) string {
	for _, set := range of.Settings {
		if values := valuesToFollow(set); values != nil {
			return "--" + set.Name + " " + strings.Join(values, ",")
		}
	}
	return ""
}

// valuesToFollow are some values of a numeric setting, nil of others: which take any
// word, or none of these.
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
