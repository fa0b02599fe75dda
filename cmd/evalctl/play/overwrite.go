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

// RefuseOverwrite returns an error if writing to path would replace one of the inputs.
func RefuseOverwrite(path string, inputs ...string) error {
	if slices.ContainsFunc(inputs, func(input string) bool { return overwrites(input, path) }) {
		return errors.New("is what is read")
	}
	return nil
}

// overwrites reports whether writing to path would replace input: the file itself, or any file of
// the run if input is a run directory or its results file. Links are resolved, and path need not
// exist.
func overwrites(input, path string) bool {
	info, err := os.Stat(input)
	if err == nil && !info.IsDir() {
		return sameFile(input, path) || filepath.Base(input) == journal.ResultsFile &&
			overwrites(filepath.Dir(input), path)
	}
	return err == nil && slices.ContainsFunc(journal.Files(),
		func(name string) bool { return isSamePlace(filepath.Join(input, name), path) })
}

// isSamePlace reports whether two paths lead to the same regular file. Neither file needs to exist.
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

// checkWritable returns an error if the file cannot be written. It leaves no new file behind. It
// does not open pipes and devices.
func checkWritable(path string) error {
	path, err := file.ResolveLinks(path) // so that the test file is not created or removed through a link
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
