// Package journal writes and reads the crash-safe log of a run: one line per trial, appended when
// the trial ends. A line is valid once its newline is written. A process may be killed at any byte,
// and the run can still be resumed from the file.
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

// Trace is the full event log of one trial, a line of the traces file.
type Trace struct {
	Key     string       `json:"key"` // key of the trial, see [eval.Trial.Key]
	Suite   string       `json:"suite"`
	Case    string       `json:"case"`
	Variant string       `json:"variant"`
	Fault   string       `json:"fault"`
	Epoch   int          `json:"epoch"`   // number of the repetition, from 1
	Outcome eval.Outcome `json:"outcome"` // replies and events of all turns

	Expected eval.OneOf  `json:"expected,omitempty"` // Expected and Correct belong to the scored turn
	Correct  *bool       `json:"correct,omitempty"`
	Error    *eval.Error `json:"error,omitempty"`
}

// Writer appends results and traces to the journal of a run.
type Writer struct {
	// secrets that are redacted, except in fields copied from the case; nil: no secrets
	Secrets *secret.Set
	// bytes of results that may be buffered; a crash loses them
	BufferBytes int

	run             mark
	traceMode       TraceMode
	results, traces *logFile // open files; traces is nil if the run stores no traces
	line            bytes.Buffer
	buffered        []byte // results that are not written yet
	checkedSize     int64  // size of the results file at the last Check
	err             error  // first write error; it may have left a partial line, so nothing is written after it
}

var _ eval.Sink = (*Writer)(nil)

// Resume opens the journal of an existing run to continue it. It removes lines at the end that a
// crash has damaged. warn is called with a message about removed lines and lost traces.
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

// Add writes the trace of a trial, if traces are stored, and then its result. A complete result
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
		line, err := w.lineWithSum(w.traces)
		if err == nil {
			err = w.traces.append(line)
		}
		if err != nil {
			return err
		}
	}
	w.line.Reset()
	line, err := AppendResult(w.line.AvailableBuffer(), r, w.Secrets)
	if err != nil {
		return fmt.Errorf("encode for %s: %w", w.results.Name(), err)
	}
	w.line.Write(append(line, '\n'))
	if line, err = w.lineWithSum(w.results); err != nil {
		return err
	}
	w.buffered = append(w.buffered, line...)
	if len(w.buffered) > w.BufferBytes {
		return w.flush()
	}
	return nil
}

// AppendResult appends a result as JSON with the secrets redacted. It does not redact fields copied
// from the case: the dataset contains them anyway, and they identify the result.
func AppendResult(b []byte, r eval.Result, secrets *secret.Set) ([]byte, error) {
	begin := len(b)
	b, err := r.AppendJSON(b)
	if err != nil {
		return b, err
	}
	clean := secrets.RedactJSON(b[begin:])
	if bytes.Equal(clean, b[begin:]) {
		return b, nil
	}
	row, err := decodeStrict[eval.Result](clean)
	if err != nil {
		return b, fmt.Errorf("without secrets: %w", err)
	}
	row.CopyCaseFields(r)
	return row.AppendJSON(b[:begin])
}

// appendTrace writes a trace with the secrets redacted, as AppendResult does.
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

func (w *Writer) flush() error {
	err := w.results.append(w.buffered)
	w.buffered = w.buffered[:0]
	if cap(w.buffered) > w.BufferBytes+maxReusedBuffer {
		w.buffered = nil
	}
	return err
}

func (w *Writer) files() []*logFile {
	if w.traces == nil {
		return []*logFile{w.results}
	}
	return []*logFile{w.results, w.traces}
}

// CheckUnchanged returns an error if another program removed, replaced, truncated or extended a
// file of the journal. It returns immediately if no result was written since the last call, so it
// may be called after every Add.
func (w *Writer) CheckUnchanged() error {
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

// Sync writes the journal durably to disk. It does not return the error of an earlier Add again.
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

// SyncAndVerify writes the journal durably to disk and reads its files back. It returns an error
// unless they contain exactly what was added. It also returns the error of an earlier Add.
func (w *Writer) SyncAndVerify() error {
	failed := w.err
	w.err = cmp.Or(failed, w.Sync())
	for _, f := range w.files() {
		if w.err == nil {
			w.err = f.verify()
		}
	}
	return w.err
}

// OwnsDir reports whether the results file in the directory is still the file that this Writer
// has open. If not, the directory may belong to another run.
func (w *Writer) OwnsDir() bool {
	held, err := w.results.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(w.results.Name())
	return err == nil && os.SameFile(held, named)
}

// Close writes the journal durably to disk and unlocks the directory.
func (w *Writer) Close() error { return errors.Join(w.Sync(), w.close()) }

func (w *Writer) close() (err error) {
	for _, f := range w.files() {
		err = errors.Join(err, f.Close())
	}
	return err
}

// lineWithSum returns the current line with its checksum. The caller writes it in one call, so that
// only a crash can leave a partial line. A line that is too long to be read again is an error.
func (w *Writer) lineWithSum(in *logFile) ([]byte, error) {
	if w.line.Len()+sumSize > maxLine {
		return nil, fmt.Errorf("encode for %s: line is longer than %d MiB", in.Name(), maxLine>>20)
	}
	w.line.Grow(sumSize)
	line := withSum(w.line.Bytes(), w.run)
	if w.line.Cap() > maxReusedBuffer {
		w.line = bytes.Buffer{}
	}
	return line, nil
}

// maxReusedBuffer is the maximum size of a buffer that is reused for the next line, in bytes.
const maxReusedBuffer = 1 << 20
