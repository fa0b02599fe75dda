package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"
)

// maxLine bounds a case: base64 pictures make long lines, mistakes longer ones.
const maxLine = 16 << 20

// line is one line of a file and where it stands.
type line struct {
	text []byte
	pos  string
}

// lines reads line after line; blank ones are passed over. What is too long or
// no UTF-8 is an error in its place, and reading goes on behind it.
func lines(r io.Reader, file string) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		br := bufio.NewReaderSize(r, 64<<10)
		for n := 1; ; n++ {
			text, tooLong, err := readLine(br)
			if n == 1 {
				text = bytes.TrimPrefix(text, []byte("\ufeff"))
			}
			l := line{text: bytes.TrimSpace(text), pos: fmt.Sprintf("%s:%d", file, n)}
			switch {
			case err != nil && !errors.Is(err, io.EOF):
				yield(l, fmt.Errorf("%s: %w", l.pos, err))
				return
			case tooLong:
				if !yield(l, fmt.Errorf("%s: line is longer than %d MiB", l.pos, maxLine>>20)) {
					return
				}
			case !utf8.Valid(l.text):
				if !yield(l, fmt.Errorf("%s: line is not valid UTF-8", l.pos)) {
					return
				}
			case len(l.text) > 0:
				if !yield(l, nil) {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
}

// readLine reads up to and with the newline, keeping at most maxLine bytes.
func readLine(r *bufio.Reader) (text []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(text)+len(part) > maxLine; tooLong {
			text = nil
		} else {
			text = append(text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, tooLong, err
		}
	}
}
