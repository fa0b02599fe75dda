package main

import "github.com/spf13/pflag"

// sliceFlags say which part of a run is played here, and what is written of it.
type sliceFlags struct{}

func (f *sliceFlags) register(_ *pflag.FlagSet) {}

// check finds bad values.
func (f *sliceFlags) check() error { return nil }
