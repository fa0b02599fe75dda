package suite

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"evalctl/eval"
)

// Bounds of a suite: what is larger is a slip, or somebody's bad joke.
const (
	MaxConditions = 10_000
	MaxEpochs     = eval.MaxEpochs
	maxCases      = 100_000 // that are named one by one
	maxFaults     = 1_000   // of the suite, and of each variant
	maxTags       = 100
	maxName       = 500 // characters
)

var errConditions = fmt.Errorf("there are more than %d variants and faults to play", MaxConditions)

func (s Suite) checkSize() error {
	conditions := 0
	for i, v := range s.Variants {
		faults := v.Faults
		if faults == nil {
			faults = s.Faults
		}
		if len(faults) > maxFaults {
			return fmt.Errorf("variants[%d].faults: are more than %d", i, maxFaults)
		}
		conditions += 1 + len(faults)
	}
	switch {
	case conditions > MaxConditions:
		return fmt.Errorf("variants: %w", errConditions)
	case len(s.Tags) > maxTags:
		return fmt.Errorf("tags: are more than %d", maxTags)
	case len(s.Cases) > maxCases:
		return fmt.Errorf("cases: %d are named, more than %d", len(s.Cases), maxCases)
	case s.Epochs > MaxEpochs:
		return fmt.Errorf("epochs: %d are more than %d", s.Epochs, MaxEpochs)
	}
	return nil
}

// checkName finds what a report cannot show on a line.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("name: is missing")
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("name: %.60q holds a character that cannot be printed", name)
	case utf8.RuneCountInString(name) > maxName:
		return fmt.Errorf("name: %.60q… has more than %d characters", name, maxName)
	}
	return nil
}

// multiplied is an error where so many variants of so many values would be too
// many.
func multiplied(variants, values int) error {
	if variants*values > MaxConditions {
		return errConditions
	}
	return nil
}
