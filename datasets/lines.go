package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxLine is the maximum length of a line, in bytes. Lines with Base64 images are long.
const maxLine = 16 << 20

// errTooLong and errNotUTF8 are errors in a single line. Reading can continue after them.
var (
	errTooLong = fmt.Errorf("line is longer than %d MiB", maxLine>>20)
	errNotUTF8 = errors.New("line is not valid UTF-8")
)

// lineReader reads a file line by line and skips blank lines.
type lineReader struct {
	from   *bufio.Reader
	buf    []byte
	number int // number of the line that was read last, from 1
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{from: bufio.NewReaderSize(r, 64<<10)}
}

// next returns the next line, which is valid until the next call. bad is an error in that line,
// after which reading can continue. err is an error that ends reading; at the end of the file it is
// io.EOF.
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

// read reads the next line into the buffer. A line that is too long is skipped and returned as the
// error bad.
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
