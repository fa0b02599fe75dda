package runs

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"evalctl/agent/file"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
)

// ErrNoTrace is the error for a trial whose event log the run does not contain.
var ErrNoTrace = errors.New("the run has no trace of the trial")

// maxLine is the maximum length, in bytes, of a line that is read. A line contains all turns of a
// trial with all images.
const maxLine = 256 << 20

// TrialIndex finds single trials of a run by their keys, without decoding the others. It stores only
// two file positions per trial.
type TrialIndex struct {
	results, traces lineIndex
	notes           []string
	dir             string // directory of the run; "": the run is only a results file
}

// IndexTrials indexes the trials of the run. The caller must close the result.
func (r *Run) IndexTrials() (*TrialIndex, error) {
	results, err := indexLines(r.results)
	if err != nil {
		return nil, err
	}
	l := &TrialIndex{results: results}
	if r.results == r.Path { // the run is only a results file, without traces
		return l, nil
	}
	l.dir = r.Path
	l.traces, err = indexLines(filepath.Join(r.Path, journal.TracesFile))
	if errors.Is(err, fs.ErrNotExist) {
		l.notes = []string{cmp.Or(r.Manifest.Traces.MissingReason(), "the run has no "+journal.TracesFile) +
			": no trial has its trace"}
		return l, nil
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	l.notes = append(l.traces.notes(), l.missingTraceNotes(r.Manifest.Traces.MissingReason())...)
	return l, nil
}

// Close closes the files of the run.
func (l *TrialIndex) Close() error { return errors.Join(l.results.close(), l.traces.close()) }

// Prompts returns the texts of the prompts that the run stored, by ID; none if it is only a results
// file.
func (l *TrialIndex) Prompts() (map[string]string, error) {
	if l.dir == "" {
		return nil, nil
	}
	return journal.ReadPrompts(l.dir)
}

// TraceProblems returns messages about missing or unreadable traces of the run; nil if there are
// none.
func (l *TrialIndex) TraceProblems() []string { return l.notes }

// missingTraceNotes returns a note if trials have no trace. why is the reason, if the run was
// configured to store none.
func (l *TrialIndex) missingTraceNotes(why string) []string {
	n := int64(0)
	for key := range l.results.last {
		if _, ok := l.traces.last[key]; !ok {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	if why != "" {
		return []string{why + ": " + metric.Plural(n, "trial") + " without one"}
	}
	return []string{"the trace of " + metric.Plural(n, "trial") + " is lacking"}
}

// Trial returns the result of a trial, with its event log. It returns ErrNoTrace if there is no
// trace.
func (l *TrialIndex) Trial(key string) (eval.Result, error) {
	t, err := l.Trace(key)
	if err != nil {
		return eval.Result{}, err
	}
	line, err := l.results.line(key)
	if err != nil {
		return eval.Result{}, err
	}
	r, err := journal.DecodeResult(line)
	r.Outcome = t.Outcome
	return r, err
}

// Trace returns the full event log of a trial. It returns ErrNoTrace if there is none.
func (l *TrialIndex) Trace(key string) (journal.Trace, error) {
	line, err := l.traces.line(key)
	if err != nil {
		return journal.Trace{}, err
	}
	t, err := journal.DecodeTrace(line)
	if err == nil && t.Key != key {
		err = errors.New("a line has two keys")
	}
	if err != nil {
		err = fmt.Errorf("%s: trial %.40q: %w", l.traces.f.Name(), key, err)
	}
	return t, err
}

// lineIndex maps the key of a trial to the position of its last line in a file. The zero value is
// empty.
type lineIndex struct {
	f    *os.File
	last map[string]span
	torn bool  // the file ends in the middle of a line
	bad  int64 // number of lines without a key
}

type span struct{ at, size int64 }

func indexLines(path string) (lineIndex, error) {
	f, err := file.Open(path)
	if err != nil {
		return lineIndex{}, err
	}
	l := lineIndex{f: f, last: map[string]span{}}
	if err := l.scan(); err != nil {
		return lineIndex{}, errors.Join(err, f.Close())
	}
	return l, nil
}

// scan reads the file once and stores the position of each key's last line.
func (l *lineIndex) scan() error {
	r := bufio.NewReaderSize(l.f, 256<<10)
	var at int64
	for {
		head, err := r.ReadSlice('\n')
		size, key := int64(len(head)), ""
		if err == nil {
			key = journal.LineKey(head)
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			if key == "" {
				key = journal.LineKey(head)
			}
			var more []byte
			more, err = r.ReadSlice('\n')
			size += int64(len(more))
		}
		if errors.Is(err, io.EOF) {
			l.torn = size > 0
			return nil
		}
		if err != nil {
			return err
		}
		if key == "" {
			key = l.decodedKey(span{at, size})
		}
		if key == "" {
			l.bad++
		} else {
			l.last[key] = span{at, size}
		}
		at += size
	}
}

// decodedKey returns the key of a line in which the key is not the first field; "" if there is
// none.
func (l *lineIndex) decodedKey(s span) string {
	line, err := l.read(s)
	if err != nil {
		return ""
	}
	return journal.LineKey(line)
}

func (l *lineIndex) line(key string) ([]byte, error) {
	s, ok := l.last[key]
	if !ok {
		return nil, ErrNoTrace
	}
	return l.read(s)
}

func (l *lineIndex) read(s span) ([]byte, error) {
	if s.size > maxLine {
		return nil, fmt.Errorf("%s: a line is longer than %d MiB", l.f.Name(), maxLine>>20)
	}
	line := make([]byte, s.size)
	if _, err := l.f.ReadAt(line, s.at); err != nil {
		return nil, err
	}
	return line, nil
}

func (l *lineIndex) notes() (list []string) {
	name := journal.TracesFile
	if l.torn {
		list = append(list, name+" ends in mid-line: what is torn is left out")
	}
	if l.bad > 0 {
		list = append(list, metric.Plural(l.bad, "line")+" of "+name+" are no trace of a trial, and left out")
	}
	return list
}

func (l *lineIndex) close() error {
	if l.f == nil {
		return nil
	}
	return l.f.Close()
}
