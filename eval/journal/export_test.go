package journal

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
)

// EveryTrace reads all traces in dir.
func EveryTrace(dir string) iter.Seq2[Trace, error] {
	return lines(filepath.Join(dir, TracesFile), every, traceOn)
}

// Fill has the disk full that one of the files is on.
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

// Create starts a journal without a manifest in dir, which must exist and not hold
// a run yet.
func Create(dir string) (*Writer, error) {
	results, err := claim(dir)
	if err != nil {
		return nil, err
	}
	w, err := start(dir, results, form{}, os.O_EXCL)
	if err != nil {
		return nil, errors.Join(err, results.Close())
	}
	return w, nil
}

// WithSum and WithoutSum are what a line gets, and is read by.
var (
	WithSum    = withSum
	WithoutSum = withoutSum
)
