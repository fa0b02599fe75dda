package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
	"evalctl/eval/suite"
	"evalctl/reports"
)

// MergeOptions says what shards become one run.
type MergeOptions struct {
	Shards  []string // their folders
	Out     string   // of the run, which must not be there yet
	Partial bool     // also where some are missing, or did not end
	Version string   // identity of this build of evalctl
	Changed bool     // accepts shards that ran different programs
	Args    []string // the command line, for the manifest
	Gates
	Outputs []Output
	Secrets *secret.Set
	Strict  bool // a gate that is undecided counts
	Detail  bool
}

// merge is one under way.
type merge struct {
	MergeOptions
	shards shards
	facts  caseFacts
	judge  judge
	table  *metric.Table
}

// Merge makes one run of shards, with the summary that the run would have if it had been
// played in one go, and reports on it. It is there as a whole or not at all.
func (cfg MergeOptions) Merge(ctx context.Context, stdout io.Writer) error {
	m := &merge{MergeOptions: cfg}
	var err error
	if m.Outputs, err = CheckOutputs(cfg.Outputs, append(slices.Clone(cfg.Shards), cfg.Out, cfg.Baseline)...); err != nil {
		return err
	}
	if m.shards, err = openShards(cfg.Shards, cfg.Partial, cfg.Changed); err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	if of := m.shards.whole.Version; of != m.Version {
		return errors.Join(fmt.Errorf("merge: the shards were run by evalctl %s, this is %s", of, m.Version), m.shards.close())
	}
	sum, judged, err := m.run(ctx)
	if err = errors.Join(err, m.shards.close()); errors.Is(err, journal.ErrChanged) {
		return exit.InternalError(fmt.Errorf("merge: %w", err))
	} else if err != nil {
		return exit.DiskError(fmt.Errorf("merge: %w", err))
	}
	notes := slices.Concat(m.shards.whole.Notes(), m.judge.notes)
	rep := reports.Report{Title: "evalctl merge", Summary: sum, Dir: m.Out, Notes: notes, Detail: m.Detail, Exit: new(exit.Code(judged))}
	if err := reportRun(m.Outputs, stdout, rep, m.judge.baseline, m.Secrets); err != nil {
		return exit.InternalError(err)
	}
	return judged
}

// run writes the merged run beside where it is to be, and puts it there once it is whole:
// what a kill leaves is no run, and makes way for the next try.
func (m *merge) run(ctx context.Context) (sum eval.Summary, judged, err error) {
	if err := m.prepare(); err != nil {
		return sum, nil, err
	}
	last, err := m.shards.index(m.Partial)
	if err != nil {
		return sum, nil, err
	}
	if _, err := os.Lstat(m.Out); !errors.Is(err, fs.ErrNotExist) {
		return sum, nil, fmt.Errorf("--out: %s is there already", m.Out)
	}
	beside := filepath.Clean(m.Out) + ".merging"
	if err := journal.Discard(beside); err != nil {
		return sum, nil, err
	}
	manifest, err := m.manifest()
	if err != nil {
		return sum, nil, err
	}
	log, err := journal.CreateRun(beside, manifest, func() error { return nil })
	if err != nil {
		return sum, nil, err
	}
	if err := m.copy(ctx, log, last); err != nil {
		return sum, nil, errors.Join(err, log.Close(), journal.Discard(beside))
	}
	if err := log.Verify(); err != nil {
		return sum, nil, errors.Join(err, log.Close(), journal.Discard(beside))
	}
	sum = m.sum()
	judged = m.verdict(&manifest, sum)
	manifest.Finished = new(time.Now())
	stored := sum
	stored.FormatVersion = journal.FormatVersion
	err = errors.Join(journal.WriteJSON(filepath.Join(beside, journal.SummaryFile), m.Secrets.MarshalRedacted(stored)), manifest.Write(beside), log.Close())
	if err == nil {
		err = os.Rename(beside, m.Out)
	}
	if err != nil {
		err = errors.Join(err, journal.Discard(beside))
	}
	return sum, judged, err
}

// prepare reads the rules, and what the run is to be compared with.
func (m *merge) prepare() error {
	first := m.shards.list[0]
	planned := runs.WithoutMetrics(first.summary)
	of, err := ManifestSuites(m.shards.whole, first.dir)
	if err != nil {
		return err
	}
	if len(of) != len(planned) {
		return fmt.Errorf("%s: its summary has %d suites, its manifest %d", first.dir, len(planned), len(of))
	}
	if err := m.keepGates(); err != nil {
		return err
	}
	if err := m.addRules(of, planned); err != nil {
		return err
	}
	now := runFingerprint{suites: planned, data: map[string]string{}, seed: m.shards.whole.Seed}
	for i, s := range planned {
		now.data[s.Name] = m.shards.whole.Datasets[i].Hash
	}
	if err := m.judge.compare(m.Gates, now); err != nil {
		return err
	}
	var notes []string
	if m.facts, notes, err = factsOf(m.shards.whole, of); err != nil {
		return err
	}
	m.judge.notes = append(m.judge.notes, notes...)
	m.table = metric.NewTable(planned, m.judge.tags()...)
	return nil
}

// keepGates takes what is not given from the shards.
func (m *merge) keepGates() (err error) {
	begun := m.shards.whole
	if m.Rules == nil {
		if begun.Gates, err = m.shards.gates(); err != nil {
			return err
		}
	}
	if m.Baseline == "" {
		if begun.Baseline, err = m.shards.baseline(); err != nil {
			return err
		}
	}
	m.inherit(begun)
	return nil
}

// addRules reads those of the suites, then those beside them, as a run does. Which tags
// there are is not known before the results.
func (m *merge) addRules(of []suite.Suite, planned []eval.SuiteSummary) error {
	var gated []gate.SuiteScope
	for i, s := range of {
		one := gate.SuiteScope{System: s.System(), OOSLabel: s.OOSLabel != "", HasEpochs: s.Epochs > 1, Matrix: s.FaultMatrix}
		for _, c := range planned[i].Conditions {
			one.Conditions = append(one.Conditions, gate.Condition{Suite: s.Name, Variant: c.Name, Fault: c.Fault})
		}
		gated = append(gated, one)
	}
	for _, s := range of {
		for _, text := range s.Gates {
			if err := m.judge.add(text, s.Name, gated); err != nil {
				return err
			}
		}
	}
	return m.judge.addAll(m.Rules, "--gate", gated)
}

// manifest is that of the merged run, under way.
func (m *merge) manifest() (journal.Manifest, error) {
	all := m.shards.whole
	all.Args, all.Gates, all.Status, all.Error, all.Incomplete = m.Args, m.Rules, journal.Running, "", ""
	all.Traces = m.shards.kept()
	for _, one := range m.shards.list {
		if one.manifest.Started.Before(all.Started) {
			all.Started = one.manifest.Started
		}
		if why := one.manifest.Incomplete; why != "" {
			all.Incomplete = cmp.Or(all.Incomplete, "shard "+one.manifest.Shard.String()+": "+why)
		}
	}
	var err error
	if all.Baseline, err = m.absolute(); err != nil {
		return all, err
	}
	return all.WithHash()
}

func (m *merge) copy(ctx context.Context, log *journal.Writer, last map[journal.TrialID]at) error {
	copied := 0
	for i, one := range m.shards.list {
		isLast := func(id journal.TrialID, line int64) bool { return last[id] == at{uint32(i), uint32(line)} }
		err := log.Copy(one.dir, isLast, func(r eval.Result) error {
			if err := m.facts.check(r); err != nil {
				return fmt.Errorf("%s: %w", filepath.Join(one.dir, journal.ResultsFile), err)
			}
			m.judge.see(r)
			copied++
			return cmp.Or(ctx.Err(), m.table.Add(r))
		})
		if err != nil {
			return err
		}
	}
	if copied != len(last) {
		return fmt.Errorf("the shards held %d trials, and %d while they were copied: %w", len(last), copied, journal.ErrChanged)
	}
	return nil
}

func (m *merge) sum() eval.Summary {
	sum := m.table.Close()
	for i, s := range sum.Suites {
		for _, c := range s.Conditions {
			sum.Partial = sum.Partial || c.Trials != m.shards.whole.Datasets[i].Cases*int64(max(s.Epochs, 1))
		}
	}
	sum.Gates = m.judge.verdicts(sum)
	return sum
}

// verdict is the merged run's exit, and its status.
func (m *merge) verdict(manifest *journal.Manifest, sum eval.Summary) error {
	if manifest.Status = journal.Done; sum.Partial {
		manifest.Status = journal.Interrupted
		text := "of some shards"
		if m.shards.missing != nil {
			text = "without shard " + strings.Join(m.shards.missing, ", ")
		}
		return exit.InternalError(fmt.Errorf("merged %s: what is missing is played with evalctl run --resume %s", text, m.Out))
	}
	if manifest.Incomplete != "" {
		return exit.InternalError(errors.New(manifest.Incomplete))
	}
	for _, s := range sum.Suites {
		for _, c := range s.Conditions {
			if err := tooLittle(s.Name, c, ""); err != nil {
				manifest.Incomplete = m.Secrets.Redact(err.Error())
				return exit.InternalError(err)
			}
		}
	}
	return exitError(sum.Gates, m.Strict)
}
