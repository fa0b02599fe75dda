package main

import "github.com/spf13/pflag"

// fleetFlags say where workers are that play the trials of a run.
type fleetFlags struct{}

func (f *fleetFlags) register(_ *pflag.FlagSet) {}

// check finds bad values.
func (f *fleetFlags) check() error { return nil }
