package importer

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	v2 "github.com/go-json-experiment/json"
)

// eachLine hands on the lines of a JSON Lines file that are not blank, each
// valid until the next. A line that is too long is rejected, and read over.
func (j *job) eachLine(path string, do func(at Place, line []byte) error) error {
	in, err := openFile(path)
	if err != nil {
		return err
	}
	defer in.Close()
	at := Place{File: path}
	var buf []byte
	for {
		line, long, err := nextLine(in, buf[:0])
		buf = line
		at.Line++
		done := errors.Is(err, io.EOF)
		if err != nil && !done {
			return fileError(path, err)
		}
		line = bytes.TrimSpace(line)
		switch {
		case long:
			err = j.reject(at, errTooLong.Error())
		case len(line) > 0:
			err = do(at, line)
		default:
			err = j.ctx.Err()
		}
		if done && (err == nil || errors.Is(err, io.EOF)) {
			return nil
		}
		if err != nil {
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

// eachObject hands on the objects of a JSON Lines file. Fields that are not in
// T are passed over: publishers add what they like.
func eachObject[T any](j *job, path string, do func(at Place, object T) error) error {
	return j.eachLine(path, func(at Place, line []byte) error {
		var object T
		if err := v2.Unmarshal(line, &object); err != nil {
			return j.reject(at, explain(err))
		}
		if line[0] != '{' {
			return j.reject(at, "is not a JSON object")
		}
		return do(at, object)
	})
}
