package runs

import (
	"os"
	"path/filepath"

	"evalctl/eval/compare"
	"evalctl/eval/journal"
)

// Source is the run as far as it is compared.
func (r *Run) Source() compare.RunData {
	s := compare.RunData{Name: r.Path, Dir: r.Path, Suites: r.Suites(), Partial: r.Summary.Partial, Shard: r.Summary.Shard, Results: r.Results(), Remarks: r.Manifest.Remarks(),
		Parallel: journal.Numbers(r.Manifest.Parallel)}
	if r.Manifest.ManifestHash == "" {
		s.NoManifest, s.Dir = true, tracesBeside(r.Path)
		return s
	}
	seed := r.Manifest.Seed
	s.Seed, s.Data = &seed, map[string]string{}
	for i, of := range s.Suites {
		if i < len(r.Manifest.Datasets) {
			s.Data[of.Name] = r.Manifest.Datasets[i].Hash
		}
	}
	return s
}

// Remarks are what makes the run's figures weaker than they look.
func (r *Run) Remarks() []string {
	if r.Manifest.ManifestHash == "" {
		return []string{r.Path + " has no manifest: the plan is unknown, and missing trials cannot be seen. " +
			"Name the folder of the run instead, if there is one."}
	}
	return r.Manifest.Remarks()
}

// Notes are what a report says of the run before any figure.
func (r *Run) Notes() []string {
	if r.Manifest.ManifestHash == "" {
		return r.Remarks()
	}
	return r.Manifest.Notes()
}

// tracesBeside is the folder of a file of results where its traces are, too.
func tracesBeside(results string) string {
	dir := filepath.Dir(results)
	if _, err := os.Stat(filepath.Join(dir, journal.TracesFile)); err != nil || filepath.Base(results) != journal.ResultsFile {
		return ""
	}
	return dir
}
