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

// prepareSuite prepares a suite for a curve over a setting. It selects the test split, because
// examples for prompts come from the train split. It also removes variants that become equal.
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

// multiValueSetting returns the numeric setting for which the flags give several values. It returns
// "" if there is none or more than one.
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

// singleValueError returns an error with a hint if a numeric setting has only one value, from which
// no curve can be drawn; otherwise nil.
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

// systems returns the systems of the suites that the arguments select. If the suites cannot be
// loaded, it returns all systems.
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

// flagExample returns a help text that shows how to give several values to the first numeric
// setting of the systems; "" if there is none.
func flagExample(of ...system.System) string {
	for _, s := range of {
		if example := exampleFlag(s); example != "" {
			return ", as " + example
		}
	}
	return ""
}

// curveExamples returns, for the help, an example line for each system with a numeric setting.
func curveExamples() string {
	var b strings.Builder
	for _, s := range suite.Systems() {
		if example := exampleFlag(s); example != "" {
			fmt.Fprintf(&b, "  evalctl curve %s %s\n", s.Name, example)
		}
	}
	return b.String()
}

// exampleFlag returns a flag with example values for the first numeric setting of a system; "" if
// there is none.
func exampleFlag(of system.System) string {
	for _, set := range of.Settings {
		if values := exampleValues(set); values != nil {
			return "--" + set.Name + " " + strings.Join(values, ",")
		}
	}
	return ""
}

// exampleValues returns three example values of a numeric setting. It is nil if the setting is not
// numeric.
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
