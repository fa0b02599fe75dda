package play

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"evalctl/agent/file"
	"evalctl/eval/journal"
)

// CheckOutputs finds a file that cannot be written, that two outputs share, or that is
// read: inputs are folders of runs, and files. The outputs that it returns look again
// when they are written.
func CheckOutputs(outputs []Output, inputs ...string) ([]Output, error) {
	outputs = slices.Clone(outputs)
	for i := range outputs {
		o := &outputs[i]
		if o.path == "" {
			continue
		}
		o.spares = inputs
		err := o.checkSpared()
		if err == nil && slices.ContainsFunc(outputs[:i], func(before Output) bool { return before.path != "" && isSamePlace(before.path, o.path) }) {
			err = errors.New("another report is written there")
		}
		if err == nil {
			err = checkWritable(o.path)
		}
		if err != nil {
			return nil, fmt.Errorf("--format %s=%s: %w", o.format, o.path, err)
		}
	}
	return outputs, nil
}

// checkOutputs finds what cannot be written before hours are spent. Any other file that
// is there is replaced, and a link followed: that path was asked for. Who wants no report
// wants no summary of the job, either.
func (p *Plan) checkOutputs(dir string, outputs []Output) ([]Output, error) {
	outputs, err := CheckOutputs(outputs, append(p.inputs(), dir)...)
	if err != nil {
		return nil, err
	}
	if path := stepSummary(); path != "" && len(outputs) > 0 {
		if err := checkWritable(path); err != nil {
			return nil, fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
		}
	}
	return outputs, nil
}

// inputs are what the run reads: the files of its suites, and earlier runs.
func (p *Plan) inputs() (list []string) {
	for _, one := range p.suites {
		list = append(list, one.suite.Files()...)
		list = append(list, one.suite.FailedIn)
	}
	return slices.DeleteFunc(append(list, p.judge.baseline), func(path string) bool { return path == "" })
}

func (o Output) checkSpared() error { return Spared(o.path, o.spares...) }

// Spared refuses a file that would take the place of what is read.
func Spared(path string, inputs ...string) error {
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
	a, err := file.Followed(a)
	if err != nil {
		return false
	}
	if b, err = file.Followed(b); err != nil {
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
	path, err := file.Followed(path) // what is made and removed is no link
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
