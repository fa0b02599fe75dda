package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"evalctl/agent/file"
)

// The files in a run's directory.
const (
	ResultsFile  = "results.jsonl"
	TracesFile   = "traces.jsonl"
	ManifestFile = "manifest.json"
	SummaryFile  = "summary.json"
)

// Files lists all files of a run.
func Files() []string { return []string{ManifestFile, ResultsFile, TracesFile, SummaryFile} }

// ReadFile reads one of the files of a run, of at most this many bytes. It does not follow links. A
// run writes none, and a link could lead to any file on this machine.
func ReadFile(dir, name string, most int64) ([]byte, error) {
	if err := checkKind(dir, name); err != nil {
		return nil, err
	}
	return file.Read(filepath.Join(dir, name), most)
}

// ErrNotRegular is returned for a file of a run that is not a regular file.
var ErrNotRegular = errors.New("a run writes regular files only, so it is not read")

// checkKind rejects a link, a directory, a pipe or a device in place of a run's file. A missing
// file is not an error here.
func checkKind(dir, name string) error {
	path := filepath.Join(dir, name)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() == fs.ModeSymlink:
		return fmt.Errorf("%s: is a link: %w", path, ErrNotRegular)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: is a folder, a pipe or a device: %w", path, ErrNotRegular)
	}
	return nil
}
