package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/reports"
)

func showCommand() *cobra.Command {
	var variant, fault string
	var epoch int
	cmd := &cobra.Command{
		Use:   "show DIR CASE",
		Short: "Show what happened in one case: input, reply, trace as a timeline",
		Long: `Show the trials of a case in the run in DIR: what went in, what came out, and
when what happened between. Without flags these are the trials without a fault.`,
		Example: "  evalctl show runs/20261120-101500.000 tr-img-001 --variant llm-first --fault image:server_error",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			traces, others, err := findTraces(args[0], args[1], func(t journal.Trace) bool {
				return (variant == "" || t.Variant == variant) && t.Fault == fault && (epoch == 0 || t.Epoch == epoch)
			})
			if err != nil {
				return err
			}
			if len(traces) == 0 {
				return fmt.Errorf("show: no such trial of case %s; there are: %s", args[1], strings.Join(others, "; "))
			}
			for _, t := range traces {
				if err := reports.Timeline(cmd.OutOrStdout(), t, terminalWidth(cmd.OutOrStdout())); err != nil {
					return incomplete(err)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&variant, "variant", "", "only this variant")
	cmd.Flags().StringVar(&fault, "fault", eval.NoFault, "the trials under this fault")
	cmd.Flags().IntVar(&epoch, "epoch", 0, "only this epoch")
	return cmd
}

// findTraces reads a case's trials: those that match, and the names of all. A
// trial that was interrupted may have two traces; the last counts.
func findTraces(dir, id string, match func(journal.Trace) bool) ([]journal.Trace, []string, error) {
	var found []journal.Trace
	var names []string
	for t, err := range journal.Traces(dir) {
		if err != nil {
			return nil, nil, err
		}
		if t.Case != id {
			continue
		}
		if name := t.Variant + " under " + t.Fault; !slices.Contains(names, name) {
			names = append(names, name)
		}
		if !match(t) {
			continue
		}
		if i := slices.IndexFunc(found, func(f journal.Trace) bool { return f.Key == t.Key }); i >= 0 {
			found[i] = t
		} else {
			found = append(found, t)
		}
	}
	if names == nil {
		return nil, nil, fmt.Errorf("show: no case %q in %s", id, filepath.Join(dir, journal.TracesFile))
	}
	return found, names, nil
}
