package importer

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	v2 "github.com/go-json-experiment/json"
)

// eachLine hands on the lines of a file, each valid until the next, with their
// numbers from 1; of a line that is too long there is nothing but that.
func eachLine(path string, do func(n int, line []byte, long bool) error) error {
	in, err := openFile(path)
	if err != nil {
		return err
	}
	defer in.Close()
	var buf []byte
	for n := 1; ; n++ {
		line, long, err := nextLine(in, buf[:0])
		buf = line
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return fileError(path, err)
		}
		if err := do(n, line, long); err != nil || ended {
			return err
		}
	}
}

// nextLine appends a line to buf; of one that is too long it keeps nothing.
func nextLine(in *input, buf []byte) (line []byte, long bool, err error) {
	for {
		in.refill()
		part, err := in.ReadSlice('\n')
		if len(buf)+len(part) > maxField {
			long, buf = true, buf[:0]
		}
		if !long {
			buf = append(buf, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return buf, long, err
		}
	}
}

// eachObject hands on the objects of a JSON Lines file. Blank lines are passed
// over, and so are fields that are not in T: publishers add what they like. A
// line that is too long is rejected.
func eachObject[T any](j *job, path string, do func(at Position, object T) error) error {
	return eachLine(path, func(n int, line []byte, long bool) error {
		at := Position{File: path, Line: n}
		line = bytes.TrimSpace(line)
		var object T
		switch {
		case long:
			return j.reject(at, errTooLong.Error())
		case len(line) == 0:
			return j.ctx.Err()
		}
		if err := v2.Unmarshal(line, &object); err != nil {
			return j.reject(at, explain(err))
		}
		if line[0] != '{' {
			return j.reject(at, "is not a JSON object")
		}
		return do(at, object)
	})
}
