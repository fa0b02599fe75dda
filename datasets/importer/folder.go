package importer

import (
	"fmt"
	"os"
	"path/filepath"
)

// isFolder tells whether PATH is one; what is not there is told by openFile.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// filesIn lists the files of a folder that match, in the order of their names.
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

// filesAt gives PATH itself, or where it is a folder those of its files that
// match; missing says what a folder without any lacks.
func filesAt(path string, wanted func(name string) bool, missing string) ([]string, error) {
	if !isFolder(path) {
		return []string{path}, nil
	}
	paths, err := filesIn(path, wanted)
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("%s: %s", plain(path), missing)
	}
	return paths, err
}
