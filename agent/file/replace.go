package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// WriteAtomic writes a regular file atomically through links and keeps its permissions. Other
// files, such as pipes, are written directly, and so are files in directories without write
// permission.
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

// ReplaceAtomic writes a file atomically in place of an existing file or link.
func ReplaceAtomic(path string, text []byte, mode fs.FileMode) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp") // never overwrites another file
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

// maxLinks is the number of links to follow, as in Linux.
const maxLinks = 40

// ResolveLinks returns the target of a link, which may not exist yet.
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
