package runs

import (
	"errors"
	"fmt"
	"io"

	"evalctl/agent/file"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
)

// CheckComplete returns an error if a completed run lacks results. counted is the summary that was
// recomputed from the results. Every case of a suite must have a result in every condition and
// epoch. For a results file alone, the expected cases are those that occur in any condition.
func (r *Run) CheckComplete(counted eval.Summary) error {
	for _, s := range counted.Suites {
		planned := s.Cases * int64(max(s.Epochs, 1))
		for _, c := range s.Conditions {
			if c.Trials != planned {
				return fmt.Errorf("suite %s, variant %s, fault %s: the results hold %s of %s",
					s.Name, c.Variant, c.Fault,
					metric.FormatInteger(c.Trials), metric.Plural(planned, "trial"))
			}
		}
	}
	if r.torn && r.Manifest.ManifestHash == "" {
		return fmt.Errorf("%s: ends in mid-line, results are lacking", r.results)
	}
	return nil
}

// ErrResultsLost is the error for a run whose summary counts trials although its results file
// contains none.
var ErrResultsLost = errors.New("the results are lost")

// MissingResultsReason returns a message if rows were removed from the results file: it contains
// fewer trials than the run's summary counts, or than a completed run has. It returns "" if none
// are missing.
func (r *Run) MissingResultsReason() string {
	found, counted := int64(len(r.trials.last)), r.countedTrials()
	if found >= counted {
		return ""
	}
	return fmt.Sprintf("%s holds %s of the %s that %s counts: rows were removed after the run wrote them. Run them again: evalctl run --resume %s",
		r.results, metric.FormatInteger(found), metric.Plural(counted, "trial"), journal.SummaryFile, r.Path)
}

// countedTrials returns the number of trials that the results file should contain: those that the
// run's summary counts. A completed run that is not a shard has all planned trials.
func (r *Run) countedTrials() (n int64) {
	if r.Manifest.ManifestHash == "" {
		return 0
	}
	whole := r.Manifest.Status == journal.StatusDone && r.Manifest.Shard == nil
	for _, s := range r.Summary.Suites {
		for _, c := range s.Conditions {
			if whole {
				n += max(c.Trials, s.Cases*int64(max(s.Epochs, 1)))
			} else {
				n += c.Trials
			}
		}
	}
	return n
}

// isTorn reports whether a file ends in the middle of a line, as after a crash.
func isTorn(path string) (bool, error) {
	f, err := file.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if _, err := f.Seek(-1, io.SeekEnd); err != nil {
		return false, err
	}
	end := make([]byte, 1)
	if _, err := io.ReadFull(f, end); err != nil {
		return false, err
	}
	return end[0] != '\n', nil
}
