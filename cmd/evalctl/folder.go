package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"evalctl/eval"
	"evalctl/eval/journal"
)

// open makes the run's files ready. What is wrong is found here, before the
// first trial, and leaves nothing behind that looks like a run.
func (s *session) open(outputs []output) error {
	s.outputs = outputs
	if s.resumed {
		return s.reopen()
	}
	var made []string
	for dir := filepath.Clean(s.dir); missing(dir); dir = filepath.Dir(dir) {
		made = append(made, dir)
	}
	err := os.MkdirAll(s.dir, 0o755)
	if err != nil {
		err = flagError("out", err)
	} else {
		err = s.create()
	}
	for i := 0; err != nil && i < len(made) && !missing(made[i]); i++ {
		err = errors.Join(err, os.Remove(made[i]))
	}
	return err
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// create writes the manifest before the journal: a run that is killed between
// the two can go on.
func (s *session) create() error {
	for _, name := range []string{manifestFile, journal.ResultsFile} {
		if !missing(filepath.Join(s.dir, name)) {
			return flagError("out", fmt.Errorf("%s already holds a run: give another folder, or go on with --resume", s.dir))
		}
	}
	if err := checkOutputs(s.outputs); err != nil {
		return err
	}
	if err := s.manifest.write(s.dir); err != nil {
		return flagError("out", err)
	}
	var err error
	if s.log, err = journal.Create(s.dir); err != nil {
		return flagError("out", errors.Join(err, os.Remove(filepath.Join(s.dir, manifestFile))))
	}
	return nil
}

// reopen takes in what the run has already, and goes on behind it.
func (s *session) reopen() error {
	if err := checkOutputs(s.outputs); err != nil {
		return err
	}
	log, err := journal.Resume(s.dir)
	if err != nil {
		return flagError("resume", err)
	}
	s.log = log
	if err := errors.Join(s.takeIn(), s.manifest.write(s.dir)); err != nil {
		return flagError("resume", errors.Join(err, log.Close()))
	}
	return nil
}

// takeIn counts the results that are there. Of a trial that was played again
// the last result counts; one that a real endpoint or the harness failed is
// played again.
func (s *session) takeIn() error {
	last := map[string]int64{}
	var n int64
	for r, err := range journal.Results(s.dir) {
		if err != nil {
			return err
		}
		n++
		last[r.Key] = n
	}
	n = 0
	for r, err := range journal.Results(s.dir) {
		if err != nil {
			return err
		}
		n++
		if last[r.Key] != n || s.reach.lost(r) || r.Error != nil && r.Error.Kind == eval.HarnessError {
			continue
		}
		s.done[r.Key] = struct{}{}
		s.reach.add(r)
		if err := s.table.Add(r); err != nil {
			return err
		}
	}
	return nil
}
