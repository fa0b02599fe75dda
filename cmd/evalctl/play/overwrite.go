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

// RefuseOverwrite refuses a file that would take the place of what is read.
func RefuseOverwrite(path string, inputs ...string) error {
	if slices.ContainsFunc(inputs, func(input string) bool { return isOf(input, path) }) {
		return errors.New("is what is read")
	}
	return nil
}

// isOf tells, whatever links lead there, one of the files of the run in a folder, also
// one that is not there yet; or a file itself, and with the results of a run its others.
func isOf(input, path string) bool {
	info, err := os.Stat(input)
	if err == nil && !info.IsDir() {
		return sameFile(input, path) || filepath.Base(input) == journal.ResultsFile && isOf(filepath.Dir(input), path)
	}
	return err == nil && slices.ContainsFunc(journal.Files(), func(name string) bool { return isSamePlace(filepath.Join(input, name), path) })
}

// isSamePlace tells whether two paths lead to one regular file, or would.
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

// checkWritable leaves no new file behind, and pipes and devices alone.
func checkWritable(path string) error {
	path, err := file.ResolveLinks(path) // what is made and removed is no link
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	f, failed := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if failed != nil {
		return failed
	}
	failed = f.Close()
	if errors.Is(err, fs.ErrNotExist) {
		failed = errors.Join(failed, os.Remove(path))
	}
	return failed
}
