// Package file reads and writes files that a user names. It rejects devices and pipes, which may
// never end, and files that are too large.
package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Open opens a regular file for reading. For a directory, pipe or device it returns an error that
// names the kind.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		err = UnwrapPathError(err)
	case info.IsDir():
		err = errors.New("is a directory, not a file")
	case !info.Mode().IsRegular():
		err = errors.New("is a pipe or a device, not a file")
	default:
		return os.Open(path)
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: err}
}

// Read reads a regular file. A file that is larger than the limit in bytes is an error.
func Read(path string, maxBytes int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > maxBytes {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("has more than %d bytes", maxBytes)}
	}
	return b, nil
}

// UnwrapPathError returns err without the operation and the path of an fs.PathError. It is for
// messages that contain the path already.
func UnwrapPathError(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
