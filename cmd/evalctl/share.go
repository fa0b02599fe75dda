package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"evalctl/eval/metric"
)

// share is the value of a flag for a fraction, such as 5% or 0.05.
type share float64

var _ pflag.Value = (*share)(nil)

func (s *share) String() string {
	if *s == 0 {
		return "0" // pflag omits this default from the help
	}
	return strconv.FormatFloat(100*float64(*s), 'g', 6, 64) + "%"
}

// Type describes the valid values of the flag, for error messages.
func (s *share) Type() string { return "share like 5% or 0.05" }

func (s *share) Set(text string) error {
	v, err := metric.ParseShare(text)
	*s = share(v)
	return err
}

// points is the value of a flag for a difference between two rates, such as 2pp.
type points float64

// minPoints is the smallest valid difference. Smaller ones need too many cases in practice.
const minPoints = points(0.001 / 100)

var _ pflag.Value = (*points)(nil)

func (p *points) String() string {
	if *p == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(*p), 'g', 6, 64) + "pp"
}

// Type describes the valid values of the flag, for error messages.
func (p *points) Type() string { return "difference from 0.001pp to below 100pp, like 2pp" }

func (p *points) Set(text string) error {
	v, err := metric.ParsePoints(text)
	if err == nil && v < float64(minPoints) {
		err = fmt.Errorf("is less than %s", new(minPoints).String())
	}
	*p = points(v)
	return err
}
