package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"evalctl/eval"
)

// Results reads the results in dir in the order in which they were written. A
// torn last line is passed over; anything else that is no result is an error
// with file and line.
func Results(dir string) iter.Seq2[eval.Result, error] {
	return lines(filepath.Join(dir, ResultsFile), every, func(r eval.Result) string { return r.Key })
}

// Latest reads the results in dir: of a trial that was played again, the last.
func Latest(dir string) iter.Seq2[eval.Result, error] {
	return func(yield func(eval.Result, error) bool) {
		last := map[string]int64{}
		var n int64
		for r, err := range Results(dir) {
			if err != nil {
				yield(r, err)
				return
			}
			n++
			last[r.Key] = n
		}
		n = 0
		for r, err := range Results(dir) {
			if n++; err == nil && last[r.Key] != n {
				continue
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// TracesOf reads the traces of one case. A trial that was interrupted between
// its trace and its result, or was played again, has a second trace later on:
// the last counts. Lines that cannot be of the case are passed over undecoded:
// the file may be long.
func TracesOf(dir, id string) ([]Trace, error) {
	name, err := json.Marshal(id)
	if err != nil {
		return nil, err
	}
	mark := append([]byte(`"case":`), name...)
	maybe := func(line []byte) bool { return bytes.Contains(line, mark) }
	var list []Trace
	for t, err := range lines(filepath.Join(dir, TracesFile), maybe, func(t Trace) string { return t.Key }) {
		if err != nil {
			return nil, err
		}
		if t.Case != id {
			continue
		}
		if i := slices.IndexFunc(list, func(before Trace) bool { return before.Key == t.Key }); i >= 0 {
			list[i] = t
		} else {
			list = append(list, t)
		}
	}
	return list, nil
}

// strict refuses what a T does not have: a journal of another version must not
// be read in part.
func strict[T any](line []byte) (v T, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		return v, err
	}
	if rest := bytes.TrimSpace(line[d.InputOffset():]); len(rest) > 0 {
		return v, fmt.Errorf("more than one value on the line: %.20q", rest)
	}
	return v, nil
}

var errNoKey = errors.New("has no key")

func every([]byte) bool { return true }

// lines decodes the lines that are wanted.
func lines[T any](path string, wanted func([]byte) bool, key func(T) string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		f, err := os.Open(path)
		if err != nil {
			yield(zero, err)
			return
		}
		defer f.Close()
		r := bufio.NewReaderSize(f, 64<<10)
		for n := 1; ; n++ {
			line, err := r.ReadBytes('\n')
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
			if err == nil && key(v) == "" {
				err = errNoKey
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

// cutTorn shortens a file to its last newline. A missing file is empty.
func cutTorn(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	size, end, err := lastNewline(f)
	if err == nil && size < end {
		err = f.Truncate(size)
	}
	return errors.Join(err, f.Close())
}

// lastNewline finds, from the end, the length up to and with the last newline,
// and the whole length.
func lastNewline(f *os.File) (size, end int64, err error) {
	end, err = f.Seek(0, io.SeekEnd)
	buf := make([]byte, 64<<10)
	for size = end; err == nil && size > 0; {
		n := min(int64(len(buf)), size)
		if _, err = f.ReadAt(buf[:n], size-n); err != nil {
			break
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return size - n + int64(i) + 1, end, nil
		}
		size -= n
	}
	return size, end, err
}
