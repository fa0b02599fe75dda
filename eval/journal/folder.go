package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CreateRun makes the folder of a new run, with its manifest and an empty journal,
// once ready agrees to what is in the folder. What is wrong leaves nothing
// behind that looks like a run, and what is there already is left alone. Nothing
// is written before the folder is claimed: of several that begin in one folder
// at once, one does.
func CreateRun(dir string, m Manifest, ready func() error) (*Writer, error) {
	var made []string
	for d := filepath.Clean(dir); missing(d); d = filepath.Dir(d) {
		made = append(made, d)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, errors.Join(err, removeAll(made))
	}
	results, err := claim(dir)
	if err != nil {
		return nil, err
	}
	w, err := begin(dir, results, m, ready)
	if err != nil {
		return nil, errors.Join(err, removeAll(append([]string{results.Name()}, made...)), results.Close())
	}
	return w, nil
}

// begin writes the manifest before the journal is whole: a run that is killed
// between the two can go on.
func begin(dir string, results *os.File, m Manifest, ready func() error) (*Writer, error) {
	if err := ready(); err != nil {
		return nil, err
	}
	if err := m.Write(dir); err != nil {
		return nil, err
	}
	w, err := start(dir, results, form{ManifestHash: m.ManifestHash, Traces: m.Traces}, os.O_EXCL)
	if err != nil {
		return nil, errors.Join(err, os.Remove(filepath.Join(dir, ManifestFile)))
	}
	return w, nil
}

// Discard removes a run that never came to be: its files, what a kill left of their
// writing, and their folder. One that another process writes to is an error, and so is
// anything else in it.
func Discard(dir string) error {
	if missing(dir) {
		return nil
	}
	held, err := LockFile(dir)
	if err != nil {
		return err
	}
	defer held.Close()
	if path := filepath.Join(dir, ResultsFile); !missing(path) {
		results, err := LockFile(path)
		if err != nil {
			return err
		}
		defer results.Close()
	}
	left, err := leftovers(dir)
	if err != nil {
		return err
	}
	for _, name := range Files() {
		left = append(left, filepath.Join(dir, name))
	}
	return removeAll(append(left, dir))
}

// leftovers are the files that a kill left which struck while one was written as a whole.
func leftovers(dir string) (paths []string, err error) {
	for _, name := range []string{ManifestFile, SummaryFile} {
		found, err := fs.Glob(os.DirFS(dir), name+".*.tmp")
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			paths = append(paths, filepath.Join(dir, f))
		}
	}
	return paths, nil
}

// removeAll removes files, and the folders that they leave empty, as far as they
// are there.
func removeAll(paths []string) error {
	for _, p := range paths {
		if err := os.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// claim makes the file of results, locked, in a folder that holds none of a
// run's files. An empty one is of a process that was killed before its manifest
// was there.
func claim(dir string) (*os.File, error) {
	if err := unused(dir); err != nil {
		return nil, err // before an empty file is left beside another's
	}
	results, err := openFile(dir, ResultsFile, os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err = own(dir, results); err != nil {
		return nil, errors.Join(err, results.Close())
	}
	return results, nil
}

// own locks the file of results, and looks again: others may have begun, ended
// or given up since the first look.
func own(dir string, results *os.File) error {
	if err := lock(results); err != nil {
		return err
	}
	info, err := results.Stat()
	if err != nil {
		return err
	}
	if named, err := os.Lstat(results.Name()); err != nil || !os.SameFile(info, named) {
		return taken(results.Name())
	}
	if info.Size() > 0 {
		return held(dir)
	}
	return unused(dir)
}

// unused tells a folder without the files of a run, but for results.
func unused(dir string) error {
	for _, name := range Files() {
		if name != ResultsFile && !missing(filepath.Join(dir, name)) {
			return held(dir)
		}
	}
	return nil
}

// start adds the file of traces, where some are kept: with os.O_EXCL it must not be
// there yet.
func start(dir string, results *os.File, of form, flag int) (*Writer, error) {
	w := &Writer{run: markOf(of.ManifestHash), keep: of.Traces, results: &logFile{File: results}}
	if of.Traces == NoTraces {
		return w, nil
	}
	traces, err := openFile(dir, TracesFile, os.O_CREATE|flag)
	if err != nil {
		return nil, err
	}
	w.traces = &logFile{File: traces}
	return w, nil
}

// openFile opens one of a run's files to append to it: it is a file, and no link
// to one elsewhere.
func openFile(dir, name string, flag int) (*os.File, error) {
	path := filepath.Join(dir, name)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is not a regular file", path)
	}
	f, err := os.OpenFile(path, flag|os.O_APPEND|os.O_RDWR|noFollow, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, held(dir)
	}
	if err == nil {
		_ = f.Chmod(0o600) // texts that others wrote are nobody else's; a file of another user stays as it is
	}
	return f, err
}

func held(dir string) error {
	return fmt.Errorf("%s already holds a run: give another folder, or go on with --resume", dir)
}

func taken(path string) error { return fmt.Errorf("%s: another process is writing to it", path) }

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
