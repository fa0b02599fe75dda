package journal

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
)

// logFile is an append-only file of a run, with the size and the checksum that its content should
// have. Until the run ends, no other program may write to it or move it.
type logFile struct {
	*os.File
	size int64  // size in bytes
	rows int64  // number of complete lines
	sum  uint32 // CRC-32C of the whole content
}

func (f *logFile) append(lines []byte) error {
	n, err := f.Write(lines)
	f.count(lines[:n])
	return err
}

func (f *logFile) count(b []byte) {
	f.size += int64(len(b))
	f.rows += int64(bytes.Count(b, []byte("\n")))
	f.sum = crc32.Update(f.sum, castagnoli, b)
}

// measure reads the file and takes its present content as the expected one.
func (f *logFile) measure() error {
	now, err := contentOf(f.File)
	if err == nil {
		f.size = now.size
		f.rows = now.rows
		f.sum = now.sum
	}
	return err
}

// contentOf returns the size, the number of lines and the checksum of an open file.
func contentOf(f *os.File) (now logFile, err error) {
	part := make([]byte, 256<<10)
	for {
		n, err := f.ReadAt(part, now.size)
		now.count(part[:n])
		if errors.Is(err, io.EOF) {
			return now, nil
		}
		if err != nil {
			return now, err
		}
	}
}

// ErrChanged is returned if another program changed a file of a run that is in progress.
var ErrChanged = errors.New("another program changed the files of this run while it was running")

// check returns an error if the file at the path is not the open file, or has an unexpected size.
func (f *logFile) check() error {
	held, err := f.Stat()
	if err != nil {
		return err
	}
	named, err := os.Lstat(f.Name())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: the file was removed or moved, with its %d rows: %w", f.Name(), f.rows, ErrChanged)
	case err != nil:
		return err
	case !os.SameFile(held, named):
		return fmt.Errorf("%s: the file was replaced by another, and its %d rows are gone: %w", f.Name(),
			f.rows, ErrChanged)
	case held.Size() != f.size:
		return fmt.Errorf("%s: the file has %d bytes, and the run wrote %d (%d rows): %w", f.Name(), held.Size(),
			f.size, f.rows, ErrChanged)
	}
	return nil
}

// verify returns an error if the content of the file is not exactly what was written.
func (f *logFile) verify() error {
	if err := f.check(); err != nil {
		return err
	}
	now, err := contentOf(f.File)
	switch {
	case err != nil:
		return err
	case now.rows != f.rows:
		return fmt.Errorf("%s: the file has %d rows, and the run wrote %d: %w", f.Name(), now.rows, f.rows, ErrChanged)
	case now.size != f.size || now.sum != f.sum:
		return fmt.Errorf("%s: the file has other content than the run wrote: %w", f.Name(), ErrChanged)
	}
	return nil
}
