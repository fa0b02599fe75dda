package evaltest

import (
	"fmt"

	"evalctl/eval"
	"evalctl/eval/runs"
)

// Report contains the results of a completed run. Dir is the directory of the run, for evalctl
// report and evalctl show.
type Report struct {
	Dir     string
	Summary eval.Summary // metrics, comparisons and gate verdicts

	run *runs.Run
}

// Open reads the results of an earlier run, of evalctl or of a test, from its directory.
func Open(dir string) (*Report, error) {
	run, err := runs.Open(dir)
	if err != nil {
		return nil, err
	}
	return &Report{Dir: dir, Summary: run.Summary, run: run}, nil
}

// errors returns the number of trials that ended with each kind of error.
func (r *Report) errors() map[eval.ErrorKind]int64 {
	counts := map[eval.ErrorKind]int64{}
	for res, err := range r.run.Results() {
		if err == nil && res.Error != nil {
			counts[res.Error.Kind]++
		}
	}
	return counts
}

func reportOf(actual any) (*Report, error) {
	if r, ok := actual.(*Report); ok && r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("requires a *evaltest.Report, got %T", actual)
}
