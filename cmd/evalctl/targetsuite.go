package main

import (
	"evalctl/datasets"
	"evalctl/eval/suite"
)

// targetSuite is the suite that a target ships; of one that is somebody else's, and ships
// none, one without cases.
func targetSuite(target string) (suite.Suite, error) {
	if of, ok := suite.Find(target); ok && of.IsForeign() {
		return suite.Suite{Name: target, Target: target}, nil
	}
	return datasets.Suite(target)
}
