package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxLine limits a case, in bytes. Base64 images make long lines.
const maxLine = 16 << 20

// Errors of lines that are not JSON.
var (
	errTooLong = fmt.Errorf("line is longer than %d MiB", maxLine>>20)
	errNotUTF8 = errors.New("line is not valid UTF-8")
)

// lineReader reads the lines of a file and skips blank ones.
type lineReader struct {
	from   *bufio.Reader
	buf    []byte
	number int // number of the last line, from 1
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{from: bufio.NewReaderSize(r, 64<<10)}
}

// next returns a line, valid until the following call, or the problem of an invalid line, after
// which reading can continue. err ends the file; io.EOF is its regular end.
func (r *lineReader) next() (line []byte, bad, err error) {
	for {
		bad, err = r.read()
		r.number++
		line = r.buf
		if r.number == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		line = bytes.Trim(line, " \t\r\n")
		switch {
		case err != nil && (!errors.Is(err, io.EOF) || bad == nil && len(line) == 0):
			return nil, nil, err
		case bad != nil:
			return nil, bad, nil
		case !utf8.Valid(line):
			return nil, errNotUTF8, nil
		case len(line) > 0:
			return line, nil, nil
		}
	}
}

// read fills the buffer up to the newline, inclusive. It discards the rest of a line that is too
// long.
func (r *lineReader) read() (bad, err error) {
	r.buf = r.buf[:0]
	for {
		part, err := r.from.ReadSlice('\n')
		if len(r.buf)+len(part) > maxLine {
			bad, r.buf = errTooLong, nil
		}
		if bad == nil {
			r.buf = append(r.buf, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bad, err
		}
	}
}
