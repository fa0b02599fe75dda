package datasets

import (
	"slices"

	"evalctl/eval/suite"
)

// DefaultSuite returns the suite for a system if the user names none. It is the system's built-in
// suite, or else a suite without dataset and models.
func DefaultSuite(target string) (suite.Suite, error) {
	if slices.Contains(BuiltInNames(), target) {
		return LoadSuite(target)
	}
	return suite.Suite{Name: target, Target: target}, nil
}
