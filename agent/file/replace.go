package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// WriteAtomic replaces the content of a file atomically, through symbolic links, with the same
// permissions. Files that cannot be replaced, such as pipes or in read-only directories, are
// overwritten.
func WriteAtomic(path string, text []byte) error {
	path, err := ResolveLinks(path)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular(), isOpenFile(path):
		return os.WriteFile(path, text, mode)
	case err == nil:
		mode = info.Mode().Perm()
	}
	err = ReplaceAtomic(path, text, mode)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EBUSY) {
		return os.WriteFile(path, text, mode)
	}
	return err
}

// ReplaceAtomic writes a new file atomically in place of an existing file or symbolic link.
func ReplaceAtomic(path string, text []byte, mode fs.FileMode) error {
	// a new name, so no other file is overwritten
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = tmp.Write(text)
	if err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

// maxLinks limits the symbolic links to follow, as in Linux.
const maxLinks = 40

// ResolveLinks returns the path to which a chain of symbolic links leads. That file need not exist.
func ResolveLinks(path string) (string, error) {
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil || isOpenFile(path) { // not a link, or a link to an open file
			return path, nil
		}
		if !filepath.IsAbs(to) {
			// not cleaned: the part before ".." may be a link
			to = filepath.Dir(path) + string(filepath.Separator) + to
		}
		path = to
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
}

// isOpenFile reports whether the path is an open file of a process, such as /dev/stdout, which
// cannot be replaced.
func isOpenFile(path string) bool {
	return strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/dev/fd/")
}
