package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// age is the value of a flag such as --older: a time span before now. It is a duration, or a number
// of days such as 30d.
type age time.Duration

// maxAge is the longest age that a flag accepts, in days.
const maxAge = 36_500

// Set parses a flag value: a duration such as 12h, or a number of days such as 30d.
func (a *age) Set(text string) error {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 32)
		if err != nil || n > maxAge {
			return fmt.Errorf("%q is not a number of days", days)
		}
		*a = age(time.Duration(n) * 24 * time.Hour)
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not an age", text)
	}
	*a = age(d)
	return nil
}

// String formats the age as a duration.
func (a *age) String() string { return time.Duration(*a).String() }

// Type describes the valid values of the flag, for error messages.
func (a *age) Type() string { return "age such as 30d or 12h" }
