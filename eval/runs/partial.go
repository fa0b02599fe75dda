package runs

import (
	"errors"
	"io/fs"
	"path/filepath"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

// OpenPartial opens the run in a directory even if it is still running or was interrupted. The run
// contains the results so far, possibly none.
func OpenPartial(dir string) (*Run, error) {
	r := &Run{Path: dir, results: filepath.Join(dir, journal.ResultsFile)}
	var err error
	if r.Summary, err = LoadSummaryOrPlan(dir); err != nil {
		return nil, err
	}
	if r.Manifest, err = journal.ReadManifest(dir); err != nil {
		return nil, err
	}
	r.Summary.Partial = r.Summary.Partial || r.Manifest.Status == journal.StatusRunning
	if err := r.scan(false); err != nil && !errors.Is(err, ErrNoResult) {
		return nil, err
	}
	return r, nil
}

// LoadSummaryOrPlan returns the summary of the run in a directory. If the run has not written one
// yet, it returns the planned suites without metrics.
func LoadSummaryOrPlan(dir string) (eval.Summary, error) {
	s, err := ReadSummary(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	m, err := journal.ReadManifest(dir)
	if err != nil {
		return s, err
	}
	s = eval.Summary{Partial: true}
	for i, text := range m.Suites {
		of, err := suite.Parse(filepath.Join(dir, journal.ManifestFile), text)
		if err != nil {
			return s, err
		}
		s.Suites = append(s.Suites, plannedSummary(of, m.Datasets[i].Cases, m.Clock))
	}
	return s, nil
}

// plannedSummary returns the summary of a suite before any result: its cases and conditions,
// without metrics.
func plannedSummary(of suite.Suite, cases int64, time string) eval.SuiteSummary {
	s := eval.SuiteSummary{
		Name:            of.Name,
		Target:          of.Target,
		Dataset:         filepath.Base(of.Dataset),
		Split:           of.Split,
		Tags:            of.Tags,
		FailedInRun:     of.OnlyFailedIn,
		Cases:           cases,
		Epochs:          max(of.Epochs, 1),
		Clock:           time,
		OOSLabel:        of.OOSLabel,
		BaselineVariant: of.BaselineVariant,
		FaultMatrix:     of.FaultMatrix,
	}
	s.DecisionOnly = of.DecisionOnly
	for _, v := range of.Variants {
		for _, fault := range of.VariantFaults(v) {
			s.Conditions = append(s.Conditions, eval.ConditionSummary{
				Variant:       v.Name,
				Fault:         fault,
				BaselineModel: suite.IsBaselineModel(v.Model),
				OurDecision:   of.IsOurDecision(v, fault),
			})
		}
	}
	return s
}
