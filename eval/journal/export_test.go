package journal

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
)

// EveryTrace yields all traces of the run in dir, for tests.
func EveryTrace(dir string) iter.Seq2[Trace, error] {
	return lines(filepath.Join(dir, TracesFile), every, decodeTrace)
}

// Fill makes further writes to one of the files fail, as on a full disk.
func (w *Writer) Fill(name string) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	if name == TracesFile {
		w.traces = &logFile{File: full}
	} else {
		w.results = &logFile{File: full}
	}
}

// Create starts a journal without a manifest in dir. The directory must exist and must not contain
// a run.
func Create(dir string) (*Writer, error) {
	results, err := claimDir(dir)
	if err != nil {
		return nil, err
	}
	w, err := start(dir, results, form{}, os.O_EXCL)
	if err != nil {
		return nil, errors.Join(err, results.Close())
	}
	return w, nil
}

// WithSum adds the checksum to a line, WithoutSum verifies and removes it.
var (
	WithSum    = withSum
	WithoutSum = withoutSum
)
