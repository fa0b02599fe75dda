// Package journal is the crash-safe log of a run: one line a trial, appended
// as trials end. A line counts once its newline is written, so a process may
// be killed at any byte and the run resumed from what is there.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"evalctl/eval"
)

// The journal's files in a run's folder.
const (
	ResultsFile = "results.jsonl"
	TracesFile  = "traces.jsonl"
)

// Trace is a line of the trace file: all that a trial said and did.
type Trace struct {
	Key     string       `json:"key"`
	Suite   string       `json:"suite"`
	Case    string       `json:"case"`
	Variant string       `json:"variant"`
	Fault   string       `json:"fault"`
	Epoch   int          `json:"epoch"`
	Outcome eval.Outcome `json:"outcome"`

	Expected eval.OneOf  `json:"expected,omitempty"` // as the next, of the turn that was judged
	Correct  *bool       `json:"correct,omitempty"`
	Error    *eval.Error `json:"error,omitempty"`
}

// Writer appends to a journal.
type Writer struct {
	results, traces *os.File
	line            bytes.Buffer
	err             error // of a write that may have torn a line: none must follow it
}

var _ eval.Sink = (*Writer)(nil)

// Create starts a journal in dir, which must exist and not hold one yet.
func Create(dir string) (*Writer, error) {
	if _, err := os.Lstat(filepath.Join(dir, ResultsFile)); err == nil {
		return nil, held(dir) // before an empty trace file is left beside it
	}
	return open(dir, os.O_CREATE|os.O_EXCL|os.O_APPEND|os.O_WRONLY)
}

// Resume goes on with the journal in dir. A line torn by a crash is cut off.
func Resume(dir string) (*Writer, error) {
	w, err := open(dir, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{ResultsFile, TracesFile} {
		if err := cutTorn(filepath.Join(dir, name)); err != nil {
			return nil, errors.Join(fmt.Errorf("resume: %w", err), w.Close())
		}
	}
	return w, nil
}

func open(dir string, flag int) (*Writer, error) {
	traces, err := openFile(dir, TracesFile, flag)
	if err != nil {
		return nil, err
	}
	results, err := openFile(dir, ResultsFile, flag)
	if err != nil {
		return nil, errors.Join(err, traces.Close())
	}
	if err := lock(results); err != nil {
		return nil, errors.Join(err, results.Close(), traces.Close())
	}
	return &Writer{results: results, traces: traces}, nil
}

func openFile(dir, name string, flag int) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, name), flag, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, held(dir)
	}
	return f, err
}

func held(dir string) error {
	return fmt.Errorf("%s already holds a run: give another folder, or go on with --resume", dir)
}

// Add writes the trial's trace, then its result: a result that counts always
// has its trace. After an error nothing more is written.
func (w *Writer) Add(r eval.Result) error {
	if w.err == nil {
		w.err = w.add(r)
	}
	return w.err
}

func (w *Writer) add(r eval.Result) error {
	t := Trace{Key: r.Key, Suite: r.Suite, Case: r.Case, Variant: r.Variant, Fault: r.Fault,
		Epoch: r.Epoch, Outcome: r.Outcome, Error: r.Error, Expected: r.Expected, Correct: r.Correct}
	if err := w.append(w.traces, t); err != nil {
		return err
	}
	return w.append(w.results, r)
}

// Close makes the journal durable. It does not repeat the error of an Add.
func (w *Writer) Close() error {
	return errors.Join(w.traces.Sync(), w.traces.Close(), w.results.Sync(), w.results.Close())
}

// append writes a line in one call, so that only a crash can tear it.
func (w *Writer) append(f *os.File, v any) error {
	w.line.Reset()
	if err := json.NewEncoder(&w.line).Encode(v); err != nil {
		return fmt.Errorf("encode for %s: %w", f.Name(), err)
	}
	_, err := f.Write(w.line.Bytes())
	return err
}
