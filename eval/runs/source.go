package runs

import (
	"os"
	"path/filepath"

	"evalctl/eval/compare"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

// ComparisonData returns the data of the run that a comparison of two runs requires.
func (r *Run) ComparisonData() compare.RunData {
	s := compare.RunData{
		Name:     r.Path,
		Dir:      r.Path,
		Suites:   r.Suites(),
		Partial:  r.Summary.Partial,
		Shard:    r.Summary.Shard,
		Results:  r.Results(),
		Caveats:  r.Manifest.Caveats(),
		Parallel: journal.FormatParallel(r.Manifest.Parallel),
	}
	if r.Manifest.ManifestHash == "" {
		s.NoManifest, s.Dir = true, dirWithTraces(r.Path)
		return s
	}
	s.Prompts = r.Prompts()
	seed := r.Manifest.Seed
	s.Seed = &seed
	s.DatasetHashes = map[string]string{}
	s.LabelFields = map[string]string{}
	for i, of := range s.Suites {
		if target, ok := suite.FindSystem(of.Target); ok {
			s.LabelFields[of.Name] = target.Contract.LabelField
		}
		if i < len(r.Manifest.Datasets) {
			s.DatasetHashes[of.Name] = r.Manifest.Datasets[i].Hash
		}
	}
	return s
}

// Prompts returns the prompts that the run stored. A missing file is not an error, because runs of
// earlier versions have none.
func (r *Run) Prompts() (prompts []compare.Prompt) {
	for _, note := range r.Manifest.Prompts {
		text, err := journal.ReadPrompt(r.Path, note.ID)
		if err != nil {
			continue
		}
		prompts = append(prompts, compare.Prompt{
			Suite:   note.Suite,
			Variant: note.Variant,
			Setting: note.Setting,
			File:    note.File,
			ID:      note.ID,
			Text:    text,
		})
	}
	return prompts
}

// Caveats returns reasons to trust the run's metrics less, such as a missing plan.
func (r *Run) Caveats() []string {
	if r.Manifest.ManifestHash == "" {
		return []string{r.Path + " has no manifest: the plan is unknown, and missing trials cannot be seen. " +
			"Name the folder of the run instead, if there is one."}
	}
	return r.Manifest.Caveats()
}

// TraceProblems returns the notes that a report of the run prints before any metric.
func (r *Run) Notes() []string {
	if r.Manifest.ManifestHash == "" {
		return r.Caveats()
	}
	return r.Manifest.Notes()
}

// dirWithTraces returns the directory of a results file if it also contains traces, else "".
func dirWithTraces(results string) string {
	dir := filepath.Dir(results)
	if _, err := os.Stat(filepath.Join(dir, journal.TracesFile)); err != nil ||
		filepath.Base(results) != journal.ResultsFile {
		return ""
	}
	return dir
}
