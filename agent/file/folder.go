package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// File is a file to write, with its path relative to a directory.
type File struct {
	Path string // relative to the directory
	Text []byte
}

// ReadOptional reads a regular file at a path relative to dir. It returns nil if the file does not
// exist. Symbolic links, other kinds of files, and files larger than the limit in bytes are errors.
func ReadOptional(dir, path string, maxBytes int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := statBelow(root, path); err != nil || info == nil {
		return nil, err
	}
	f, err := root.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && int64(len(text)) > maxBytes {
		err = refused(root, path, fmt.Sprintf("has more than %d bytes", maxBytes))
	}
	return append([]byte{}, text...), err
}

// statBelow returns the file info of a path below root without following links; nil: it does not
// exist.
func statBelow(root *os.Root, path string) (fs.FileInfo, error) {
	for _, folder := range foldersOf(path) {
		switch info, err := root.Lstat(folder); {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, err
		case !info.IsDir():
			return nil, refused(root, folder, "is not a folder, or a link to one")
		}
	}
	info, err := root.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, refused(root, path, "is not a regular file")
	}
	return info, nil
}

func refused(root *os.Root, path, why string) error {
	return &fs.PathError{Op: "open", Path: filepath.Join(root.Name(), path), Err: errors.New(why)}
}

// foldersOf returns the parent directories of a path, the outermost first.
func foldersOf(path string) (list []string) {
	for d := filepath.Dir(path); d != "."; d = filepath.Dir(d) {
		list = append([]string{d}, list...)
	}
	return list
}

// WriteAll writes all files below dir, or none: after a failure it removes what it has written, as
// far as possible. It creates dir if necessary and follows no symbolic links below it.
func WriteAll(dir string, files []File) error {
	var created []string // directories that do not exist yet, the innermost first
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		created = append(created, d)
	}
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = writeBelow(dir, files)
	}
	if err == nil {
		return nil
	}
	for _, d := range created {
		err = errors.Join(err, ignoreNotExist(os.Remove(d)))
	}
	return err
}

// ignoreNotExist returns nil for the error that a file does not exist, and err otherwise.
func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func writeBelow(dir string, files []File) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, t := range files { // all checks precede the first write
		if _, err := statBelow(root, t.Path); err != nil {
			return err
		}
	}
	s := pendingFiles{root: root}
	for _, t := range files {
		if err := s.add(t); err != nil {
			return errors.Join(err, s.undo())
		}
	}
	for i, t := range files {
		if err := root.Rename(s.files[i], t.Path); err != nil {
			return errors.Join(err, s.undo())
		}
	}
	return nil
}

// pendingFiles are temporary files next to their final paths, before they are renamed.
type pendingFiles struct {
	root    *os.Root
	files   []string
	folders []string // directories created for the files
}

func (s *pendingFiles) add(t File) error {
	for _, folder := range foldersOf(t.Path) {
		switch err := s.root.Mkdir(folder, 0o755); {
		case err == nil:
			s.folders = append(s.folders, folder)
		case !errors.Is(err, fs.ErrExist):
			return err
		}
	}
	info, err := statBelow(s.root, t.Path)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info != nil {
		mode = info.Mode().Perm()
	}
	name := fmt.Sprintf("%s.%d.tmp", t.Path, os.Getpid())
	f, err := s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	s.files = append(s.files, name)
	_, err = f.Write(t.Text)
	return errors.Join(err, f.Sync(), f.Close())
}

// undo removes the temporary files, and the created directories that are then empty.
func (s *pendingFiles) undo() (err error) {
	for _, name := range s.files {
		err = errors.Join(err, ignoreNotExist(s.root.Remove(name)))
	}
	for _, folder := range slices.Backward(s.folders) {
		_ = s.root.Remove(folder) // fails for a directory with a file that was already renamed
	}
	return err
}
