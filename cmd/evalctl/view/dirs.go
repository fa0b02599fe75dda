package view

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"evalctl/eval/journal"
)

// maxEntries is the maximum number of entries of a directory that are searched for runs.
const maxEntries = 10_000

// servedDirs are the directories whose runs the server shows, in the order of the configuration.
type servedDirs []servedDir

// servedDir is a configured directory: a run directory, or one that contains run directories.
type servedDir struct {
	path    string
	runName string // name of the run if the directory is a run directory; "": it contains run directories
	// prefix for the names of its runs, so that they differ from runs in other directories; "":
	// there is only one directory
	namePrefix string
}

// servedDirsOf checks the directories, and assigns prefixes that make run names unique.
func servedDirsOf(dirs []string) (list servedDirs, err error) {
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
		f := servedDir{path: path}
		switch {
		case hasManifest(path):
			f.runName = name
		case len(dirs) > 1:
			f.namePrefix = name + ":"
		}
		list = append(list, f)
	}
	return list, nil
}

// hasManifest reports whether the directory is a run directory, even with a broken manifest.
func hasManifest(path string) bool {
	_, err := os.Lstat(filepath.Join(path, journal.ManifestFile))
	return err == nil
}

// namedRun is a run that the server shows: its name in URLs and its directory.
type namedRun struct{ name, path string }

// runs returns the runs that the directory contains now. It does not follow symbolic links.
func (f servedDir) runs() ([]namedRun, error) {
	if f.runName != "" {
		if !hasManifest(f.path) {
			return nil, fmt.Errorf("%s: the run is gone", f.path)
		}
		return []namedRun{{name: f.runName, path: f.path}}, nil
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
	var list []namedRun
	for _, e := range entries {
		if path := filepath.Join(f.path, e.Name()); e.IsDir() && hasManifest(path) {
			list = append(list, namedRun{name: f.namePrefix + e.Name(), path: path})
		}
	}
	if len(entries) == maxEntries {
		err = fmt.Errorf("%s: has more than %d entries, only the first ones are listed", f.path, maxEntries)
	}
	return list, ignoreEOF(err)
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// runs returns the runs of all directories, and an error for each unreadable directory.
func (all servedDirs) runs() (list []namedRun, problems []error) {
	for _, f := range all {
		of, err := f.runs()
		if err != nil {
			problems = append(problems, err)
		}
		list = append(list, of...)
	}
	return list, problems
}

// find returns the run with this name. If there is none, it returns a 404 error.
func (all servedDirs) find(name string) (namedRun, error) {
	list, _ := all.runs()
	for _, p := range list {
		if p.name == name {
			return p, nil
		}
	}
	return namedRun{}, noSuchRun(name)
}

// findEscaped returns the run whose name is escaped (url.PathEscape).
func (all servedDirs) findEscaped(escaped string) (namedRun, error) {
	name, err := url.PathUnescape(escaped)
	if err != nil {
		return namedRun{}, noSuchRun(escaped)
	}
	return all.find(name)
}

func noSuchRun(name string) error {
	return newHTTPError(http.StatusNotFound, "no run is called %.80q", name)
}

// readError converts an error from reading runs to an HTTP error: 404 if a run was removed in the
// meantime, and 422 if a file of a run is damaged. It returns other HTTP errors as they are.
func readError(err error, of ...namedRun) error {
	if _, isHTTP := errors.AsType[*httpError](err); err == nil || isHTTP {
		return err
	}
	for _, p := range of {
		if !hasManifest(p.path) {
			return noSuchRun(p.name)
		}
	}
	status := http.StatusUnprocessableEntity
	if errors.Is(err, journal.ErrNoRun) { // the run was removed, and another one has its name now
		status = http.StatusNotFound
	}
	return newHTTPError(status, "the run is unreadable: %v", err)
}
