package main

import (
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"evalctl/agent/system"
)

// optionalBool is a flag that has answers judged outside their turns: it may be given or
// not, and may say no.
type optionalBool struct{ given, on bool }

var _ pflag.Value = (*optionalBool)(nil)

func (s *optionalBool) register(flags *pflag.FlagSet, name, help string) {
	flags.VarPF(s, name, "", help).NoOptDefVal = "true"
}

const (
	secondJudgmentHelp = "have the critic judge the first attempt of every turn that went round once more, blind and outside the turn: " +
		"what a loop gains, apart from luck (as the suite says; not with --model)"
	gradeFactsHelp = "have a model grade which of the facts that cases list the answers state, outside the turns: " +
		"in addition to the comparison of words (default: as the suite states; off with --model)"
)

func (s *optionalBool) String() string { return strconv.FormatBool(s.on) }

func (s *optionalBool) Type() string { return "bool" }

// Set reads true or false.
func (s *optionalBool) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err == nil {
		s.given, s.on = true, on
	}
	return err
}

// over settles it for a suite; real says that a real model was asked for, whose
// judgements cost as much again.
func (s *optionalBool) over(suite bool, isReal bool) bool {
	if s.given {
		return s.on
	}
	return suite && !isReal
}

// fits tells whether a system has a part that does such work, where it is asked for.
func (s *optionalBool) fits(of system.System, work system.Role) bool {
	return !s.on || slices.ContainsFunc(of.Parts, func(p system.Component) bool { return p.Role == work })
}
