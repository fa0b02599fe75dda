package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// WriteAtomic writes a regular file as a whole or not at all, through links, with the
// permissions that it has. What is none, such as a pipe, is written to as it is; so
// is a file in a folder that nothing new can be put into.
func WriteAtomic(path string, text []byte) error {
	path, err := ResolveLinks(path)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular(), isOfProcess(path):
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

// ReplaceAtomic writes a file as a whole or not at all, in the place of what is there, be that a
// link.
func ReplaceAtomic(path string, text []byte, mode fs.FileMode) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp") // never over another's file
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

// maxLinks is how many links are followed, as Linux does.
const maxLinks = 40

// ResolveLinks is where a path leads that is a link, also to what is not there yet.
func ResolveLinks(path string) (string, error) {
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil || isOfProcess(path) { // is no link, or one that leads to what is open
			return path, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Dir(path) + string(filepath.Separator) + to // uncleaned: what is before ".." may be a link
		}
		path = to
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
}

// isOfProcess tells a file that a process has open, such as /dev/stdout: another in
// its place would not be it.
func isOfProcess(path string) bool {
	return strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/dev/fd/")
}
