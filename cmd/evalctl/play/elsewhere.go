package play

import (
	"fmt"
	"slices"

	"evalctl/datasets"
	"evalctl/eval/suite"
)

// pathMap says where files are on the machine that leads a run, by where they are
// here.
type pathMap map[string]string

func isFile(s suite.Suite) bool { return !slices.Contains(datasets.Shipped(), s.Dataset) }

// undo is the suite as the machine that leads the run has it.
func (e pathMap) undo(s suite.Suite) suite.Suite {
	if e == nil {
		return s
	}
	return s.WithPaths(isFile(s), func(path string) string { return e[path] })
}

// here is a suite with the paths of this machine, whose origin is noted.
func (e pathMap) here(s suite.Suite, at map[string]string) (suite.Suite, error) {
	lacking := ""
	s = s.WithPaths(isFile(s), func(path string) string {
		local, ok := at[path]
		if !ok {
			lacking = path
		}
		e[local] = path
		return local
	})
	if lacking != "" {
		return s, fmt.Errorf("suite %s: %s was not sent with the run", s.Name, lacking)
	}
	return s, nil
}
