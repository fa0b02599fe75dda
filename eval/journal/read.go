package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"evalctl/agent/file"
	"evalctl/agent/jsonerror"
	"evalctl/eval"
)

// Results reads the results in dir in the order in which they were written: the
// nth stands on line n. A torn last line is passed over; anything else that is no
// result, or has figures that no run writes, is an error with file and line.
func Results(dir string) iter.Seq2[eval.Result, error] {
	return ResultsIn(filepath.Join(dir, ResultsFile))
}

// ResultsIn reads a file of results, as Results does.
func ResultsIn(path string) iter.Seq2[eval.Result, error] {
	return lines(path, every, checkResult)
}

func checkResult(r eval.Result) error {
	if r.Key == "" {
		return errNoKey
	}
	return checkFigures(r)
}

// TracesOf reads the traces of one case. A trial that was interrupted between
// its trace and its result, or was played again, has a second trace later on:
// the last counts. Lines that cannot be of the case are passed over undecoded:
// the file may be long.
func TracesOf(dir, id string) ([]Trace, error) {
	return lastOf(filepath.Join(dir, TracesFile), id, Trace.check, func(t Trace) (key, of string) { return t.Key, t.Case })
}

// TrialsOf reads the trials of one case, each with what happened in it. Where a
// crash has left no result, it is what the trace tells.
func TrialsOf(dir, id string) ([]eval.Result, error) {
	traces, err := TracesOf(dir, id)
	if err != nil {
		return nil, err
	}
	results, err := lastOf(filepath.Join(dir, ResultsFile), id, checkResult, func(r eval.Result) (key, of string) { return r.Key, r.Case })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	rows := map[string]eval.Result{}
	for _, r := range results {
		rows[r.Key] = r
	}
	list := make([]eval.Result, len(traces))
	for i, t := range traces {
		r, ok := rows[t.Key]
		if !ok {
			r = eval.Result{Key: t.Key, Suite: t.Suite, Case: t.Case, Variant: t.Variant, Fault: t.Fault, Epoch: t.Epoch,
				Expected: t.Expected, Correct: t.Correct, Error: t.Error}
		}
		r.Took, r.Outcome = eval.Millis(t.Outcome.Took), t.Outcome
		list[i] = r
	}
	return list, nil
}

// lastOf decodes the lines of one case, of each trial the last.
func lastOf[T any](path, id string, check func(T) error, names func(T) (key, of string)) ([]T, error) {
	name, err := jsonv1.Marshal(id)
	if err != nil {
		return nil, err
	}
	mark := append([]byte(`"case":`), name...)
	maybe := func(line []byte) bool { return bytes.Contains(line, mark) }
	var list []T
	places := map[string]int{}
	for v, err := range lines(path, maybe, check) {
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

// asWritten refuses what a T does not have: a journal of another version must not be
// read in part. What a model said may be in it as it stood there.
var asWritten = json.JoinOptions(json.RejectUnknownMembers(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
	jsonv1.FormatDurationAsNano(true))

func strict[T any](line []byte) (v T, err error) {
	if len(bytes.TrimSpace(line)) == 0 {
		return v, errBlank
	}
	if err := json.Unmarshal(line, &v, asWritten); err != nil {
		return v, explain(err)
	}
	return v, nil
}

// explain says where on a line what is wrong.
func explain(err error) error {
	var own *json.SemanticError
	switch e, found := jsonerror.Find(err); {
	case !found:
		return err
	case e.Kind == jsonerror.UnknownField:
		return fmt.Errorf("unknown field %q", e.At)
	case e.Kind == jsonerror.Truncated:
		return errors.New("the line ends in mid-value")
	case e.Kind == jsonerror.Syntax:
		return errors.New(e.Reason)
	case errors.As(err, &own) && own.Err != nil:
		return fmt.Errorf("%s: %w", e.At, own.Err)
	default:
		return fmt.Errorf("%s: %s", e.At, e.Reason)
	}
}

var (
	errNoKey = errors.New("has no key")
	errBlank = errors.New("the line is blank: a run writes none")
)

func (t Trace) check() error {
	if t.Key == "" {
		return errNoKey
	}
	return nil
}

func every([]byte) bool { return true }

// lines decodes the lines that are wanted.
func lines[T any](path string, wanted func([]byte) bool, check func(T) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		f, err := file.Open(path)
		if err != nil {
			yield(zero, err)
			return
		}
		defer f.Close()
		r := bufio.NewReaderSize(f, 64<<10)
		var line []byte
		for n := 1; ; n++ {
			line, err = readLine(r, line[:0])
			if errors.Is(err, io.EOF) {
				return // what has no newline was torn by a crash
			}
			if err == nil && !wanted(line) {
				continue
			}
			var v T
			if err == nil {
				v, err = strict[T](line)
			}
			if err == nil {
				err = check(v)
			}
			if err != nil {
				yield(zero, fmt.Errorf("%s:%d: %w", path, n, err))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

// maxLine bounds a line: a trial's turns with all their pictures. A journal that
// somebody else wrote may have no newline at all.
const maxLine = 256 << 20

func readLine(r *bufio.Reader, line []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			return nil, fmt.Errorf("line is longer than %d MiB", maxLine>>20)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// cutTorn shortens a file to its last newline. It tells how many bytes it cut
// off, and how many lines are left.
func cutTorn(f *os.File) (torn, lines int64, err error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, 0, err
	}
	buf := make([]byte, 64<<10)
	var size, end int64 // up to and with the last newline, and in all
	for {
		n, err := f.Read(buf)
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			size = end + int64(i) + 1
			lines += int64(bytes.Count(buf[:n], []byte{'\n'}))
		}
		end += int64(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, 0, err
		}
	}
	if size < end {
		err = f.Truncate(size)
	}
	return end - size, lines, err
}
