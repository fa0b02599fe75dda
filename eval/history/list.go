package history

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"evalctl/agent/database"
	"evalctl/eval/journal"
	"evalctl/eval/suggest"
)

// Runs returns the runs in the directory, the newest first. If suites are given, it returns only
// runs that have one of them, without their other suites.
func (h *History) Runs(ctx context.Context, suites ...string) (list []Run, err error) {
	var known []string
	err = h.db.View(ctx, func(tx *database.Tx) error {
		for row, err := range tx.Rows("SELECT head FROM run ORDER BY started DESC, name DESC") {
			var head string
			var r Run
			if err == nil {
				err = row.Scan(&head)
			}
			if err == nil {
				err = json.Unmarshal([]byte(head), &r)
			}
			if err != nil {
				return err
			}
			for _, s := range r.Suites {
				if !slices.Contains(known, s.Name) {
					known = append(known, s.Name)
				}
			}
			if r.Status == journal.StatusRunning && !h.isRunning(r.Name) {
				r.Status = StatusKilled
			}
			if r, ok := r.onlySuites(suites); ok {
				list = append(list, r)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, s := range suites {
		if err := suggest.CheckKnown("suite", s, known); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// StatusKilled is the status of a run whose manifest states that it is running, but which no
// process executes.
const StatusKilled journal.Status = "killed"

// isRunning reports whether a process holds the lock on the run's results.
func (h *History) isRunning(name string) bool {
	held, err := journal.LockFile(filepath.Join(h.Dir, name, journal.ResultsFile))
	if err == nil {
		held.Close()
	}
	return err != nil && !errors.Is(err, fs.ErrNotExist)
}

// onlySuites returns the run without its other suites, and false if it has none of the given
// suites.
func (r Run) onlySuites(suites []string) (Run, bool) {
	if suites == nil {
		return r, true
	}
	r.Suites = slices.DeleteFunc(r.Suites, func(s Suite) bool { return !slices.Contains(suites, s.Name) })
	return r, len(r.Suites) > 0
}
