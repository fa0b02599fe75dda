package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/build"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
)

type mergeFlags struct {
	out     string
	partial bool
	formats []string
	html    string
	junit   play.JUnitOptions
	verbose bool
	changed bool
	gates   gateFlags
}

func mergeCommand(line []string, secrets *secret.Set) *cobra.Command {
	var f mergeFlags
	cmd := &cobra.Command{
		Use:   "merge DIR…",
		Short: "Combine shards into one run",
		Long: `Combine the shards in each DIR into one run in --out and evaluate its gates. The summary is
identical to that of one run. All shards must belong to one run: the same version, suites, seed
and datasets, each shard once, and no trial missing or duplicated. Checksums are verified.

Gates and baseline are those of the shards, unless others are given. With --partial, shards may
be missing or incomplete: evalctl run --resume then runs the rest.

Exit codes: those of run.`,
		Example: `  evalctl run --shard 1/2 --out part1
  evalctl run --shard 2/2 --out part2
  evalctl merge part1 part2 --out whole`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("merge: requires the directories of the shards")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args, line, secrets) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.out, "out", "", "new directory `DIR` for the run")
	flags.BoolVar(&f.partial, "partial", false, "merge although shards are missing or did not finish")
	flags.BoolVar(&f.changed, "allow-changed", false,
		"accept shards whose commands ran different programs; manifest and report state it")
	registerFormats(cmd, &f.formats, "table")
	registerJUnit(cmd, &f.junit)
	flags.StringVar(&f.html, "html", "", "also write `FILE` for a browser, as --format html=FILE")
	flags.StringArrayVar(&f.gates.Rules, "gate", nil,
		"check `RULE` in addition to the rules of the suites, instead of the rules given to the shards")
	f.gates.register(cmd)
	flags.BoolP("quiet", "q", false, "no effect: merge prints only the report and errors")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print all tables")
	return cmd
}

func (f *mergeFlags) run(cmd *cobra.Command, args, line []string, secrets *secret.Set) error {
	if f.out == "" {
		return fmt.Errorf("merge: requires --out DIR, a new directory for the run")
	}
	if err := f.gates.check(); err != nil {
		return flagError("undecided", err)
	}
	outputs, err := outputsOf(pageFlags{file: f.html}.outputs(f.formats), f.junit)
	if err != nil {
		return err
	}
	identity, err := build.Identity()
	if err != nil {
		return err
	}
	m := play.MergeOptions{
		Shards:       args,
		OutDir:       f.out,
		Partial:      f.partial,
		Version:      identity,
		Args:         line,
		Gates:        f.gates.Gates,
		Outputs:      outputs,
		Secrets:      secrets,
		Strict:       f.gates.isStrict(),
		Verbose:      f.verbose,
		AllowChanged: f.changed,
	}
	return exit.RunInterruptible(cmd.Context(), func() error { return m.Merge(cmd.Context(), cmd.OutOrStdout()) })
}
