// Package journal is the crash-safe log of a run: one line a trial, appended
// as trials end. A line counts once its newline is written, so a process may
// be killed at any byte and the run resumed from what is there.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"unicode/utf8"

	"evalctl/agent/secret"
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
	Secrets *secret.Set // are taken out of what is written; nil: there are none

	results, traces *os.File
	line            bytes.Buffer
	err             error // of a write that may have torn a line: none must follow it
}

var _ eval.Sink = (*Writer)(nil)

// Resume goes on with the journal in dir. A line torn by a crash is cut off; warn
// hears of it, and of traces that a crash has taken.
func Resume(dir string, warn func(string)) (*Writer, error) {
	results, err := openFile(dir, ResultsFile, os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err := lock(results); err != nil {
		return nil, errors.Join(err, results.Close())
	}
	traces, err := openFile(dir, TracesFile, os.O_CREATE)
	if err != nil {
		return nil, errors.Join(err, results.Close())
	}
	w := &Writer{results: results, traces: traces}
	if err := w.mend(warn); err != nil {
		return nil, errors.Join(fmt.Errorf("resume: %w", err), w.Close())
	}
	return w, nil
}

// mend cuts torn lines off. A result is written after its trace, so as many
// traces are there as results, unless the machine went down.
func (w *Writer) mend(warn func(string)) error {
	var lines [2]int64
	for i, f := range []*os.File{w.results, w.traces} {
		torn, n, err := cutTorn(f)
		if err != nil {
			return err
		}
		if torn > 0 {
			warn(fmt.Sprintf("%s: %d bytes of a last line that was torn are cut off", f.Name(), torn))
		}
		lines[i] = n
	}
	if lost := lines[0] - lines[1]; lost > 0 {
		warn(fmt.Sprintf("%s: lacks the traces of at least %d of %d results", w.traces.Name(), lost, lines[0]))
	}
	return nil
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
	if utf8.RuneCountInString(r.Text) == eval.MaxText { // what was cut may end in the half of a secret
		r.Text = (&secret.Stream{Set: w.Secrets}).Next(r.Text)
	}
	return w.append(w.results, r)
}

// Sync makes the journal durable. It does not repeat the error of an Add.
func (w *Writer) Sync() error { return errors.Join(w.traces.Sync(), w.results.Sync()) }

// Close makes the journal durable and gives the folder free.
func (w *Writer) Close() error {
	return errors.Join(w.Sync(), w.traces.Close(), w.results.Close())
}

// append writes a line in one call, so that only a crash can tear it.
func (w *Writer) append(f *os.File, v any) error {
	w.line.Reset()
	if err := json.NewEncoder(&w.line).Encode(v); err != nil {
		return fmt.Errorf("encode for %s: %w", f.Name(), err)
	}
	_, err := f.Write(w.Secrets.JSON(w.line.Bytes()))
	if w.line.Cap() > maxKept {
		w.line = bytes.Buffer{}
	}
	return err
}

// maxKept is how much of the longest line's memory is kept for the next, in bytes.
const maxKept = 1 << 20
