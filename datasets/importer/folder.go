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

// filesIn returns the paths of the wanted files in a directory, sorted by name.
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

// filesAt returns the path or, if it is a directory, the wanted files in it; missing: no files.
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
