package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"evalctl/eval/suite"
)

// runCommand is told the command line, which the manifest keeps.
func runCommand(line []string) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [SUITE…]",
		Short: "Play suites and report: all shipped ones when none is named",
		Long: `Play the cases of each suite in each of its variants and report the scores.
A SUITE is the name of a shipped one (` + join(suite.Shipped()) + `) or a YAML file. Axes may be
repeated: the variants are their product. Without a real model nothing leaves
the machine and no time is waited for. With --model the faults that a suite
names are left out, unless --fault asks for some.

Exit codes: 0 passed, 1 a gate failed, 2 bad usage or configuration,
3 incomplete or every call of a cell failed, 130 interrupted (go on with --resume).`,
		Example: `  evalctl run
  evalctl run toolrouter --router llm-first --threshold 0.5,0.6,0.7
  evalctl run studio --profile v1,v2 --critic heuristic,llm
  evalctl run --target toolrouter --router rules --dataset cases.jsonl --out results
  evalctl run toolrouter --base-url http://127.0.0.1:8000/v1 --model my-model --prompt a.md,b.md
  evalctl run --gate 'route.accuracy{variant=llm-first, fault=none} >= 0.9'`,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args, line) },
		ValidArgsFunction: cobra.FixedCompletions(suite.Shipped(), cobra.ShellCompDirectiveDefault),
	}
	f.register(cmd)
	return cmd
}

// run plans, plays and reports.
func (f *runFlags) run(cmd *cobra.Command, args, line []string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	outputs, err := parseFormats(f.formats)
	if err != nil {
		return flagError("format", err)
	}
	start := func() (*session, error) { return f.fresh(cmd.Context(), args, line) }
	if f.resume != "" {
		start = func() (*session, error) { return f.resumed(cmd, args) }
	}
	s, err := start()
	if err != nil {
		return err
	}
	if err := s.open(outputs); err != nil {
		return err
	}
	return s.play(cmd.Context(), f, cmd.OutOrStdout(), cmd.ErrOrStderr())
}

// fresh plans a new run.
func (f *runFlags) fresh(ctx context.Context, args, line []string) (*session, error) {
	p, err := await(ctx, func() (*plan, error) {
		suites, err := f.suites(args)
		if err != nil {
			return nil, err
		}
		return newPlan(suites, f.seed, f.time, f.gates)
	})
	if err != nil {
		return nil, err
	}
	m, err := manifestOf(p, line, f.gates)
	if err != nil {
		return nil, err
	}
	dir := cmp.Or(f.out, filepath.Join("runs", time.Now().Format("20060102-150405.000")))
	return newSession(dir, p, m), nil
}

// resumed plans the rest of an interrupted run from its manifest.
func (f *runFlags) resumed(cmd *cobra.Command, args []string) (*session, error) {
	if len(args) > 0 {
		return nil, errors.New("--resume: the run's manifest settles what is run; leave out the suites")
	}
	for _, name := range planning {
		if cmd.Flags().Changed(name) {
			return nil, fmt.Errorf("--resume: the run's manifest settles what is run; leave out --%s", name)
		}
	}
	s, err := await(cmd.Context(), func() (*session, error) { return f.replan() })
	var stopped *exitError
	if err != nil && !errors.As(err, &stopped) {
		return nil, flagError("resume", err)
	}
	return s, err
}

// replan plans the manifest's run again, and makes sure that it is the same.
func (f *runFlags) replan() (*session, error) {
	m, err := readManifest(f.resume)
	if err != nil {
		return nil, err
	}
	suites, err := m.suites(f.resume)
	if err != nil {
		return nil, err
	}
	gates := f.gates
	if gates == nil {
		gates = m.Gates
	}
	p, err := newPlan(suites, m.Seed, m.Time, gates)
	if err != nil {
		return nil, err
	}
	now, err := manifestOf(p, m.Args, gates)
	if err != nil {
		return nil, err
	}
	if err := m.sameAs(now); err != nil {
		return nil, err
	}
	now.Started = m.Started
	s := newSession(f.resume, p, now)
	s.resumed = true
	return s, nil
}
