package datasets

import (
	"slices"

	"evalctl/eval/suite"
)

// DefaultSuite is what a system is played with where no suite is named: its shipped
// suite, or, of a system that has none, one without cases and models.
func DefaultSuite(target string) (suite.Suite, error) {
	if slices.Contains(Shipped(), target) {
		return Suite(target)
	}
	return suite.Suite{Name: target, Target: target}, nil
}
