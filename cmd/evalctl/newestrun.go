package main

import (
	"path/filepath"
	"time"

	"evalctl/eval/journal"
)

// defaultRuns is the folder that runs are kept in unless --out says otherwise.
const defaultRuns = "runs"

// newestRun is that which began last, of those in the folder that are over; "": none.
func newestRun(dir string) (path string) {
	found, _ := filepath.Glob(filepath.Join(dir, "*", journal.ManifestFile)) // no pattern is bad that is a folder's name
	var began time.Time
	for _, file := range found {
		at := filepath.Dir(file)
		m, err := journal.ReadManifest(at)
		if err == nil && m.Status != journal.Running && !m.Started.Before(began) {
			path, began = at, m.Started
		}
	}
	return path
}
