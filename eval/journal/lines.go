package journal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"evalctl/agent/clock"
	"evalctl/agent/file"
)

// lines yields the decoded lines of a file, in order. wanted selects the lines to decode. The next
// lines are decoded while the caller processes the current ones.
func lines[T any](path string, wanted func(line []byte) bool, decode func(line []byte) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		f, err := file.Open(path)
		if err != nil {
			yield(zero, err)
			return
		}
		defer f.Close()
		r := &lineReader[T]{
			path:   path,
			in:     bufio.NewReaderSize(f, 64<<10),
			wanted: wanted,
			decode: decode,
			run:    formOf(filepath.Dir(path)).mark(),
		}
		next := r.batch()
		for {
			now := next
			ahead, _ := clock.NewGroup(context.Background(), 0)
			if now.err == nil {
				ahead.Go("read ahead", func(context.Context) error { next = r.batch(); return nil })
			}
			taken := now.each(yield)
			if err := ahead.Wait(); err != nil {
				now.err = err
			}
			switch {
			case !taken || errors.Is(now.err, io.EOF):
				return
			case now.err != nil:
				yield(zero, now.err)
				return
			}
		}
	}
}

func every([]byte) bool { return true }

// batch contains some decoded lines. err is the error that follows these lines; io.EOF at the end
// of the file.
type batch[T any] struct {
	values []T
	err    error
}

// each yields all values and reports whether the consumer accepted them all.
func (b batch[T]) each(yield func(T, error) bool) bool {
	for _, v := range b.values {
		if !yield(v, nil) {
			return false
		}
	}
	return true
}

type lineReader[T any] struct {
	path   string
	in     *bufio.Reader
	wanted func(line []byte) bool
	decode func(line []byte) (T, error)
	line   []byte
	n      int // number of lines that were read

	run  mark // mark of the run according to its manifest; "": there is no manifest
	seen mark // mark of the lines that were read so far
}

// Limits of a batch: the number of lines, and their size in bytes without the last line.
const (
	batchLines = 256
	batchBytes = 1 << 20
)

func (r *lineReader[T]) batch() (b batch[T]) {
	for size := 0; len(b.values) < batchLines && size < batchBytes; size += len(r.line) {
		if r.line, b.err = readLine(r.in, r.line[:0]); errors.Is(b.err, io.EOF) {
			return b // a crash left this line without its newline, so it does not count
		}
		r.n++
		var v T
		if b.err == nil {
			if !r.wanted(r.line) {
				continue
			}
			v, b.err = r.checked()
		}
		if b.err != nil {
			b.err = fmt.Errorf("%s:%d: %w", r.path, r.n, b.err)
			return b
		}
		b.values = append(b.values, v)
	}
	return b
}

// checked verifies the mark and the checksum of the current line and decodes the line.
func (r *lineReader[T]) checked() (v T, err error) {
	object, of, err := r.run.checkLine(r.line)
	if err != nil {
		return v, err
	}
	if of != "" {
		if r.seen != "" && r.seen != of {
			return v, errOther
		}
		r.seen = of
	}
	return r.decode(object)
}

// maxLine is the maximum length of a line in bytes. A line contains all turns of a trial with their
// images. The limit protects against files without a newline.
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
