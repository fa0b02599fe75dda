package play

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/eval/suite"
	"evalctl/reports"
)

// GateResult is the outcome of evalctl gate: the verdicts of gates on a finished run.
type GateResult struct {
	Verdicts    []eval.GateVerdict     // verdict of each gate rule
	Notes       []string               // reasons why the verdicts are less reliable, for the user
	Incomplete  error                  // why the run has too little data for any verdict; nil: it has enough
	NewFailures []gate.NewlyFailedCase // cases that new_failures rules count

	report reports.Report
}

// Evaluate checks the gate rules on the finished run in the directory path.
func (g Gates) Evaluate(path string) (GateResult, error) {
	run, err := runs.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return GateResult{}, fmt.Errorf("gate: %s contains no run: %w", path, err)
	}
	if err != nil {
		return GateResult{}, err
	}
	suites, err := GateSuiteScopes(run)
	if err != nil {
		return GateResult{}, err
	}
	var j gateChecker
	if err := j.addAll(g.Rules, "gate", suites); err != nil {
		return GateResult{}, err
	}
	if err := j.compare(g, fingerprintOf(run)); err != nil {
		return GateResult{}, err
	}
	if err := j.addRun(run); err != nil {
		return GateResult{}, err
	}
	sum, err := run.Recompute(j.tags()...)
	if err != nil {
		return GateResult{}, err
	}
	sum.Gates = j.verdicts(sum)
	j.notes = append(run.Caveats(), j.notes...)
	rep := reports.Report{
		Title:        "evalctl gate",
		Summary:      sum,
		Run:          run,
		ResultsURL:   jobURL(),
		Notes:        j.notes,
		BaselinePath: j.baseline,
	}
	if j.baseline != "" {
		rep.BaselineRun, err = runs.Open(j.baseline)
	}
	return GateResult{
		Verdicts:    sum.Gates,
		Notes:       j.notes,
		Incomplete:  incomplete(run, sum),
		NewFailures: j.comparison.NewFailures(),
		report:      rep,
	}, err
}

// ExitError returns the error that evalctl gate exits with, or nil if all gates passed. If strict is
// true, an undecided gate is an error.
func (j *GateResult) ExitError(strict bool) error {
	ends := j.Incomplete
	if ends == nil {
		ends = exitError(j.Verdicts, strict)
	}
	j.report.ExitCode = new(exit.Code(ends))
	return ends
}

// Print prints the verdicts as text for a terminal.
func (j GateResult) Print(stdout io.Writer, secrets *secret.Set) error {
	return printGates(stdout, j.report, secrets)
}

// Write writes the verdicts to the outputs and to the GitHub job summary, if there is one.
func (j GateResult) Write(outputs []Output, stdout io.Writer, secrets *secret.Set) error {
	return errors.Join(addToJobSummary(j.report, secrets), WriteReports(outputs, stdout, j.report, secrets))
}

// WritesToStdout reports whether one of the outputs goes to stdout, so that nothing else may be
// printed there.
func WritesToStdout(outputs []Output) bool {
	return slices.ContainsFunc(outputs, func(o Output) bool { return o.path == "" })
}

// incomplete returns the reason why a finished run has too little data for a verdict, or nil.
func incomplete(run *runs.Run, sum eval.Summary) error {
	m := run.Manifest
	lacking := run.CheckComplete(sum)
	switch {
	case m.Shard != nil:
		return exit.InternalError(fmt.Errorf("%s is shard %s of a run: judge what evalctl merge makes of all %d",
			run.Path, m.Shard, m.Shard.Count))
	case m.Status == journal.StatusDone && lacking != nil:
		return exit.InternalError(lacking)
	case run.Summary.Partial || m.Status != "" && m.Status != journal.StatusDone:
		return exit.InternalError(fmt.Errorf("the run did not end: continue with evalctl run --resume %s", run.Path))
	case m.IncompleteMetrics != "":
		return exit.InternalError(errors.New(m.IncompleteMetrics))
	case lacking != nil:
		return exit.InternalError(lacking)
	}
	for _, s := range sum.Suites {
		for _, c := range s.Conditions {
			if err := tooLittleData(s.Name, c, ""); err != nil {
				return exit.InternalError(err)
			}
		}
	}
	return nil
}

// GateSuiteScopes describes which names gate rules can use for a finished run: its suites,
// conditions and tags. It reads the tags from the results.
func GateSuiteScopes(run *runs.Run) (list []gate.SuiteScope, err error) {
	tags := map[string][]string{}
	for r, err := range run.Results() {
		if err != nil {
			return nil, err
		}
		for _, t := range r.Tags {
			if !slices.Contains(tags[r.Suite], t) {
				tags[r.Suite] = append(tags[r.Suite], t)
			}
		}
	}
	for _, s := range run.Suites() {
		of, _ := suite.FindSystem(s.Target)
		one := gate.SuiteScope{
			System:        of,
			HasOOSLabel:   s.OOSLabel != "",
			HasEpochs:     s.Epochs > 1,
			IsFaultMatrix: s.FaultMatrix,
			Tags:          append([]string{}, tags[s.Name]...),
		}
		for _, c := range s.Conditions {
			one.Conditions = append(one.Conditions, gate.Condition{Suite: s.Name, Variant: c.Variant, Fault: c.Fault})
		}
		list = append(list, one)
	}
	return list, nil
}
