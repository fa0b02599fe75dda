package main

import (
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"evalctl/agent/system"
)

// optionalBool is a boolean flag that overrides the setting of a suite, but only if the flag is
// given.
type optionalBool struct{ given, on bool }

var _ pflag.Value = (*optionalBool)(nil)

func (s *optionalBool) register(flags *pflag.FlagSet, name, help string) {
	flags.VarPF(s, name, "", help).NoOptDefVal = "true"
}

const (
	secondJudgmentHelp = "have the critic judge the first attempt of every turn that went round once more, blind and outside the turn: " +
		"the gain of a loop without chance (default: as in the suite; not with --model)"
	gradeFactsHelp = "have a model grade which of the facts that cases list the answers state, outside the turns: " +
		"in addition to the comparison of words (default: as the suite states; off with --model)"
)

func (s *optionalBool) String() string { return strconv.FormatBool(s.on) }

func (s *optionalBool) Type() string { return "bool" }

func (s *optionalBool) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err == nil {
		s.given, s.on = true, on
	}
	return err
}

// valueFor returns the value of the flag if it is given, or else that of the suite. With a real
// model it ignores the suite, because scoring would cost extra calls.
func (s *optionalBool) valueFor(suite bool, isReal bool) bool {
	if s.given {
		return s.on
	}
	return suite && !isReal
}

// isSupported reports whether a system has a component with the role that the flag requires (work).
// It is true if the flag is off.
func (s *optionalBool) isSupported(of system.System, work system.Role) bool {
	return !s.on || slices.ContainsFunc(of.Components, func(p system.Component) bool { return p.Role == work })
}
