package main

import (
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"evalctl/agent/system"
)

// secondJudgement is a flag that may be given or not, and may say no.
type secondJudgement struct{ given, on bool }

var _ pflag.Value = (*secondJudgement)(nil)

func (s *secondJudgement) register(flags *pflag.FlagSet) {
	flags.VarPF(s, "second-judgement", "", "have the critic judge the first attempt of every turn that went round once more, blind and outside the turn: "+
		"what a loop gains, apart from luck (as the suite says; not with --model)").NoOptDefVal = "true"
}

func (s *secondJudgement) String() string { return strconv.FormatBool(s.on) }

func (s *secondJudgement) Type() string { return "bool" }

// Set reads true or false.
func (s *secondJudgement) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err == nil {
		s.given, s.on = true, on
	}
	return err
}

// over settles it for a suite; real says that a real model was asked for, whose
// judgements cost as much again.
func (s *secondJudgement) over(suite bool, real bool) bool {
	if s.given {
		return s.on
	}
	return suite && !real
}

// fits tells whether a system has a critic, where one is asked for.
func (s *secondJudgement) fits(of system.System) bool {
	return !s.on || slices.ContainsFunc(of.Parts, func(p system.Part) bool { return p.Work == system.Judges })
}
