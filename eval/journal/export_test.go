package journal

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
)

// EveryTrace reads all traces in dir.
func EveryTrace(dir string) iter.Seq2[Trace, error] {
	return lines(filepath.Join(dir, TracesFile), every, decodeTrace)
}

// Fill simulates a full disk for one of the files.
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

// Create starts a journal without a manifest in dir, which must exist and must not contain a run.
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

// WithSum and WithoutSum export the functions that add and remove a line's checksum.
var (
	WithSum    = withSum
	WithoutSum = withoutSum
)
