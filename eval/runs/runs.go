// Package runs reads runs that are over back from their folders: what ran, what
// each trial came to, and the summary counted anew.
package runs

import (
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

// Run is a run that is over, or was cut short.
type Run struct {
	Path     string           // as it was opened: a folder, or a file of results alone
	Manifest journal.Manifest // zero for a file of results
	Summary  eval.Summary     // as the run wrote it; of a file of results, its suites without figures

	only    string // the suite to which it is restricted; "": none
	results string // the file
	trials  trials
	torn    bool // the file ends in mid-line
}

// ErrNoResult is of a run that has no result yet.
var ErrNoResult = errors.New("contains no result")

// maxSummary bounds a summary, in bytes.
const maxSummary = 256 << 20

// Open reads the run in a folder, or the results in a file.
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
	lost := r.Lost()
	if lost != "" && (errors.Is(err, ErrNoResult) || errors.Is(err, fs.ErrNotExist)) {
		return r, fmt.Errorf("%w: %s", ErrLost, lost)
	}
	if err != nil {
		return r, err
	}
	r.Summary.Partial = r.Summary.Partial || lost != ""
	if !info.IsDir() {
		r.pickedBeside()
	}
	return r, nil
}

// pickedBeside tells of results alone that their cases were picked because they
// failed, where the summary of their run lies beside them.
func (r *Run) pickedBeside() {
	text, err := journal.ReadFile(filepath.Dir(r.results), journal.SummaryFile, maxSummary)
	var beside eval.Summary
	if err != nil || filepath.Base(r.results) != journal.ResultsFile || json.Unmarshal(text, &beside) != nil {
		return
	}
	for i := range r.Summary.Suites {
		for _, s := range beside.Suites {
			if s.Name == r.Summary.Suites[i].Name {
				r.Summary.Suites[i].FailedIn = s.FailedIn
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
		return fmt.Errorf("%s was interrupted before its summary: continue with evalctl run --resume %s", r.Path, r.Path)
	}
	return err
}

// ReadSummary reads what the run in dir has written of itself, without a look at its
// results; of one that was cut short there is none.
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
		text = journal.NewerSummary(text)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	s.FormatVersion = 0
	for _, of := range s.Suites {
		if of.Epochs < 0 || of.Epochs > eval.MaxEpochs {
			return s, fmt.Errorf("%s: suite %.60q has %d epochs, not 0 to %d", path, of.Name, of.Epochs, eval.MaxEpochs)
		}
	}
	return s, nil
}

// scan finds the last result of each trial and, without a summary, what ran. Whether
// the rest of a line is one that a run writes is told where the results are read.
func (r *Run) scan(bare bool) (err error) {
	r.trials = newTrials()
	var seen outline
	n := 0
	for res, err := range journal.ReadNames(r.results) {
		if err != nil {
			return err
		}
		n++
		if err = r.trials.add(res, n); err == nil && bare {
			err = seen.add(res)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", r.results, n, err)
		}
	}
	if n == 0 {
		return fmt.Errorf("%s: %w", r.results, ErrNoResult)
	}
	if bare {
		r.Summary.Suites = seen.suites()
	}
	r.torn, err = isTorn(r.results)
	return err
}

// Only restricts the run to one of its suites: its summary and its results. The error names
// the suites that the run has.
func (r *Run) Only(suite string) error {
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

// Results are the trials' results, each trial's last one, in the order in which
// they were written.
func (r *Run) Results() iter.Seq2[eval.Result, error] {
	return func(yield func(eval.Result, error) bool) {
		n := 0
		for res, err := range journal.ReadResults(r.results) {
			if n++; err == nil && !r.trials.isLast(journal.NameOf(res), n) {
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

// Suites are what ran, without figures.
func (r *Run) Suites() []eval.SuiteSummary { return WithoutMetrics(r.Summary) }

// WithoutMetrics are the suites of a summary, without figures.
func WithoutMetrics(sum eval.Summary) (list []eval.SuiteSummary) {
	for _, s := range sum.Suites {
		s.Slices, s.Differences, s.FaultOutcomes = nil, nil, nil
		conditions := s.Conditions
		s.Conditions = nil
		for _, c := range conditions {
			s.Conditions = append(s.Conditions, eval.ConditionSummary{Name: c.Name, Fault: c.Fault, BaselineModel: c.BaselineModel, OurDecision: c.OurDecision})
		}
		if of, ok := suite.Find(s.Target); ok {
			s.DecisionSources, s.Decider = of.DecisionSources, of.DecidingComponent().NodeName()
		}
		list = append(list, s)
	}
	return list
}

// Recompute derives the summary from the results, with slices of tags, besides what
// gates came to. It is of a part where results are lacking.
func (r *Run) Recompute(tags ...string) (eval.Summary, error) { return r.RecomputeInto(nil, tags...) }

// RecomputeInto recounts, and gives the results to others that take them in the same go.
func (r *Run) RecomputeInto(others []eval.Sink, tags ...string) (eval.Summary, error) {
	table := metric.NewTable(r.Suites(), tags...)
	if err := r.Read(append([]eval.Sink{table}, others...)...); err != nil {
		return eval.Summary{}, err
	}
	s := table.Close()
	s.Partial, s.Shard = r.Summary.Partial || r.MissingData(s) != nil, r.Summary.Shard
	return s, nil
}
