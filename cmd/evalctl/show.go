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

func (p selection) has(t journal.Trace) bool {
	return (p.variant == "" || t.Variant == p.variant) && t.Fault == p.fault && (p.epoch == 0 || t.Epoch == p.epoch)
}

func showCommand() *cobra.Command {
	var p selection
	cmd := &cobra.Command{
		Use:   "show DIR CASE",
		Short: "Show what happened in one case: input, reply, trace as a timeline",
		Long: `Show the trials of a case in the run in DIR: what went in, what came out, and
when what happened between. Without flags these are the trials without a fault.`,
		Example: `  evalctl show results tr-img-001
  evalctl show results tr-img-001 --variant llm-first --fault image:server_error`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("show: wants a run's folder and a case, has %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			traces, err := p.find(cmd.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			for _, t := range traces {
				if err := reports.Timeline(cmd.OutOrStdout(), t, terminal.Width(cmd.OutOrStdout())); err != nil {
					return exit.NotTheirs(err)
				}
			}
			return nil
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&p.variant, "variant", "", "only this `VARIANT`")
	cmd.Flags().StringVar(&p.fault, "fault", eval.NoFault, "the trials under this `FAULT`")
	cmd.Flags().IntVar(&p.epoch, "epoch", 0, "only epoch `N`")
	return cmd
}

// find reads the trials of a case that are selectioned, in an order that is always
// the same; there is at least one.
func (p selection) find(ctx context.Context, dir, id string) ([]journal.Trace, error) {
	all, err := exit.Await(ctx, func() ([]journal.Trace, error) { return tracesOf(dir, id) })
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
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
	found := slices.DeleteFunc(all, func(t journal.Trace) bool { return !p.has(t) })
	if len(found) == 0 {
		return nil, fmt.Errorf("show: no such trial of case %s; there are: %s", id, strings.Join(names, "; "))
	}
	return found, nil
}

// tracesOf reads a case's trials. One that was interrupted, or played again,
// may have two traces; the last counts.
func tracesOf(dir, id string) ([]journal.Trace, error) {
	var list []journal.Trace
	for t, err := range journal.TracesOf(dir, id) {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("show: %s holds no run: it has no %s", dir, journal.TracesFile)
		}
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(list, func(other journal.Trace) bool { return other.Key == t.Key }); i >= 0 {
			list[i] = t
		} else {
			list = append(list, t)
		}
	}
	return list, nil
}
