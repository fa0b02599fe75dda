package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"evalctl/cmd/evalctl/play"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// errNothingFailed means that the earlier run of --only-failing has no failing case, so that
// nothing runs. Its exit code is 0.
var errNothingFailed = errors.New("no failing case")

// failingSuites returns the suites for --only-failing. These are the named suites, or else those of
// the earlier run, each with only the cases that failed in that run. Seed and clock default to
// those of the earlier run.
func (f *runFlags) failingSuites(args []string, seedGiven bool) ([]suite.Suite, error) {
	m, before, err := play.ReadFinishedRun(f.onlyFailing, f.endpoints())
	if err != nil {
		return nil, flagError("only-failing", err)
	}
	if !seedGiven {
		f.seed = m.Seed
	}
	if f.clock == "" && f.models == nil {
		f.clock = m.Clock
	}
	list, err := f.suitesToRerun(args, before)
	if err != nil {
		return nil, err
	}
	rows, err := failingRows(f.onlyFailing)
	if err != nil {
		return nil, flagError("only-failing", err)
	}
	var kept []suite.Suite
	for _, s := range list {
		i := slices.IndexFunc(before, func(b suite.Suite) bool { return b.Name == s.Name })
		if i < 0 {
			return nil, fmt.Errorf("--only-failing: %s has no suite %s, but %s", f.onlyFailing, s.Name,
				suggest.JoinWords(namesOf(before)))
		}
		if s.Cases, s.OnlyFailedIn = failingCasesOf(rows, s, before[i]), filepath.Clean(f.onlyFailing); s.Cases == nil {
			continue
		}
		if err := s.Check(); err != nil {
			return nil, fmt.Errorf("suite %s: %w", s.Name, err)
		}
		kept = append(kept, s)
	}
	if kept == nil {
		return nil, errNothingFailed
	}
	return kept, nil
}

// suitesToRerun returns the suites that --only-failing runs: those named by the arguments, or else
// those of the earlier run.
func (f *runFlags) suitesToRerun(args []string, before []suite.Suite) (list []suite.Suite, err error) {
	if len(args) > 0 || f.target != "" || f.dataset != "" {
		return f.suites(args)
	}
	for _, s := range before {
		if s, err = f.applyTo(s); err != nil {
			return nil, err
		}
		if err := f.checkExposure(s, f.onlyFailing, "run's manifest"); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, f.checkBaselineVariant(list)
}

func namesOf(list []suite.Suite) (names []string) {
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names
}

// failingRows returns the failing trials of the run in dir. They contain only the fields that
// identify their case and condition.
func failingRows(dir string) (rows []eval.Result, _ error) {
	run, err := runs.Open(filepath.Join(dir, journal.ResultsFile))
	if err != nil {
		return nil, err
	}
	for r, err := range run.Results() {
		if err != nil {
			return nil, err
		}
		if r.IsFailing() {
			rows = append(rows, eval.Result{
				Suite:   r.Suite,
				Case:    r.Case,
				Variant: r.Variant,
				Fault:   r.Fault,
			})
		}
	}
	return rows, nil
}

// failingCasesOf returns the IDs of the cases of a suite that failed under a variant and fault that
// run again. If the suite has none of the earlier variants, only the fault must match.
func failingCasesOf(rows []eval.Result, now, before suite.Suite) []string {
	faults, all := map[string][]string{}, []string{}
	for _, v := range now.Variants {
		faults[v.Name] = now.VariantFaults(v)
		all = append(all, faults[v.Name]...)
	}
	same := slices.ContainsFunc(before.Variants, func(v suite.Variant) bool { return faults[v.Name] != nil })
	ids := map[string]struct{}{}
	for _, r := range rows {
		under := all
		if same {
			under = faults[r.Variant]
		}
		if r.Suite == now.Name && slices.Contains(under, r.Fault) {
			ids[r.Case] = struct{}{}
		}
	}
	return slices.Sorted(maps.Keys(ids))
}
