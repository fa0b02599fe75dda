package play

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"evalctl/agent/file"
	"evalctl/eval/journal"
)

// RefuseOverwrite returns an error if writing to path would overwrite one of the inputs. inputs are
// run directories and files.
func RefuseOverwrite(path string, inputs ...string) error {
	if slices.ContainsFunc(inputs, func(input string) bool { return overwrites(input, path) }) {
		return errors.New("is read by this command; choose another file")
	}
	return nil
}

// overwrites reports whether writing to path would overwrite the input: the file itself, or a file
// of the run if input is a run directory or its results file. It resolves symbolic links. path need
// not exist.
func overwrites(input, path string) bool {
	info, err := os.Stat(input)
	if err == nil && !info.IsDir() {
		return sameFile(input, path) || filepath.Base(input) == journal.ResultsFile &&
			overwrites(filepath.Dir(input), path)
	}
	return err == nil && slices.ContainsFunc(journal.FileNames(),
		func(name string) bool { return isSamePlace(filepath.Join(input, name), path) })
}

// isSamePlace reports whether two paths refer to the same regular file, existing or not.
func isSamePlace(a, b string) bool {
	a, err := file.ResolveLinks(a)
	if err != nil {
		return false
	}
	if b, err = file.ResolveLinks(b); err != nil {
		return false
	}
	if info, err := os.Stat(a); err == nil {
		return info.Mode().IsRegular() && sameFile(a, b)
	}
	return filepath.Base(a) == filepath.Base(b) && sameFile(filepath.Dir(a), filepath.Dir(b))
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// checkWritable returns an error if the file cannot be written. It removes the file again if it has
// created it. It does not open pipes and devices.
func checkWritable(path string) error {
	path, err := file.ResolveLinks(path) // the test must not create or remove a file through a link
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	f, openErr := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if openErr != nil {
		return openErr
	}
	openErr = f.Close()
	if errors.Is(err, fs.ErrNotExist) {
		openErr = errors.Join(openErr, os.Remove(path))
	}
	return openErr
}
