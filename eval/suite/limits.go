package suite

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"evalctl/eval"
)

// These limits of a suite detect mistakes and abuse.
const (
	MaxConditions = 10_000         // maximum number of conditions of one suite
	MaxEpochs     = eval.MaxEpochs // maximum number of epochs of one suite
	maxCases      = 100_000        // maximum number of cases that a suite selects by ID
	maxFaults     = 1_000          // maximum number of faults of the suite, and of each variant
	maxTags       = 100
	maxName       = 500 // maximum length of a name, in characters
)

var errConditions = fmt.Errorf("there are more than %d variants and faults", MaxConditions)

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

// checkName returns an error for a name that cannot be shown on one line of a report.
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

// checkProduct returns an error if combining this many variants and values gives too many
// conditions.
func checkProduct(variants, values int) error {
	if variants*values > MaxConditions {
		return errConditions
	}
	return nil
}
