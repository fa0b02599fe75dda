// Package runs reads completed runs from their directories: the plan, the results of the trials,
// and the recomputed summary.
package runs

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// Run is a completed or interrupted run, read from its files.
type Run struct {
	Path     string           // the path that was passed to Open: a directory, or a results file
	Manifest journal.Manifest // the plan of the run; zero for a results file
	Summary  eval.Summary     // the summary that the run wrote; for a results file, its suites without metrics

	only    string // name of the suite that SelectSuite has selected; "": all
	results string // path of the results file
	trials  trials
	torn    bool // the results file ends in the middle of a line
}

// ErrNoResult is the error for a run without any result yet.
var ErrNoResult = errors.New("contains no result")

// maxSummary is the maximum size of a summary file in bytes.
const maxSummary = 256 << 20

// Open opens the run in a directory, or a results file alone. If results were lost, it returns the
// run together with an error.
func Open(path string) (*Run, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	r := &Run{Path: path, results: path}
	if info.IsDir() {
		r.results = filepath.Join(path, journal.ResultsFile)
		err = r.readFolder()
	}
	if err != nil {
		return nil, err
	}
	err = r.scan(!info.IsDir())
	lost := r.MissingResultsReason()
	if lost != "" && (errors.Is(err, ErrNoResult) || errors.Is(err, fs.ErrNotExist)) {
		return r, fmt.Errorf("%w: %s", ErrResultsLost, lost)
	}
	if err != nil {
		return r, err
	}
	r.Summary.Partial = r.Summary.Partial || lost != ""
	if !info.IsDir() {
		r.copyFailedIn()
	}
	return r, nil
}

// copyFailedIn copies the field FailedIn of each suite from the summary next to a results file, if
// there is one.
func (r *Run) copyFailedIn() {
	text, err := journal.ReadFile(filepath.Dir(r.results), journal.SummaryFile, maxSummary)
	var extra eval.Summary
	if err != nil || filepath.Base(r.results) != journal.ResultsFile || json.Unmarshal(text, &extra) != nil {
		return
	}
	for i := range r.Summary.Suites {
		for _, s := range extra.Suites {
			if s.Name == r.Summary.Suites[i].Name {
				r.Summary.Suites[i].FailedInRun = s.FailedInRun
			}
		}
	}
}

func (r *Run) readFolder() (err error) {
	if r.Manifest, err = journal.ReadManifest(r.Path); err != nil {
		return err
	}
	r.Summary, err = ReadSummary(r.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s was interrupted before its summary: continue with evalctl run --resume %s",
			r.Path, r.Path)
	}
	return err
}

// ReadSummary reads the summary file of the run in dir, without the results. An interrupted run has
// no such file. Metrics that no run writes are an error.
func ReadSummary(dir string) (s eval.Summary, err error) {
	path := filepath.Join(dir, journal.SummaryFile)
	text, err := journal.ReadFile(dir, journal.SummaryFile, maxSummary)
	if err != nil {
		return s, err
	}
	if journal.IsOlderSummary(text) {
		if _, err := os.Stat(filepath.Join(dir, journal.ResultsFile)); err != nil {
			return s, fmt.Errorf("%s: is of an older format version, and its figures can be recomputed only from %s, which is missing: run the suite again",
				path, journal.ResultsFile)
		}
		text = journal.UpgradeSummary(text)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	s.FormatVersion = 0
	for _, of := range s.Suites {
		if of.Epochs < 0 || of.Epochs > eval.MaxEpochs {
			return s, fmt.Errorf("%s: suite %.60q has %d epochs, not 0 to %d", path, of.Name, of.Epochs, eval.MaxEpochs)
		}
		if err := checkMetrics(of); err != nil {
			return s, fmt.Errorf("%s: %w: the file was edited", path, err)
		}
	}
	return s, nil
}

// scan finds the last result of each trial. For a results file alone, it also collects the
// conditions. It decodes only the names; the rest of each line is checked when the results are
// read.
func (r *Run) scan(resultsOnly bool) (err error) {
	r.trials = newTrials()
	var found outline
	n := 0
	for res, err := range journal.ReadTrialNames(r.results) {
		if err != nil {
			return err
		}
		n++
		if err = r.trials.add(res, n); err == nil && resultsOnly {
			err = found.add(res)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", r.results, n, err)
		}
	}
	if n == 0 {
		return fmt.Errorf("%s: %w", r.results, ErrNoResult)
	}
	if resultsOnly {
		r.Summary.Suites = found.suites()
	}
	r.torn, err = isTorn(r.results)
	return err
}

// SelectSuite restricts the run to one of its suites: its summary and its results. For an unknown
// suite, the error lists the suites of the run.
func (r *Run) SelectSuite(suite string) error {
	var names []string
	for _, s := range r.Summary.Suites {
		names = append(names, s.Name)
	}
	at := slices.Index(names, suite)
	if at < 0 {
		return fmt.Errorf("%s: %w", r.Path, suggest.UnknownWordError("suite", suite, names))
	}
	r.only, r.Summary.Suites = suite, r.Summary.Suites[at:at+1]
	return nil
}

// Results yields the last result of each trial, in the order in which they were written.
func (r *Run) Results() iter.Seq2[eval.Result, error] {
	return func(yield func(eval.Result, error) bool) {
		n := 0
		for res, err := range journal.ReadResults(r.results) {
			if n++; err == nil && !r.trials.isLast(journal.TrialNameOf(res), n) {
				continue
			}
			if err == nil && r.only != "" && res.Suite != r.only {
				continue
			}
			if !yield(res, err) {
				return
			}
		}
	}
}

// Suites returns the suites of the run with their conditions, but without metrics.
func (r *Run) Suites() []eval.SuiteSummary { return SuitesWithoutMetrics(r.Summary) }

// SuitesWithoutMetrics returns the suites of a summary with their conditions, but without metrics.
func SuitesWithoutMetrics(sum eval.Summary) (list []eval.SuiteSummary) {
	for _, s := range sum.Suites {
		s.Slices = nil
		s.Differences = nil
		s.FaultOutcomes = nil
		conditions := s.Conditions
		s.Conditions = nil
		for _, c := range conditions {
			of, _ := suite.FindSystem(cmp.Or(c.Target, s.Target))
			s.Conditions = append(s.Conditions, eval.ConditionSummary{
				Variant:         c.Variant,
				Target:          c.Target,
				Fault:           c.Fault,
				BaselineModel:   c.BaselineModel,
				OurDecision:     c.OurDecision,
				DecisionSources: of.DecisionSources,
				DeciderNode:     of.DecidingComponent().NodeName(),
			})
		}
		list = append(list, s)
	}
	return list
}

// Recompute computes the summary from the results, with a slice per tag, but without gates. The
// summary is marked as partial if results are missing.
func (r *Run) Recompute(tags ...string) (eval.Summary, error) { return r.RecomputeInto(nil, tags...) }

// RecomputeInto is like Recompute. It also passes the results to the sinks in others, so that the
// file is read only once.
func (r *Run) RecomputeInto(others []eval.Sink, tags ...string) (eval.Summary, error) {
	table := metric.NewCollector(r.Suites(), tags...)
	if err := r.ReadInto(append([]eval.Sink{table}, others...)...); err != nil {
		return eval.Summary{}, err
	}
	s := table.Summarize()
	s.Partial, s.Shard = r.Summary.Partial || r.CheckComplete(s) != nil, r.Summary.Shard
	return s, nil
}
