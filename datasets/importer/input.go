package importer

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"evalctl/agent/file"
)

const chunk = 64 << 10 // number of bytes that are read ahead

// limitedReader limits the memory of parsers that read a whole field, because a field of a broken
// file may have no end. After each refill, it reads at most about maxField bytes.
type limitedReader struct {
	from io.Reader
	left int
}

func (m *limitedReader) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, errTooLong
	}
	n, err := m.from.Read(p[:min(len(p), m.left)])
	m.left -= n
	return n, err
}

func (m *limitedReader) refill() { m.left = maxField + chunk }

// input is an open file. It is read from the position after its byte order mark.
type input struct {
	*bufio.Reader
	*limitedReader
	file io.Closer
}

// openFile opens a regular file for reading. It rejects devices, because they may never end.
func openFile(path string) (*input, error) {
	f, err := file.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	in := newInput(f)
	if err := in.skipMark(); err != nil {
		return nil, fileError(path, errors.Join(err, f.Close()))
	}
	in.decode()
	return in, nil
}

func newInput(f io.ReadCloser) *input {
	m := &limitedReader{from: f}
	m.refill()
	return &input{Reader: bufio.NewReaderSize(m, chunk), limitedReader: m, file: f}
}

// decode converts a file in GBK to UTF-8.
func (in *input) decode() {
	sample, err := in.Peek(chunk)
	if end := bytes.LastIndexByte(sample, '\n'); err == nil && end >= 0 {
		sample = sample[:end] // not a part of a character
	}
	if decoder := file.DetectDecoder(sample); decoder != nil {
		in.Reader = bufio.NewReaderSize(decoder.Reader(in.Reader), chunk)
	}
}

// skipMark skips a UTF-8 byte order mark. It returns an error for a UTF-16 one.
func (in *input) skipMark() error {
	mark, err := in.Peek(3)
	switch {
	case bytes.HasPrefix(mark, []byte("\xff\xfe")) || bytes.HasPrefix(mark, []byte("\xfe\xff")):
		return errors.New("is UTF-16, not UTF-8")
	case bytes.Equal(mark, []byte("\ufeff")):
		_, err = in.Discard(3)
	case errors.Is(err, io.EOF):
		err = nil
	}
	return err
}

func (in *input) Read(p []byte) (int, error) { return in.Reader.Read(p) }

func (in *input) Close() error { return in.file.Close() }
