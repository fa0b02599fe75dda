package importer

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	v2 "github.com/go-json-experiment/json"
)

// eachLine calls do for each line of a file, valid until the next call, with numbers from 1. long
// means that the line is too long; it is then empty.
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

// nextLine appends a line to buf, or nothing if it is too long.
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

// eachObject calls do for the objects of a JSON Lines file. It ignores blank lines and fields that
// are not in T, because publishers add fields. A line that is too long is rejected.
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
