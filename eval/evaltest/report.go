package evaltest

import (
	"fmt"

	"evalctl/eval"
	"evalctl/eval/runs"
)

// Report is a completed run. Its files are in Dir, for evalctl report and evalctl show.
type Report struct {
	Dir     string
	Summary eval.Summary

	run *runs.Run
}

// Open opens the directory of a run of evalctl or of a test.
func Open(dir string) (*Report, error) {
	run, err := runs.Open(dir)
	if err != nil {
		return nil, err
	}
	return &Report{Dir: dir, Summary: run.Summary, run: run}, nil
}

// errors counts the trials that ended with an error.
func (r *Report) errors() map[eval.ErrorKind]int64 {
	counts := map[eval.ErrorKind]int64{}
	for res, err := range r.run.Results() {
		if err == nil && res.Error != nil {
			counts[res.Error.Kind]++
		}
	}
	return counts
}

// reportOf returns the argument of a matcher as a Report.
func reportOf(actual any) (*Report, error) {
	if r, ok := actual.(*Report); ok && r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("requires a *evaltest.Report, got %T", actual)
}
