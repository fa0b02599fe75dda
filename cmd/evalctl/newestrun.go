package main

import (
	"path/filepath"
	"time"

	"evalctl/eval/journal"
)

// defaultRuns is the directory that contains runs, unless --out or --dir is given.
const defaultRuns = "runs"

// newestRun returns the run in dir that started last and is no longer running, or "" if there is
// none.
func newestRun(dir string) (path string) {
	found, _ := filepath.Glob(filepath.Join(dir, "*", journal.ManifestFile)) // the pattern is valid
	var began time.Time
	for _, file := range found {
		at := filepath.Dir(file)
		m, err := journal.ReadManifest(at)
		if err == nil && m.Status != journal.StatusRunning && !m.Started.Before(began) {
			path, began = at, m.Started
		}
	}
	return path
}
