package runs

import (
	"errors"
	"fmt"
	"io"

	"evalctl/agent/file"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/number"
)

// MissingData says what the results do not hold of a run that ended, by its figures
// counted anew: every case of a suite in every cell and epoch. Of results alone
// the cases are those of any cell.
func (r *Run) MissingData(counted eval.Summary) error {
	for _, s := range counted.Suites {
		planned := s.Cases * int64(max(s.Epochs, 1))
		for _, c := range s.Conditions {
			if c.Trials != planned {
				return fmt.Errorf("suite %s, variant %s, fault %s: the results hold %s of %s", s.Name, c.Name, c.Fault,
					number.Thousands(c.Trials), number.Plural(planned, "trial"))
			}
		}
	}
	if r.torn && r.Manifest.ManifestHash == "" {
		return fmt.Errorf("%s: ends in mid-line, results are lacking", r.results)
	}
	return nil
}

// ErrLost is why a run's figures cannot be counted: its summary counts trials, and its file
// of results holds none of them.
var ErrLost = errors.New("the results are lost")

// Lost says that the file of results holds fewer trials than the run's summary counts, or
// than a run has that ended; "" if it does not. Such rows were lost after they were written.
func (r *Run) Lost() string {
	held, claimed := int64(len(r.trials.last)), r.claimed()
	if held >= claimed {
		return ""
	}
	return fmt.Sprintf("%s holds %s of the %s that %s counts: rows were removed after the run wrote them. Run them again: evalctl run --resume %s",
		r.results, number.Thousands(held), number.Plural(claimed, "trial"), journal.SummaryFile, r.Path)
}

// claimed is how many trials the run's summary counts. A run that ended and is no shard has
// all that were planned.
func (r *Run) claimed() (n int64) {
	if r.Manifest.ManifestHash == "" {
		return 0
	}
	whole := r.Manifest.Status == journal.Done && r.Manifest.Shard == nil
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

// isTorn tells that a file does not end with a line's end.
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
