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

// MergeOptions configures evalctl merge, which merges the shards of a run into one run.
type MergeOptions struct {
	Shards       []string // directories of the shards
	OutDir       string   // directory of the merged run; it must not exist
	Partial      bool     // also merge if shards are missing or have not finished
	Version      string   // identity of this evalctl build
	AllowChanged bool     // accept shards that ran different programs
	Args         []string // command line of evalctl, for the manifest
	Gates
	Outputs []Output    // reports to write
	Secrets *secret.Set // secrets to remove from files and output
	Strict  bool        // an undecided gate is an error
	Verbose bool        // the report shows more detail
}

type merge struct {
	MergeOptions
	shards      shards
	facts       caseFacts
	gateChecker gateChecker
	table       *metric.Collector
}

// Merge merges the shards and writes reports on the merged run. The summary is the same as that of
// an undivided run. The directory Out appears only when it is complete.
func (cfg MergeOptions) Merge(ctx context.Context, stdout io.Writer) error {
	m := &merge{MergeOptions: cfg}
	var err error
	if m.Outputs, err = CheckOutputs(cfg.Outputs,
		append(slices.Clone(cfg.Shards), cfg.OutDir, cfg.Baseline)...); err != nil {
		return err
	}
	if m.shards, err = openShards(cfg.Shards, cfg.Partial, cfg.AllowChanged); err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	if of := m.shards.manifest.Version; of != m.Version {
		return errors.Join(fmt.Errorf("merge: the shards were run by evalctl %s, this is %s", of, m.Version),
			m.shards.close())
	}
	sum, exitErr, err := m.run(ctx)
	if err = errors.Join(err, m.shards.close()); errors.Is(err, journal.ErrChanged) {
		return exit.InternalError(fmt.Errorf("merge: %w", err))
	} else if err != nil {
		return exit.ClassifyDiskError(fmt.Errorf("merge: %w", err))
	}
	notes := slices.Concat(m.shards.manifest.Notes(), m.gateChecker.notes)
	rep := reports.Report{
		Title:    "evalctl merge",
		Summary:  sum,
		Dir:      m.OutDir,
		Notes:    notes,
		ShowAll:  m.Verbose,
		ExitCode: new(exit.Code(exitErr)),
	}
	if err := reportRun(m.Outputs, stdout, rep, m.gateChecker.baseline, m.Secrets); err != nil {
		return exit.InternalError(err)
	}
	return exitErr
}

// run writes the merged run to a temporary directory and renames it at the end. If an earlier merge
// was killed, it first removes that merge's temporary directory.
func (m *merge) run(ctx context.Context) (sum eval.Summary, exitErr, err error) {
	if err := m.prepare(); err != nil {
		return sum, nil, err
	}
	last, err := m.shards.index(m.Partial)
	if err != nil {
		return sum, nil, err
	}
	if _, err := os.Lstat(m.OutDir); !errors.Is(err, fs.ErrNotExist) {
		return sum, nil, fmt.Errorf("--out: %s is there already", m.OutDir)
	}
	temporary := filepath.Clean(m.OutDir) + ".merging"
	if err := journal.DiscardRun(temporary); err != nil {
		return sum, nil, err
	}
	manifest, err := m.manifest()
	if err != nil {
		return sum, nil, err
	}
	log, err := journal.CreateRun(temporary, manifest, func() error { return nil })
	if err != nil {
		return sum, nil, err
	}
	err = m.copyPrompts(temporary)
	if err == nil {
		err = m.copy(ctx, log, last)
	}
	if err != nil {
		return sum, nil, errors.Join(err, log.Close(), journal.DiscardRun(temporary))
	}
	if err := log.VerifyFiles(); err != nil {
		return sum, nil, errors.Join(err, log.Close(), journal.DiscardRun(temporary))
	}
	sum = m.sum()
	exitErr = m.verdict(&manifest, sum)
	manifest.Finished = new(time.Now())
	stored := sum
	stored.FormatVersion = journal.FormatVersion
	err = errors.Join(journal.WriteJSON(filepath.Join(temporary, journal.SummaryFile),
		m.Secrets.MarshalRedacted(stored)), manifest.Write(temporary), log.Close())
	if err == nil {
		err = os.Rename(temporary, m.OutDir)
	}
	if err != nil {
		err = errors.Join(err, journal.DiscardRun(temporary))
	}
	return sum, exitErr, err
}

// prepare reads what the merge needs: gate rules, baseline run and cases.
func (m *merge) prepare() error {
	first := m.shards.list[0]
	planned := runs.SuitesWithoutMetrics(first.summary)
	of, err := ManifestSuites(m.shards.manifest, first.dir)
	if err != nil {
		return err
	}
	if len(of) != len(planned) {
		return fmt.Errorf("%s: its summary has %d suites, its manifest %d", first.dir, len(planned), len(of))
	}
	if err := m.inheritGates(); err != nil {
		return err
	}
	if err := m.addRules(of, planned); err != nil {
		return err
	}
	now := runFingerprint{suites: planned, data: map[string]string{}, seed: m.shards.manifest.Seed}
	for i, s := range planned {
		now.data[s.Name] = m.shards.manifest.Datasets[i].Hash
	}
	if err := m.gateChecker.compare(m.Gates, now); err != nil {
		return err
	}
	var notes []string
	if m.facts, notes, err = factsOf(m.shards.manifest, of); err != nil {
		return err
	}
	m.gateChecker.notes = append(m.gateChecker.notes, notes...)
	m.table = metric.NewCollector(planned, m.gateChecker.tags()...)
	return nil
}

// inheritGates uses the rules and the baseline run of the shards if the user gave none.
func (m *merge) inheritGates() (err error) {
	begun := m.shards.manifest
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

// addRules parses the rules of the suites and then those of the command line, in the same order as
// a run does. It accepts any tag, because tags are unknown until the results are read.
func (m *merge) addRules(of []suite.Suite, planned []eval.SuiteSummary) error {
	var gated []gate.SuiteScope
	for i, s := range of {
		one := gate.SuiteScope{
			System:        s.System(),
			HasOOSLabel:   s.OOSLabel != "",
			HasEpochs:     s.Epochs > 1,
			IsFaultMatrix: s.FaultMatrix,
		}
		for _, c := range planned[i].Conditions {
			one.Conditions = append(one.Conditions, gate.Condition{Suite: s.Name, Variant: c.Variant, Fault: c.Fault})
		}
		gated = append(gated, one)
	}
	for _, s := range of {
		for _, text := range s.Gates {
			if err := m.gateChecker.add(text, s.Name, gated); err != nil {
				return err
			}
		}
	}
	return m.gateChecker.addAll(m.Rules, "--gate", gated)
}

// manifest returns the manifest of the merged run, with the status running.
func (m *merge) manifest() (journal.Manifest, error) {
	all := m.shards.manifest
	all.Args = m.Args
	all.Gates = m.Rules
	all.Status = journal.StatusRunning
	all.Error = ""
	all.IncompleteMetrics = ""
	all.Traces = m.shards.traces()
	for _, one := range m.shards.list {
		if one.manifest.Started.Before(all.Started) {
			all.Started = one.manifest.Started
		}
		if why := one.manifest.IncompleteMetrics; why != "" {
			all.IncompleteMetrics = cmp.Or(all.IncompleteMetrics, "shard "+one.manifest.Shard.String()+": "+why)
		}
	}
	var err error
	if all.Baseline, err = m.absolute(); err != nil {
		return all, err
	}
	return all.WithHash()
}

// copyPrompts copies the prompts of the first shard, which all shards share.
func (m *merge) copyPrompts(dir string) error {
	texts, err := journal.ReadPrompts(m.shards.list[0].dir)
	if err != nil {
		return err
	}
	return journal.WritePrompts(dir, texts)
}

func (m *merge) copy(ctx context.Context, log *journal.Writer, last map[journal.TrialID]lastResultPosition) error {
	copied := 0
	for i, one := range m.shards.list {
		isLast := func(id journal.TrialID,
			line int64) bool {
			return last[id] == lastResultPosition{uint32(i), uint32(line)}
		}
		err := log.CopyFrom(one.dir, isLast, func(r eval.Result) error {
			if err := m.facts.check(r); err != nil {
				return fmt.Errorf("%s: %w", filepath.Join(one.dir, journal.ResultsFile), err)
			}
			m.gateChecker.addResult(r)
			copied++
			return cmp.Or(ctx.Err(), m.table.Add(r))
		})
		if err != nil {
			return err
		}
	}
	if copied != len(last) {
		return fmt.Errorf("the shards held %d trials, and %d while they were copied: %w", len(last),
			copied, journal.ErrChanged)
	}
	return nil
}

func (m *merge) sum() eval.Summary {
	sum := m.table.Close()
	for i, s := range sum.Suites {
		for _, c := range s.Conditions {
			sum.Partial = sum.Partial || c.Trials != m.shards.manifest.Datasets[i].Cases*int64(max(s.Epochs, 1))
		}
	}
	sum.Gates = m.gateChecker.verdicts(sum)
	return sum
}

// verdict sets the status of the merged run. It returns the error to exit with, or nil.
func (m *merge) verdict(manifest *journal.Manifest, sum eval.Summary) error {
	if manifest.Status = journal.StatusDone; sum.Partial {
		manifest.Status = journal.StatusInterrupted
		text := "of some shards"
		if m.shards.missing != nil {
			text = "without shard " + strings.Join(m.shards.missing, ", ")
		}
		return exit.InternalError(fmt.Errorf("merged %s: run the missing trials with evalctl run --resume %s",
			text, m.OutDir))
	}
	if manifest.IncompleteMetrics != "" {
		return exit.InternalError(errors.New(manifest.IncompleteMetrics))
	}
	for _, s := range sum.Suites {
		for _, c := range s.Conditions {
			if err := tooLittleData(s.Name, c, ""); err != nil {
				manifest.IncompleteMetrics = m.Secrets.Redact(err.Error())
				return exit.InternalError(err)
			}
		}
	}
	return exitError(sum.Gates, m.Strict)
}
