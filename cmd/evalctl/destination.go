package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"evalctl/cmd/evalctl/exit"
)

// destination is where cases go: a temporary file beside FILE, that takes its
// place when whole, or stdout, which in strict mode gets them all at the end.
type destination struct {
	*bufio.Writer
	file   *os.File // nil: straight to stdout
	path   string   // "": file is copied to stdout
	force  bool     // replace what is at path
	stdout io.Writer
	err    error // the first of writing
}

func (f *importFlags) destination(source string, stdout io.Writer) (*destination, error) {
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
	if err := f.checkOut(source); err != nil {
		return nil, flagError("out", err)
	}
	path := f.out
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		path = linked // the link stays
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
	return &destination{Writer: bufio.NewWriterSize(file, 64<<10), file: file, path: path, force: f.force}, nil
}

// checkOut refuses a FILE that is there, and one that is no file.
func (f *importFlags) checkOut(source string) error {
	info, err := os.Stat(f.out)
	if err != nil {
		return nil // to be made; what stands against it is found then
	}
	from, err := os.Stat(source)
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", f.out)
	case err == nil && os.SameFile(info, from):
		return fmt.Errorf("%s is what is read", f.out)
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

// keep puts what was written in its place.
func (d *destination) keep() error {
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
		err = d.place()
	}
	if err != nil {
		err = errors.Join(err, os.Remove(d.file.Name()))
	}
	return err
}

// place gives the closed file its name. A rename would replace what has come to
// be there since checkOut looked; a link does not.
func (d *destination) place() error {
	if d.force {
		return os.Rename(d.file.Name(), d.path)
	}
	if err := os.Link(d.file.Name(), d.path); err != nil {
		return err
	}
	return os.Remove(d.file.Name())
}

// discard leaves nothing behind.
func (d *destination) discard() error {
	if d.file == nil {
		return nil
	}
	return errors.Join(d.file.Close(), os.Remove(d.file.Name()))
}
