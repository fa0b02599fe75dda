package importer

import (
	"fmt"
	"os"
	"path/filepath"
)

// isFolder reports whether the path is an existing directory.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// filesIn returns the paths of the files in a directory for which wanted returns true, sorted by
// name.
func filesIn(folder string, wanted func(name string) bool) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fileError(folder, err)
	}
	var paths []string
	for _, e := range entries {
		if !e.IsDir() && wanted(e.Name()) {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	return paths, nil
}

// filesAt returns the path itself. If it is a directory, filesAt returns the wanted files in it. If
// there are none, it returns an error with the text missing.
func filesAt(path string, wanted func(name string) bool, missing string) ([]string, error) {
	if !isFolder(path) {
		return []string{path}, nil
	}
	paths, err := filesIn(path, wanted)
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("%s: %s", oneLine(path), missing)
	}
	return paths, err
}
