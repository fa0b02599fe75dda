package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// share is a flag of a part of a whole, as 5% or 0.05.
type share float64

var _ pflag.Value = (*share)(nil)

func (s *share) String() string { return strconv.FormatFloat(100*float64(*s), 'g', 6, 64) + "%" }

// Type says what the flag takes.
func (s *share) Type() string { return "share like 5% or 0.05" }

// Set reads one.
func (s *share) Set(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return errors.New("is not in 0..1")
	}
	*s = share(v)
	return nil
}
