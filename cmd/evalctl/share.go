package main

import (
	"strconv"

	"github.com/spf13/pflag"

	"evalctl/eval/number"
)

// share is a flag of a part of a whole, as 5% or 0.05.
type share float64

var _ pflag.Value = (*share)(nil)

func (s *share) String() string { return strconv.FormatFloat(100*float64(*s), 'g', 6, 64) + "%" }

// Type says what the flag takes.
func (s *share) Type() string { return "share like 5% or 0.05" }

// Set reads one.
func (s *share) Set(text string) error {
	v, err := number.ParseShare(text)
	*s = share(v)
	return err
}
