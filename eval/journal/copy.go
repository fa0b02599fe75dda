package journal

import (
	"bytes"
	"path/filepath"

	"evalctl/eval"
)

// rawLine is a line of a journal with its decoded value.
type rawLine[T any] struct {
	line []byte
	of   T
}

// withLine returns a function that decodes a line and also returns the line itself.
func withLine[T any](decode func([]byte) (T, error)) func([]byte) (rawLine[T], error) {
	return func(line []byte) (c rawLine[T], err error) {
		c.line = bytes.TrimSuffix(bytes.Clone(line), []byte("\n"))
		c.of, err = decode(line)
		return c, err
	}
}

// CopyFrom appends the lines of the journal in another directory to this one, unchanged, to merge
// shards. It copies the traces if this run stores traces. It copies a result if isLast returns true
// for its trial and line number (from 1), and then calls onResult.
func (w *Writer) CopyFrom(dir string, selects func(id TrialID, line int64) bool,
	onResult func(eval.Result) error) error {
	if form := formOf(dir); w.traces != nil && form.Traces != NoTraces {
		key := func(line []byte) (string, error) { return LineKey(line), nil }
		for c, err := range lines(filepath.Join(dir, TracesFile), every, withLine(key)) {
			if err != nil {
				return err
			}
			if err := w.copy(w.traces, c.line); err != nil {
				return err
			}
		}
	}
	n := int64(0)
	for c, err := range lines(filepath.Join(dir, ResultsFile), every, withLine(decodeResult)) {
		if err != nil {
			return err
		}
		n++
		if id, ok := ParseTrialID(c.of.Key); !ok || !selects(id, n) {
			continue
		}
		if err := w.copy(w.results, c.line); err != nil {
			return err
		}
		if err := onResult(c.of); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) copy(to *logFile, line []byte) error {
	if w.err == nil {
		w.err = to.append(withSum(append(line, '\n'), w.run))
	}
	return w.err
}
