package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
)

func runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [SUITE…]",
		Short: "Play suites and report: all shipped ones when none is named",
		Long: `Play the cases of each suite in each of its variants and report the scores.
A SUITE is the name of a shipped one (toolrouter) or a YAML file. Axes may be
repeated: the variants are their product. Without a real model nothing leaves
the machine and no time is waited for.

Exit codes: 0 passed, 1 a gate failed, 2 bad usage or configuration,
3 incomplete or every call of a cell failed, 130 interrupted (go on with --resume).`,
		Example: `  evalctl run
  evalctl run toolrouter --router llm-first --threshold 0.5,0.6,0.7
  evalctl run --target toolrouter --router rules --dataset cases.jsonl --out results
  evalctl run --base-url http://127.0.0.1:8000/v1 --model my-model --prompt a.md,b.md
  evalctl run --gate 'route.accuracy{variant=llm-first, fault=none} >= 0.9'`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.register(cmd)
	return cmd
}

// run plans, plays and reports.
func (f *runFlags) run(cmd *cobra.Command, args []string) error {
	formats, err := parseFormats(f.formats)
	if err != nil {
		return flagError("format", err)
	}
	if f.parallel < 0 {
		return flagError("parallel", fmt.Errorf("%d is negative", f.parallel))
	}
	var s *session
	if f.resume != "" {
		s, err = f.resumed(cmd, args)
	} else {
		s, err = f.fresh(args)
	}
	if err != nil {
		return err
	}
	s.formats = formats
	return s.play(cmd.Context(), f, cmd.OutOrStdout(), cmd.ErrOrStderr())
}

// fresh plans a new run and, when all is well, makes its folder.
func (f *runFlags) fresh(args []string) (*session, error) {
	suites, err := f.suites(args)
	if err != nil {
		return nil, err
	}
	p, err := newPlan(suites, f.seed, f.time, f.gates)
	if err != nil {
		return nil, err
	}
	m, err := manifestOf(p, os.Args[min(1, len(os.Args)):], f.gates)
	if err != nil {
		return nil, err
	}
	dir := cmp.Or(f.out, filepath.Join("runs", time.Now().Format("20060102-150405.000")))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, flagError("out", err)
	}
	log, err := journal.Create(dir)
	if err != nil {
		return nil, flagError("out", err)
	}
	if err := m.write(dir); err != nil {
		return nil, flagError("out", errors.Join(err, log.Close()))
	}
	return &session{dir: dir, plan: p, manifest: m, log: log, table: metric.NewTable(p.summaries())}, nil
}

// resumed plans the rest of an interrupted run from its manifest.
func (f *runFlags) resumed(cmd *cobra.Command, args []string) (*session, error) {
	for _, name := range planning {
		if cmd.Flags().Changed(name) || len(args) > 0 {
			return nil, fmt.Errorf("--resume: the run's manifest settles what is run; leave out suites and --%s", name)
		}
	}
	dir := f.resume
	m, err := readManifest(dir)
	if err != nil {
		return nil, flagError("resume", err)
	}
	suites, err := m.suites(dir)
	if err != nil {
		return nil, flagError("resume", err)
	}
	gates := f.gates
	if gates == nil {
		gates = m.Gates
	}
	p, err := newPlan(suites, m.Seed, m.Time, gates)
	if err != nil {
		return nil, flagError("resume", err)
	}
	now, err := manifestOf(p, m.Args, gates)
	if err == nil {
		err = m.sameAs(now)
	}
	if err != nil {
		return nil, flagError("resume", err)
	}
	now.Started = m.Started
	s := &session{dir: dir, plan: p, manifest: now, table: metric.NewTable(p.summaries()), done: map[string]struct{}{}}
	return s, s.reopen()
}

// reopen takes in what the run has already, and goes on behind it.
func (s *session) reopen() error {
	log, err := journal.Resume(s.dir)
	if err != nil {
		return flagError("resume", err)
	}
	s.log = log
	for r, err := range journal.Results(s.dir) {
		if err == nil {
			s.done[r.Key] = struct{}{}
			err = s.table.Add(r)
		}
		if err != nil {
			return flagError("resume", errors.Join(err, log.Close()))
		}
	}
	if err := s.manifest.write(s.dir); err != nil {
		return flagError("resume", errors.Join(err, log.Close()))
	}
	return nil
}

// judge adds the gates' verdicts to a summary.
func (s *session) judge(sum *eval.Summary) {
	if len(s.plan.gates) > 0 {
		sum.Gates = gate.Check(s.plan.gates, *sum)
	}
}

// ctxDone tells an interruption from a failure.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Canceled)
}
