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

	"evalctl/eval"
)

// Results reads the results in dir in the order in which they were written. A
// torn last line is passed over; anything else that is no result is an error
// with file and line.
func Results(dir string) iter.Seq2[eval.Result, error] {
	return lines[eval.Result](filepath.Join(dir, ResultsFile))
}

// Traces reads the traces in dir likewise. A trial that was interrupted
// between its trace and its result has a second trace later on: the last counts.
func Traces(dir string) iter.Seq2[Trace, error] {
	return lines[Trace](filepath.Join(dir, TracesFile))
}

// Keys are the trials that have a result in dir.
func Keys(dir string) (map[string]struct{}, error) {
	keys := map[string]struct{}{}
	for r, err := range lines[struct {
		Key string `json:"key"`
	}](filepath.Join(dir, ResultsFile)) {
		if err != nil {
			return nil, err
		}
		keys[r.Key] = struct{}{}
	}
	return keys, nil
}

func lines[T any](path string) iter.Seq2[T, error] {
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
			var v T
			if err == nil {
				err = json.Unmarshal(line, &v)
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
	size, err := lastNewline(f)
	if err == nil {
		err = f.Truncate(size)
	}
	return errors.Join(err, f.Close())
}

// lastNewline finds, from the end, the length up to and with the last newline.
func lastNewline(f *os.File) (int64, error) {
	end, err := f.Seek(0, io.SeekEnd)
	buf := make([]byte, 64<<10)
	for err == nil && end > 0 {
		n := min(int64(len(buf)), end)
		if _, err = f.ReadAt(buf[:n], end-n); err != nil {
			break
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
	}
	return end, err
}
