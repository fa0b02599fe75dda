package journal

import (
	"errors"
	"fmt"
	"os"
)

// LockFile keeps other processes from writing to a run's file of results, or from holding
// the same folder, until what it returns is closed. It follows no link, and fails at
// once where another process holds it.
func LockFile(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is neither a file nor a folder", path)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
