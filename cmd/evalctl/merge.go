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

// mergeFlags are the flags of evalctl merge.
type mergeFlags struct {
	out     string
	partial bool
	formats []string
	html    string
	verbose bool
	changed bool
	gates   gateFlags
}

func mergeCommand(line []string, secrets *secret.Set) *cobra.Command {
	var f mergeFlags
	cmd := &cobra.Command{
		Use:   "merge DIR…",
		Short: "Make one run of the shards that run --shard has played",
		Long: `Make one run in --out of the shards in each DIR, which may have been played on many
machines: its summary is that of one run that played all, byte for byte, and its gates
are judged. All shards have to be of one run, with the same version, suites, seed and
datasets under the same paths, and all there, each once; no trial may be missing, or in
two of them. What a trial came to is copied as it was written, its checksum checked, and
what it repeats of its case held against that, where the dataset is here as it was.

Gates and baseline are those that the shards were begun with, unless others are given:
a shard without any leaves them to the others, and two with different ones are refused.
With --partial shards may be missing or cut short: evalctl run --resume then plays what
is left.

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
	flags.StringVar(&f.out, "out", "", "folder `DIR` for the run, which is not there yet")
	flags.BoolVar(&f.partial, "partial", false, "merge what there is, though shards are missing or did not end")
	flags.BoolVar(&f.changed, "allow-changed", false, "accept parts whose commands ran different programs; manifest and report say so")
	registerFormats(cmd, &f.formats, "table")
	flags.StringVar(&f.html, "html", "", "one `FILE` for a browser besides, as --format html=FILE")
	flags.StringArrayVar(&f.gates.Rules, "gate", nil, "judge the run by `RULE` in place of those that the shards were begun with; besides those of the suites")
	f.gates.register(cmd)
	flags.BoolP("quiet", "q", false, "as of run; merge says nothing besides the report and errors anyway")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "every cell in full detail")
	return cmd
}

func (f *mergeFlags) run(cmd *cobra.Command, args, line []string, secrets *secret.Set) error {
	if f.out == "" {
		return fmt.Errorf("merge: --out: is missing, the folder for the run")
	}
	if err := f.gates.check(); err != nil {
		return flagError("undecided", err)
	}
	outputs, err := play.ParseFormats(pageFlags{file: f.html}.outputs(f.formats))
	if err != nil {
		return flagError("format", err)
	}
	identity, err := build.Identity()
	if err != nil {
		return err
	}
	m := play.Merging{Shards: args, Out: f.out, Partial: f.partial, Version: identity, Args: line, Gates: f.gates.Gates, Outputs: outputs, Secrets: secrets,
		Strict: f.gates.isStrict(), Detail: f.verbose, Changed: f.changed}
	return exit.Done(cmd.Context(), func() error { return m.Merge(cmd.Context(), cmd.OutOrStdout()) })
}
