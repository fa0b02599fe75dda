package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/reports"
)

// selection says which trials to show.
type selection struct {
	variant, fault string
	epoch          int
	failingOnly    bool
	limit          int // of each kind of failing trials; 0: all
}

func (s selection) has(r eval.Result) bool {
	return (s.variant == "" || r.Variant == s.variant) && r.Fault == s.fault && (s.epoch == 0 || r.Epoch == s.epoch)
}

func showCommand() *cobra.Command {
	var s selection
	cmd := &cobra.Command{
		Use:   "show DIR [CASE]",
		Short: "Show why a case came out as it did, or list the failing ones",
		Long: `Show the trials of a case in the run in DIR: what was expected and what came, the
models' own answers, what went in, what came out, and when what happened between.
With --failing list the trials that are wrong, and those without an answer.
Without other flags these are the trials without a fault.`,
		Example: examples("show") + "\n  evalctl show results --failing --variant llm",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case s.failingOnly && len(args) != 1:
				return fmt.Errorf("show: --failing wants a run's folder and no case, has %d arguments", len(args))
			case !s.failingOnly && len(args) != 2:
				return fmt.Errorf("show: wants a run's folder and a case, or a folder and --failing, has %d arguments", len(args))
			}
			return atLeast(0, s.limit)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.failingOnly {
				return s.list(cmd, args[0])
			}
			trials, err := s.find(cmd.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			for _, r := range trials {
				if err := reports.Timeline(terminal.Styled(cmd.OutOrStdout()), r, terminal.Width(cmd.OutOrStdout())); err != nil {
					return exit.NotTheirs(err)
				}
			}
			return nil
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&s.failingOnly, "failing", false, "list the failing trials")
	cmd.Flags().StringVar(&s.variant, "variant", "", "only this `VARIANT`")
	cmd.Flags().StringVar(&s.fault, "fault", eval.NoFault, "the trials under this `FAULT`")
	cmd.Flags().IntVar(&s.epoch, "epoch", 0, "only epoch `N`")
	cmd.Flags().IntVar(&s.limit, "limit", 50, "of --failing list the first `N` that are wrong and the first N without an answer; 0: all")
	return cmd
}

// find reads the trials of a case that are selected, in an order that is always the
// same; there is at least one.
func (s selection) find(ctx context.Context, dir, id string) ([]eval.Result, error) {
	all, err := exit.Await(ctx, func() ([]eval.Result, error) { return journal.TrialsOf(dir, id) })
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("show: %s holds no run: it has no %s", dir, journal.TracesFile)
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, fmt.Errorf("show: %s has no case %q", dir, id)
	}
	slices.SortFunc(all, inOrder)
	var cells []string
	for _, r := range all {
		if name := r.Variant + " under " + r.Fault; !slices.Contains(cells, name) {
			cells = append(cells, name)
		}
	}
	found := slices.DeleteFunc(all, func(r eval.Result) bool { return !s.has(r) })
	if len(found) == 0 {
		return nil, fmt.Errorf("show: no such trial of case %s; there are: %s", id, strings.Join(cells, "; "))
	}
	return found, nil
}
