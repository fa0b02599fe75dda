package view

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"evalctl/eval/journal"
)

// maxEntries is the number of directory entries that are read. 10,000 runs are years of use.
const maxEntries = 10_000

// folders are the directories of the configuration.
type folders []folder

// folder is one directory of the configuration: a run, or a directory of runs.
type folder struct {
	path   string
	single string // name of the run, if the directory is one; "": a directory of runs
	prefix string // prefix of its run names, if there are several directories
}

// foldersOf assigns names so that runs of different directories have different names.
func foldersOf(dirs []string) (list folders, err error) {
	taken := map[string]bool{}
	for _, dir := range dirs {
		path, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		switch info, err := os.Stat(path); {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: no such directory", dir)
		case err != nil:
			return nil, err
		case !info.IsDir():
			return nil, fmt.Errorf("%s: requires a run directory, or a directory of runs", dir)
		}
		name := filepath.Base(path)
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s-%d", filepath.Base(path), n)
		}
		taken[name] = true
		f := folder{path: path}
		switch {
		case hasManifest(path):
			f.single = name
		case len(dirs) > 1:
			f.prefix = name + ":"
		}
		list = append(list, f)
	}
	return list, nil
}

// hasManifest reports whether the directory contains a manifest, even an unreadable one.
func hasManifest(path string) bool {
	_, err := os.Lstat(filepath.Join(path, journal.ManifestFile))
	return err == nil
}

// place is the name and the path of a run.
type place struct{ name, path string }

// runs returns the current runs of the directory. It does not follow links.
func (f folder) runs() ([]place, error) {
	if f.single != "" {
		if !hasManifest(f.path) {
			return nil, fmt.Errorf("%s: the run is gone", f.path)
		}
		return []place{{name: f.single, path: f.path}}, nil
	}
	dir, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var list []place
	for _, e := range entries {
		if path := filepath.Join(f.path, e.Name()); e.IsDir() && hasManifest(path) {
			list = append(list, place{name: f.prefix + e.Name(), path: path})
		}
	}
	if len(entries) == maxEntries {
		err = fmt.Errorf("%s: has more than %d entries, only the first ones are listed", f.path, maxEntries)
	}
	return list, ignoreEOF(err)
}

// ignoreEOF returns nil for io.EOF.
func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// runs returns all current runs, and the errors of directories that could not be read.
func (all folders) runs() (list []place, problems []error) {
	for _, f := range all {
		of, err := f.runs()
		if err != nil {
			problems = append(problems, err)
		}
		list = append(list, of...)
	}
	return list, problems
}

// find returns the run with this name, if it is in the list.
func (all folders) find(name string) (place, error) {
	list, _ := all.runs()
	for _, p := range list {
		if p.name == name {
			return p, nil
		}
	}
	return place{}, newProblem(http.StatusNotFound, "no run is called %.80q", name)
}
