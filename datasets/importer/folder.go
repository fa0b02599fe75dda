package importer

import (
	"fmt"
	"os"
	"path/filepath"
)

// isFolder reports whether PATH is a directory. openFile reports a missing file.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// filesIn lists the matching files of a directory, in the order of their names.
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

// filesAt returns PATH itself or, if it is a directory, its matching files. missing describes the
// files that a directory lacks.
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
