package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"evalctl/agent/file"
)

// The journal's files in a run's folder, and those beside them.
const (
	ResultsFile  = "results.jsonl"
	TracesFile   = "traces.jsonl"
	ManifestFile = "manifest.json"
	SummaryFile  = "summary.json"
)

// Files are all that a run keeps in its folder.
func Files() []string { return []string{ManifestFile, ResultsFile, TracesFile, SummaryFile} }

// ReadFile reads one of the files in a run's folder, of at most so many bytes. A link is not
// followed: a run writes none, and it could lead to any file of this machine.
func ReadFile(dir, name string, most int64) ([]byte, error) {
	if err := checkKind(dir, name); err != nil {
		return nil, err
	}
	return file.Read(filepath.Join(dir, name), most)
}

// ErrKind is why a file in a run's folder is not read: a run writes none of its kind.
var ErrKind = errors.New("a run writes regular files only, so it is not read")

// checkKind reports a link, a folder, a pipe or a device in the place of a run's file. A file
// that is missing is left to its reader.
func checkKind(dir, name string) error {
	path := filepath.Join(dir, name)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() == fs.ModeSymlink:
		return fmt.Errorf("%s: is a link: %w", path, ErrKind)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: is a folder, a pipe or a device: %w", path, ErrKind)
	}
	return nil
}
