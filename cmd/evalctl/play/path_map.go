package play

import (
	"fmt"
	"slices"

	"evalctl/datasets"
	"evalctl/eval/suite"
)

// pathMap maps the local paths of a worker to those on the coordinator.
type pathMap map[string]string

func hasDatasetFile(s suite.Suite) bool { return !slices.Contains(datasets.BuiltInNames(), s.Dataset) }

// toCoordinator returns the suite with the coordinator's paths. A nil map changes nothing.
func (e pathMap) toCoordinator(s suite.Suite) suite.Suite {
	if e == nil {
		return s
	}
	return s.MapPaths(hasDatasetFile(s), func(path string) string { return e[path] })
}

// toLocal returns the suite with local paths and records which of the coordinator's paths each one
// replaces. at maps the coordinator's paths to local ones. It returns an error if at lacks a path.
func (e pathMap) toLocal(s suite.Suite, at map[string]string) (suite.Suite, error) {
	lacking := ""
	s = s.MapPaths(hasDatasetFile(s), func(path string) string {
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
