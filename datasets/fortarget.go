package datasets

import (
	"slices"

	"evalctl/eval/suite"
)

// DefaultSuite returns the suite for a system if none is named: its shipped suite, or one without
// cases and models.
func DefaultSuite(target string) (suite.Suite, error) {
	if slices.Contains(Shipped(), target) {
		return Suite(target)
	}
	return suite.Suite{Name: target, Target: target}, nil
}
