// Package file reads files named by a user, with limits: devices and pipes, which may have no end,
// are rejected.
package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Open opens a regular file. Its errors are those of os.Open, or name the kind of the path.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		err = StripPath(err)
	case info.IsDir():
		err = errors.New("is a directory, not a file")
	case !info.Mode().IsRegular():
		err = errors.New("is a pipe or a device, not a file")
	default:
		return os.Open(path)
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: err}
}

// Read reads a regular file of at most this size, in bytes.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > most {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("has more than %d bytes", most)}
	}
	return b, nil
}

// StripPath returns err without the operation and the path, for messages that contain them already.
func StripPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
