// Package journal is the crash-safe log of a run: one line per trial, appended as trials end. A
// line counts once its newline is written. A process may be killed at any byte, and the run can be
// resumed from the file.
package journal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"evalctl/agent/secret"
	"evalctl/eval"
)

// Trace is a line of the trace file: the full event log of a trial.
type Trace struct {
	Key     string       `json:"key"`
	Suite   string       `json:"suite"`
	Case    string       `json:"case"`
	Variant string       `json:"variant"`
	Fault   string       `json:"fault"`
	Epoch   int          `json:"epoch"`
	Outcome eval.Outcome `json:"outcome"`

	Expected eval.OneOf  `json:"expected,omitempty"` // like Correct, of the scored turn
	Correct  *bool       `json:"correct,omitempty"`
	Error    *eval.Error `json:"error,omitempty"`
}

// Writer appends to a journal.
type Writer struct {
	Secrets     *secret.Set // removed from the written texts, except from copied case fields; nil: no secrets
	BufferBytes int         // bytes of results that may be buffered, if a trial that is lost in a crash costs nothing

	run             mark
	traceMode       Traces
	results, traces *logFile // traces is nil if the run stores none
	line            bytes.Buffer
	buffered        []byte // buffered results
	checkedSize     int64  // size of results at the last Check
	err             error  // error of a write that may have torn a line; nothing is written after it
}

var _ eval.Sink = (*Writer)(nil)

// Resume opens the journal in dir to continue it. It removes an end that was damaged by a crash.
// warn is called for the removal and for lost traces.
func Resume(dir string, warn func(string)) (*Writer, error) {
	form := formOf(dir)
	if path := filepath.Join(dir, ResultsFile); missing(path) {
		warn(path + ": the file is missing: every trial is run again")
	}
	results, err := openFile(dir, ResultsFile, os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err := lock(results); err != nil {
		return nil, errors.Join(err, results.Close())
	}
	w, err := start(dir, results, form, 0)
	if err != nil {
		return nil, errors.Join(err, results.Close())
	}
	left, err := leftovers(dir)
	if err = cmp.Or(err, removeAll(left)); err == nil {
		err = w.repair(warn)
	}
	for _, f := range w.files() {
		if err == nil {
			err = f.measure()
		}
	}
	if err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// Add writes the trial's trace, if traces are stored, and then its result. A complete result
// therefore always has its trace. After an error, nothing more is written.
func (w *Writer) Add(r eval.Result) error {
	if w.err == nil {
		w.err = w.add(r)
	}
	return w.err
}

func (w *Writer) add(r eval.Result) error {
	if w.traceMode.stores(r) {
		w.line.Reset()
		t := Trace{
			Key:      r.Key,
			Suite:    r.Suite,
			Case:     r.Case,
			Variant:  r.Variant,
			Fault:    r.Fault,
			Epoch:    r.Epoch,
			Outcome:  r.Outcome,
			Error:    r.Error,
			Expected: r.Expected,
			Correct:  r.Correct,
		}
		if err := appendTrace(&w.line, t, w.Secrets); err != nil {
			return fmt.Errorf("encode for %s: %w", w.traces.Name(), err)
		}
		if err := w.traces.append(w.lineWithSum()); err != nil {
			return err
		}
	}
	w.line.Reset()
	line, err := AppendRow(w.line.AvailableBuffer(), r, w.Secrets)
	if err != nil {
		return fmt.Errorf("encode for %s: %w", w.results.Name(), err)
	}
	w.line.Write(append(line, '\n'))
	w.buffered = append(w.buffered, w.lineWithSum()...)
	if len(w.buffered) > w.BufferBytes {
		return w.flush()
	}
	return nil
}

// AppendRow appends a row without secrets, except in the fields copied from its case. The dataset
// contains these already, and they identify the row for every reader.
func AppendRow(b []byte, r eval.Result, secrets *secret.Set) ([]byte, error) {
	begin := len(b)
	b, err := r.AppendJSON(b)
	if err != nil {
		return b, err
	}
	clean := secrets.RedactJSON(b[begin:])
	if bytes.Equal(clean, b[begin:]) {
		return b, nil
	}
	row, err := strict[eval.Result](clean)
	if err != nil {
		return b, fmt.Errorf("without secrets: %w", err)
	}
	row.SetCaseFields(r)
	return row.AppendJSON(b[:begin])
}

// appendTrace writes a trace without secrets, as AppendRow does.
func appendTrace(b *bytes.Buffer, t Trace, secrets *secret.Set) error {
	if err := json.NewEncoder(b).Encode(t); err != nil {
		return err
	}
	if bytes.Equal(secrets.RedactJSON(b.Bytes()), b.Bytes()) {
		return nil
	}
	b.Reset()
	return json.NewEncoder(b).Encode(struct {
		Trace
		Outcome json.Marshaler `json:"outcome"`
		Error   json.Marshaler `json:"error"`
	}{Trace: t, Outcome: secrets.MarshalRedacted(t.Outcome), Error: secrets.MarshalRedacted(t.Error)})
}

// flush writes the buffered results.
func (w *Writer) flush() error {
	err := w.results.append(w.buffered)
	w.buffered = w.buffered[:0]
	if cap(w.buffered) > w.BufferBytes+maxReusedBuffer {
		w.buffered = nil
	}
	return err
}

// files returns the open files.
func (w *Writer) files() []*logFile {
	if w.traces == nil {
		return []*logFile{w.results}
	}
	return []*logFile{w.results, w.traces}
}

// Check returns an error if another program removed, replaced, truncated or extended a file. It
// does nothing if no results were written since the last call, so it may be called after every Add.
func (w *Writer) Check() error {
	if w.results.size == w.checkedSize {
		return nil
	}
	w.checkedSize = w.results.size
	for _, f := range w.files() {
		if err := f.check(); err != nil {
			return err
		}
	}
	return nil
}

// Sync makes the journal durable. It does not repeat the error of an Add.
func (w *Writer) Sync() (err error) {
	if w.traces != nil {
		err = w.traces.Sync()
	}
	if w.err == nil {
		w.err = w.flush()
		err = errors.Join(err, w.err)
	}
	return errors.Join(err, w.results.Sync())
}

// Verify makes the journal durable and reads its files back. It returns nil if they contain exactly
// the rows that were added. It repeats the error of an Add.
func (w *Writer) Verify() error {
	failed := w.err
	w.err = cmp.Or(failed, w.Sync())
	for _, f := range w.files() {
		if w.err == nil {
			w.err = f.verify()
		}
	}
	return w.err
}

// HoldsFolder reports whether the results file in the run's directory is still the open one. If
// not, the directory may belong to another run.
func (w *Writer) HoldsFolder() bool {
	held, err := w.results.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(w.results.Name())
	return err == nil && os.SameFile(held, named)
}

// Close makes the journal durable and releases the directory.
func (w *Writer) Close() error { return errors.Join(w.Sync(), w.close()) }

func (w *Writer) close() (err error) {
	for _, f := range w.files() {
		err = errors.Join(err, f.Close())
	}
	return err
}

// lineWithSum returns the line with its checksum. It is written in one call, so only a crash can
// tear it.
func (w *Writer) lineWithSum() []byte {
	w.line.Grow(sumSize)
	line := withSum(w.line.Bytes(), w.run)
	if w.line.Cap() > maxReusedBuffer {
		w.line = bytes.Buffer{}
	}
	return line
}

// maxReusedBuffer limits the buffer that is reused for the next line, in bytes.
const maxReusedBuffer = 1 << 20
