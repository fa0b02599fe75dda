package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CreateRun creates the directory of a new run, with its manifest and an empty journal. The
// function ready is called when the directory is reserved; if it returns an error, there is no run.
// A failure removes everything that was created and changes no existing file. Of several concurrent
// calls for the same directory, only one succeeds.
func CreateRun(dir string, m Manifest, ready func() error) (*Writer, error) {
	var made []string
	for d := filepath.Clean(dir); missing(d); d = filepath.Dir(d) {
		made = append(made, d)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, errors.Join(err, removeAll(made))
	}
	results, err := claimDir(dir)
	if err != nil {
		return nil, err
	}
	w, err := begin(dir, results, m, ready)
	if err != nil {
		return nil, errors.Join(err, removeAll(append([]string{results.Name()}, made...)), results.Close())
	}
	return w, nil
}

// begin calls ready, writes the manifest and then creates the writer. The manifest precedes the
// traces file, so that a run killed in between can be resumed.
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

// DiscardRun removes the directory of a run that never started. It returns an error if another
// process writes to the run, or if the directory contains other files.
func DiscardRun(dir string) error {
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
	for _, name := range FileNames() {
		left = append(left, filepath.Join(dir, name))
	}
	prompts, _, err := PromptFiles(os.DirFS(dir))
	if err != nil {
		return err
	}
	for _, name := range prompts {
		left = append(left, filepath.Join(dir, name))
	}
	return removeAll(append(left, filepath.Join(dir, PromptsDir), dir))
}

// leftovers returns the temporary files that remain if a process is killed while it writes a file.
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

func removeAll(paths []string) error {
	for _, p := range paths {
		if err := os.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// claimDir reserves a directory for a new run: it creates the results file and locks it. An
// existing empty results file is accepted, because a process may have been killed before it wrote
// its manifest.
func claimDir(dir string) (*os.File, error) {
	if err := checkUnused(dir); err != nil {
		return nil, err // checked before an empty results file is created in the directory of another run
	}
	results, err := openFile(dir, ResultsFile, os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err = lockResults(dir, results); err != nil {
		return nil, errors.Join(err, results.Close())
	}
	return results, nil
}

// lockResults locks the results file and then checks the directory again, because another process
// may have started a run since the first check.
func lockResults(dir string, results *os.File) error {
	if err := lock(results); err != nil {
		return err
	}
	info, err := results.Stat()
	if err != nil {
		return err
	}
	if named, err := os.Lstat(results.Name()); err != nil || !os.SameFile(info, named) {
		return lockedError(results.Name())
	}
	if info.Size() > 0 {
		return dirInUseError(dir)
	}
	return checkUnused(dir)
}

// checkUnused returns an error if the directory contains a file of a run other than the results.
func checkUnused(dir string) error {
	for _, name := range FileNames() {
		if name != ResultsFile && !missing(filepath.Join(dir, name)) {
			return dirInUseError(dir)
		}
	}
	return nil
}

// start creates the writer of a journal. It opens the traces file if traces are stored. With
// os.O_EXCL in flag, the traces file must not exist yet.
func start(dir string, results *os.File, of form, flag int) (*Writer, error) {
	w := &Writer{run: markOf(of.ManifestHash), traceMode: of.Traces, results: &logFile{File: results}}
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

// openFile opens a file of a run for appending. It does not follow links.
func openFile(dir, name string, flag int) (*os.File, error) {
	path := filepath.Join(dir, name)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is not a regular file", path)
	}
	f, err := os.OpenFile(path, flag|os.O_APPEND|os.O_RDWR|noFollow, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, dirInUseError(dir)
	}
	if err == nil {
		// messages may be private, so only this user may read them; fails if the file belongs to
		// another user
		_ = f.Chmod(0o600)
	}
	return f, err
}

func dirInUseError(dir string) error {
	return fmt.Errorf("%s already holds a run: give another folder, or go on with --resume", dir)
}

func lockedError(path string) error { return fmt.Errorf("%s: another process is writing to it", path) }

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
