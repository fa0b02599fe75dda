package importer

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	v2 "github.com/go-json-experiment/json"
)

// eachLine calls do for each line of a file, with its number from 1. The line is valid until the
// next call of do. If long is true, the line was too long and is empty.
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

// nextLine appends the next line to buf. If the line is too long, it appends nothing and sets long.
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

// eachObject decodes each line of a JSON Lines file and calls do for it. It ignores fields that T
// does not have, because publishers add fields. It rejects invalid lines and skips blank ones.
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
