package journal

import (
	"errors"
	"fmt"
	"os"
)

// LockFile locks a results file or a directory until the returned file is closed, so that no other
// process can lock it. It does not follow links. If another process has the lock, it returns an
// error immediately.
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
