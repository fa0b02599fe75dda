package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// age is how long something is ago: a duration, or days as 30d.
type age time.Duration

// maxAge bounds an age, in days.
const maxAge = 36_500

// Set reads an age.
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

// String writes it as a duration.
func (a *age) String() string { return time.Duration(*a).String() }

// Type says what it is where it is none.
func (a *age) Type() string { return "age such as 30d or 12h" }
