package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"evalctl/cmd/evalctl/exit"
)

// destination is the output of dataset import: a file or stdout. A file is written under a
// temporary name in the same directory and renamed at the end. With --strict, stdout also receives
// its output only at the end.
type destination struct {
	*bufio.Writer
	file   *os.File // temporary file; nil: write directly to stdout
	path   string   // empty: the file is copied to stdout
	force  bool     // replace an existing file
	stdout io.Writer
	err    error // first write error
}

func (f *importFlags) destination(sources []string, stdout io.Writer) (*destination, error) {
	switch {
	case f.out == "":
		return nil, errors.New("dataset import: requires -o FILE")
	case f.out == "-" && !f.strict:
		return &destination{Writer: bufio.NewWriterSize(stdout, 64<<10), stdout: stdout}, nil
	case f.out == "-":
		file, err := os.CreateTemp("", "evalctl-import-*")
		if err != nil {
			return nil, exit.InternalError(err)
		}
		return &destination{Writer: bufio.NewWriterSize(file, 64<<10), file: file, stdout: stdout}, nil
	}
	if err := f.checkOut(sources); err != nil {
		return nil, flagError("out", err)
	}
	path := f.out
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		path = linked // the output replaces the target of the link, not the link
	}
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.tmp", filepath.Base(path), os.Getpid()))
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	var at *fs.PathError
	switch {
	case errors.As(err, &at):
		return nil, flagError("out", fmt.Errorf("%s: %w", f.out, at.Err))
	case err != nil:
		return nil, flagError("out", err)
	}
	return &destination{
		Writer: bufio.NewWriterSize(file, 64<<10),
		file:   file,
		path:   path,
		force:  f.force,
	}, nil
}

// checkOut returns an error if the output would replace an existing file without --force, a file
// that is not regular, or a source of the import.
func (f *importFlags) checkOut(sources []string) error {
	info, err := os.Stat(f.out)
	if err != nil {
		return nil // the file does not exist; other errors appear when it is created
	}
	isSource := slices.ContainsFunc(sources, func(source string) bool {
		from, err := os.Stat(source)
		return err == nil && os.SameFile(info, from)
	})
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", f.out)
	case isSource:
		return fmt.Errorf("%s is read by this command; choose another file", f.out)
	case !f.force:
		return fmt.Errorf("%s is there already: give another name, or --force", f.out)
	}
	return nil
}

func (d *destination) Write(line []byte) (int, error) {
	n, err := d.Writer.Write(line)
	if d.err == nil {
		d.err = err
	}
	return n, err
}

// commit completes the output: it moves the temporary file to its path, or copies it to stdout.
func (d *destination) commit() error {
	err := d.Flush()
	switch {
	case d.file == nil:
		return err
	case err == nil && d.path == "":
		if _, err = d.file.Seek(0, io.SeekStart); err == nil {
			_, err = io.Copy(d.stdout, d.file)
		}
		return errors.Join(err, d.discard())
	case err == nil:
		err = d.file.Sync()
	}
	if err = errors.Join(err, d.file.Close()); err == nil {
		err = d.moveIntoPlace()
	}
	if err != nil {
		err = errors.Join(err, os.Remove(d.file.Name()))
	}
	return err
}

// moveIntoPlace moves the closed file to its path. Without --force it uses a hard link, because a
// rename could replace a file that was created after checkOut.
func (d *destination) moveIntoPlace() error {
	if d.force {
		return os.Rename(d.file.Name(), d.path)
	}
	if err := os.Link(d.file.Name(), d.path); err != nil {
		return err
	}
	return os.Remove(d.file.Name())
}

func (d *destination) discard() error {
	if d.file == nil {
		return nil
	}
	return errors.Join(d.file.Close(), os.Remove(d.file.Name()))
}
