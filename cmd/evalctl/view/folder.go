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

// maxEntries is how many entries of a folder are looked at: 10,000 runs are years.
const maxEntries = 10_000

// folders are all that were given.
type folders []folder

// folder is one that was given: a run, or one that holds runs.
type folder struct {
	path   string
	single string // the name of the run that it is; "": it holds runs
	prefix string // before the names of its runs, where there are several folders
}

// foldersOf names the folders so that no two runs of different ones are called alike.
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
		case holdsRun(path):
			f.single = name
		case len(dirs) > 1:
			f.prefix = name + ":"
		}
		list = append(list, f)
	}
	return list, nil
}

// holdsRun reports a folder with a manifest, whether or not that can be read.
func holdsRun(path string) bool {
	_, err := os.Lstat(filepath.Join(path, journal.ManifestFile))
	return err == nil
}

// place is where a run is.
type place struct{ name, path string }

// runs are those in the folder now. Links are not followed.
func (f folder) runs() ([]place, error) {
	if f.single != "" {
		if !holdsRun(f.path) {
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
		if path := filepath.Join(f.path, e.Name()); e.IsDir() && holdsRun(path) {
			list = append(list, place{name: f.prefix + e.Name(), path: path})
		}
	}
	if len(entries) == maxEntries {
		err = fmt.Errorf("%s: has more than %d entries, only the first ones are listed", f.path, maxEntries)
	}
	return list, ignoreEnd(err)
}

// ignoreEnd passes over the end of a folder.
func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// runs are all that there are now, and what is wrong with their folders.
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

// find is the run of that name, which is in the list.
func (all folders) find(name string) (place, error) {
	list, _ := all.runs()
	for _, p := range list {
		if p.name == name {
			return p, nil
		}
	}
	return place{}, refuse(http.StatusNotFound, "no run is called %.80q", name)
}
