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

// File is a file to write, with its path below a directory.
type File struct {
	Path string
	Text []byte
}

// ReadOptional reads the regular file at a path below dir, of at most this size in bytes; nil: it
// does not exist. Links and other kinds of files are rejected.
func ReadOptional(dir, path string, most int64) ([]byte, error) {
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
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = refused(root, path, fmt.Sprintf("has more than %d bytes", most))
	}
	return append([]byte{}, text...), err
}

// statBelow returns the file info of a path; nil: it does not exist.
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

// foldersOf returns the directories of a path, the outermost first.
func foldersOf(path string) (list []string) {
	for d := filepath.Dir(path); d != "."; d = filepath.Dir(d) {
		list = append([]string{d}, list...)
	}
	return list
}

// WriteAll writes files below dir, which is created if necessary. If it fails, it removes what it
// has written as far as possible. It follows no link below dir.
func WriteAll(dir string, texts []File) error {
	var made []string // the innermost first
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		made = append(made, d)
	}
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = writeBelow(dir, texts)
	}
	if err == nil {
		return nil
	}
	for _, d := range made {
		err = errors.Join(err, ignoreNotExist(os.Remove(d)))
	}
	return err
}

// ignoreNotExist ignores that a file does not exist.
func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func writeBelow(dir string, texts []File) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, t := range texts { // all checks precede the first write
		if _, err := statBelow(root, t.Path); err != nil {
			return err
		}
	}
	s := pendingFiles{root: root}
	for _, t := range texts {
		if err := s.add(t); err != nil {
			return errors.Join(err, s.undo())
		}
	}
	for i, t := range texts {
		if err := root.Rename(s.files[i], t.Path); err != nil {
			return errors.Join(err, s.undo())
		}
	}
	return nil
}

// pendingFiles holds temporary files next to their final paths.
type pendingFiles struct {
	root    *os.Root
	files   []string
	folders []string // created directories
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

// undo removes the temporary files and the directories that are then empty.
func (s *pendingFiles) undo() (err error) {
	for _, name := range s.files {
		err = errors.Join(err, ignoreNotExist(s.root.Remove(name)))
	}
	for _, folder := range slices.Backward(s.folders) {
		_ = s.root.Remove(folder) // fails for a directory with a file that was already renamed
	}
	return err
}
