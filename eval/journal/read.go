package journal

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"iter"
	"path/filepath"
	"time"

	jsonv1 "github.com/go-json-experiment/json/v1"

	"evalctl/eval"
)

// ReadRunResults yields the results of the run in dir, in the order in which they were written. The
// nth result is on line n. It ignores a last line that a crash left incomplete. For any other
// invalid line it yields an error with file and line.
func ReadRunResults(dir string) iter.Seq2[eval.Result, error] {
	return ReadResults(filepath.Join(dir, ResultsFile))
}

// ReadResults yields the results in a results file, as ReadRunResults does.
func ReadResults(path string) iter.Seq2[eval.Result, error] {
	return lines(path, every, decodeResult)
}

func decodeResult(line []byte) (eval.Result, error) {
	r, err := decodeStrict[eval.Result](newerRow(line))
	switch {
	case err != nil:
		return r, err
	case r.Key == "":
		return r, errNoKey
	}
	return r, checkNumbers(r)
}

// CaseTraces returns the traces of one case. If a trial has several traces (it was interrupted
// before its result was written, or was run again), only the last one is returned. Lines of other
// cases are skipped without decoding, because the file may be large.
func CaseTraces(dir, id string) ([]Trace, error) {
	return lastLinePerTrial(filepath.Join(dir, TracesFile), id, decodeTrace,
		func(t Trace) (key, of string) { return t.Key, t.Case })
}

// CaseTrials returns the trials of one case. traced contains those with their event logs, untraced
// those without. If a crash left a trace without a result, the trial has only the fields of the
// trace.
func CaseTrials(dir, id string) (traced, untraced []eval.Result, err error) {
	traces, err := CaseTraces(dir, id)
	if noTraces := errors.Is(err, fs.ErrNotExist); err != nil && !(noTraces && formOf(dir).Traces == NoTraces) {
		return nil, nil, err
	}
	results, err := lastLinePerTrial(filepath.Join(dir, ResultsFile), id, decodeResult,
		func(r eval.Result) (key, of string) { return r.Key, r.Case })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	rows := map[string]eval.Result{}
	for _, r := range results {
		rows[r.Key] = r
	}
	for _, t := range traces {
		r, ok := rows[t.Key]
		if !ok {
			r = eval.Result{
				Key:      t.Key,
				Suite:    t.Suite,
				Case:     t.Case,
				Variant:  t.Variant,
				Fault:    t.Fault,
				Epoch:    t.Epoch,
				Expected: t.Expected,
				Correct:  t.Correct,
				Error:    t.Error,
			}
		}
		delete(rows, t.Key)
		r.Duration, r.Outcome = eval.Millis(t.Outcome.Duration), t.Outcome
		traced = append(traced, r)
	}
	for _, r := range results {
		if _, left := rows[r.Key]; left {
			r.Outcome.Duration = time.Duration(r.Duration)
			untraced = append(untraced, r)
		}
	}
	return traced, untraced, nil
}

// NoTraceReason explains why trials of the run in dir have no trace, for messages.
func NoTraceReason(dir string) string {
	return cmp.Or(formOf(dir).Traces.MissingReason(), "their traces were lost")
}

// lastLinePerTrial decodes the lines of one case and returns the last line of each trial.
func lastLinePerTrial[T any](path, id string, decode func([]byte) (T, error), names func(T) (key, of string)) ([]T,
	error) {
	name, err := jsonv1.Marshal(id)
	if err != nil {
		return nil, err
	}
	mark := append([]byte(`"case":`), name...)
	maybe := func(line []byte) bool { return bytes.Contains(line, mark) }
	var list []T
	places := map[string]int{}
	for v, err := range lines(path, maybe, decode) {
		if err != nil {
			return nil, err
		}
		key, of := names(v)
		if of != id {
			continue
		}
		if i, again := places[key]; again {
			list[i] = v
			continue
		}
		places[key] = len(list)
		list = append(list, v)
	}
	return list, nil
}

var errNoKey = errors.New("has no key")

func decodeTrace(line []byte) (Trace, error) {
	t, err := decodeStrict[Trace](newerTrace(line))
	if err == nil && t.Key == "" {
		err = errNoKey
	}
	return t, err
}
