package importer

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"

	"evalctl/agent/file"
)

const chunk = 64 << 10 // bytes that are read ahead

// limitedReader reads at most a little more than maxField bytes between two refills. The parsers
// above it hold a whole field in memory, and a field may have no end.
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

// input is an open file without its byte order mark.
type input struct {
	*bufio.Reader
	*limitedReader
	file *os.File
}

// openFile opens a regular file. Devices are rejected, because they may never end.
func openFile(path string) (*input, error) {
	f, err := file.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	in := newInput(f)
	if err := in.skipMark(); err != nil {
		return nil, fileError(path, errors.Join(err, f.Close()))
	}
	return in, nil
}

func newInput(f *os.File) *input {
	m := &limitedReader{from: f}
	m.refill()
	return &input{Reader: bufio.NewReaderSize(m, chunk), limitedReader: m, file: f}
}

// skipMark skips the byte order mark, and rejects that of UTF-16.
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
