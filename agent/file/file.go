// Package file reads what a user names, within bounds: a device or a pipe has
// no end, and nobody waits for it.
package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Read reads a regular file of at most so many bytes. Its errors are those of
// opening it, or say what is wrong with it.
func Read(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, opening(err)
	case info.IsDir():
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is a directory")}
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is a pipe or a device, not a file")}
	}
	f, err := os.Open(path)
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

// opening tells of a file that cannot be looked at as if it had been opened.
func opening(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return &fs.PathError{Op: "open", Path: p.Path, Err: p.Err}
	}
	return err
}
