// Package journal is the crash-safe log of a run: one line a trial, appended
// as trials end. A line counts once its newline is written, so a process may
// be killed at any byte and the run resumed from what is there.
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
	Secrets     *secret.Set // are taken out of what is written, but for what stands in the set; nil: there are none
	BufferBytes int         // bytes of results that may wait for those behind them, where a trial that a crash takes costs nothing

	run             mark
	keep            Traces
	results, traces *logFile // traces is nil where the run keeps none
	line            bytes.Buffer
	waiting         []byte // results
	checked         int64  // bytes of results when the files were checked last
	err             error  // of a write that may have torn a line: none must follow it
}

var _ eval.Sink = (*Writer)(nil)

// Resume goes on with the journal in dir, as its manifest says. An end that a crash has
// damaged is cut off; warn hears of it, and of traces that a crash has taken.
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
		err = w.mend(warn)
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

// Add writes the trial's trace, where it is kept, then its result: a result that counts
// always has its trace. After an error nothing more is written.
func (w *Writer) Add(r eval.Result) error {
	if w.err == nil {
		w.err = w.add(r)
	}
	return w.err
}

func (w *Writer) add(r eval.Result) error {
	if w.keep.keeps(r) {
		w.line.Reset()
		t := Trace{Key: r.Key, Suite: r.Suite, Case: r.Case, Variant: r.Variant, Fault: r.Fault,
			Epoch: r.Epoch, Outcome: r.Outcome, Error: r.Error, Expected: r.Expected, Correct: r.Correct}
		if err := appendTrace(&w.line, t, w.Secrets); err != nil {
			return fmt.Errorf("encode for %s: %w", w.traces.Name(), err)
		}
		if err := w.traces.append(w.sealed()); err != nil {
			return err
		}
	}
	w.line.Reset()
	line, err := AppendRow(w.line.AvailableBuffer(), r, w.Secrets)
	if err != nil {
		return fmt.Errorf("encode for %s: %w", w.results.Name(), err)
	}
	w.line.Write(append(line, '\n'))
	w.waiting = append(w.waiting, w.sealed()...)
	if len(w.waiting) > w.BufferBytes {
		return w.flush()
	}
	return nil
}

// AppendRow adds a row as it is written: without secrets, but for what it repeats of its
// trial. That stands in the set already, and a row is known by it wherever it is read,
// whatever secrets are known there.
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

// appendTrace adds a trace as it is written, as AppendRow does.
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

// flush writes the results that wait.
func (w *Writer) flush() error {
	err := w.results.append(w.waiting)
	w.waiting = w.waiting[:0]
	if cap(w.waiting) > w.BufferBytes+maxKept {
		w.waiting = nil
	}
	return err
}

// files are those that are open.
func (w *Writer) files() []*logFile {
	if w.traces == nil {
		return []*logFile{w.results}
	}
	return []*logFile{w.results, w.traces}
}

// Check reports files that another program has removed, replaced, cut or extended. It looks at
// them only if results were written since it did last: it may be called after every Add.
func (w *Writer) Check() error {
	if w.results.size == w.checked {
		return nil
	}
	w.checked = w.results.size
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

// Verify makes the journal durable, and then reads its files back: nil says that they
// hold every row that was added, and nothing else. It repeats the error of an Add.
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

// HoldsFolder reports whether the file of results in the run's folder is still the one
// that is open here. If it is not, the folder may be of another run by now.
func (w *Writer) HoldsFolder() bool {
	held, err := w.results.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(w.results.Name())
	return err == nil && os.SameFile(held, named)
}

// Close makes the journal durable and gives the folder free.
func (w *Writer) Close() error { return errors.Join(w.Sync(), w.close()) }

func (w *Writer) close() (err error) {
	for _, f := range w.files() {
		err = errors.Join(err, f.Close())
	}
	return err
}

// sealed is the line as it is written, in one call, so that only a crash can tear it.
func (w *Writer) sealed() []byte {
	w.line.Grow(sumSize)
	line := withSum(w.line.Bytes(), w.run)
	if w.line.Cap() > maxKept {
		w.line = bytes.Buffer{}
	}
	return line
}

// maxKept is how much of the longest line's memory is kept for the next, in bytes.
const maxKept = 1 << 20
