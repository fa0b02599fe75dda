package main

import (
	"cmp"
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

// selection says which trials of a case to show.
type selection struct {
	variant, fault string
	epoch          int
}

func (s selection) has(t journal.Trace) bool {
	return (s.variant == "" || t.Variant == s.variant) && t.Fault == s.fault && (s.epoch == 0 || t.Epoch == s.epoch)
}

func showCommand() *cobra.Command {
	var s selection
	cmd := &cobra.Command{
		Use:   "show DIR CASE",
		Short: "Show what happened in one case: input, reply, trace as a timeline",
		Long: `Show the trials of a case in the run in DIR: what went in, what came out, and
when what happened between. Without flags these are the trials without a fault.`,
		Example: examples("show"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("show: wants a run's folder and a case, has %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			traces, err := s.find(cmd.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			for _, t := range traces {
				if err := reports.Timeline(terminal.Styled(cmd.OutOrStdout()), t, terminal.Width(cmd.OutOrStdout())); err != nil {
					return exit.NotTheirs(err)
				}
			}
			return nil
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&s.variant, "variant", "", "only this `VARIANT`")
	cmd.Flags().StringVar(&s.fault, "fault", eval.NoFault, "the trials under this `FAULT`")
	cmd.Flags().IntVar(&s.epoch, "epoch", 0, "only epoch `N`")
	return cmd
}

// find reads the trials of a case that are selected, in an order that is always the
// same; there is at least one.
func (s selection) find(ctx context.Context, dir, id string) ([]journal.Trace, error) {
	all, err := exit.Await(ctx, func() ([]journal.Trace, error) { return journal.TracesOf(dir, id) })
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("show: %s holds no run: it has no %s", dir, journal.TracesFile)
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, fmt.Errorf("show: %s has no case %q", dir, id)
	}
	slices.SortFunc(all, func(a, b journal.Trace) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Variant, b.Variant), cmp.Compare(a.Fault, b.Fault), cmp.Compare(a.Epoch, b.Epoch))
	})
	var names []string
	for _, t := range all {
		if name := t.Variant + " under " + t.Fault; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	found := slices.DeleteFunc(all, func(t journal.Trace) bool { return !s.has(t) })
	if len(found) == 0 {
		return nil, fmt.Errorf("show: no such trial of case %s; there are: %s", id, strings.Join(names, "; "))
	}
	return found, nil
}
