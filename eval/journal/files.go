package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"evalctl/agent/file"
)

// Names of the files in the directory of a run.
const (
	ResultsFile  = "results.jsonl" // one result per trial
	TracesFile   = "traces.jsonl"  // one full event log per trial
	ManifestFile = "manifest.json" // settings and state of the run
	SummaryFile  = "summary.json"  // metrics, comparisons and gate verdicts
)

// FileNames returns the names of all files of a run.
func FileNames() []string { return []string{ManifestFile, ResultsFile, TracesFile, SummaryFile} }

// ReadFile reads a file of a run. It returns an error if the file has more than most bytes. It also
// rejects links, because a run writes none, and a link could lead to any file on this machine.
func ReadFile(dir, name string, most int64) ([]byte, error) {
	if err := checkKind(dir, name); err != nil {
		return nil, err
	}
	return file.Read(filepath.Join(dir, name), most)
}

// errNotRegular is returned if a file of a run is a link, a directory or a device.
var errNotRegular = errors.New("a run writes regular files only, so it is not read")

// checkKind returns an error if a file of a run is not a regular file. It may be missing.
func checkKind(dir, name string) error {
	path := filepath.Join(dir, name)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() == fs.ModeSymlink:
		return fmt.Errorf("%s: is a link: %w", path, errNotRegular)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: is a folder, a pipe or a device: %w", path, errNotRegular)
	}
	return nil
}
