package runs

import (
	"fmt"
	"io"

	"evalctl/agent/file"
	"evalctl/eval"
	"evalctl/eval/number"
)

// Lacking says what the results do not hold of a run that ended, by its figures
// counted anew: every case of a suite in every cell and epoch. Of results alone
// the cases are those of any cell.
func (r *Run) Lacking(counted eval.Summary) error {
	for _, s := range counted.Suites {
		planned := s.Cases * int64(max(s.Epochs, 1))
		for _, c := range s.Variants {
			if c.Trials != planned {
				return fmt.Errorf("suite %s, variant %s, fault %s: the results hold %s of %s", s.Name, c.Name, c.Fault,
					number.Grouped(c.Trials), number.Counted(planned, "trial"))
			}
		}
	}
	if r.torn && r.Manifest.Seal == "" {
		return fmt.Errorf("%s: ends in mid-line, results are lacking", r.results)
	}
	return nil
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
