package main

import "github.com/spf13/pflag"

// tapeFlags say what is recorded of real endpoints, replayed in their place, or kept for the next run.
type tapeFlags struct{}

func (f *tapeFlags) register(_ *pflag.FlagSet) {}

// check finds bad values.
func (f *tapeFlags) check() error { return nil }
