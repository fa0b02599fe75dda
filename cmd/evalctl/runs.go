package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/history"
	"evalctl/eval/suggest"
	"evalctl/reports"
)

func runsCommand() *cobra.Command {
	var dir string
	list := runsListCommand(&dir)
	cmd := group(&cobra.Command{
		Use:   "runs",
		Short: "List and analyze the runs in a directory",
		Long: `List the runs in a directory, newest first, or analyze them with a subcommand. The index ` +
			history.IndexFile + `
is updated automatically, rebuilt if it is damaged, and may be deleted at any time.`,
		Example: "  evalctl runs --limit 5\n  evalctl runs trend route.accuracy\n  evalctl runs since tr-chat-002\n  evalctl runs rm --older 30d --keep 20 --dry-run",
	}, list, runsTrendCommand(&dir), runsSinceCommand(&dir), runsRemoveCommand(&dir), runsIndexCommand(&dir))
	other := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return other(cmd, args)
		}
		return list.RunE(cmd, args)
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().AddFlagSet(list.Flags())
	cmd.PersistentFlags().StringVar(&dir, "dir", "runs", "`DIR` with the runs")
	return cmd
}

// withHistory opens the index of the runs in dir and calls do. It prints which runs could not be
// read.
func withHistory(cmd *cobra.Command, dir string, do func(context.Context, *history.History) error) error {
	_, err := exit.CallInterruptible(cmd.Context(), func() (struct{}, error) {
		h, err := history.Open(cmd.Context(), dir)
		if err != nil {
			return struct{}{}, err
		}
		err = do(cmd.Context(), h)
		for _, problem := range h.Problems {
			fmt.Fprintf(cmd.ErrOrStderr(), "evalctl: passed over: %s\n", terminal.OneLine(problem))
		}
		if h.InMemoryReason != "" {
			fmt.Fprintf(cmd.ErrOrStderr(), "evalctl: %s\n", terminal.OneLine(errors.New(h.InMemoryReason)))
		}
		return struct{}{}, errors.Join(err, h.Close())
	})
	if err != nil {
		return fmt.Errorf("runs: %w", err)
	}
	return nil
}

type runsListFlags struct {
	suites []string
	limit  int
	format string
}

func runsListCommand(dir *string) *cobra.Command {
	var f runsListFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List runs, newest first",
		Long: `List the runs, newest first, with a row for each suite: its cases, and the variant with
the highest accuracy without a fault. A run that has no end, and that no process is
running, is shown as interrupted.`,
		Args: cobra.NoArgs,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.suites, "suite", nil, "only this `SUITE`")
	flags.IntVar(&f.limit, "limit", 20, "the newest `N`; 0: all")
	registerFormat(cmd, &f.format)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return f.run(cmd, *dir) }
	return cmd
}

func (f *runsListFlags) run(cmd *cobra.Command, dir string) error {
	if err := suggest.CheckKnown("format", f.format, play.TableFormats()); err != nil {
		return flagError("format", err)
	}
	if f.limit < 0 {
		return flagError("limit", atLeast(0, int64(f.limit)))
	}
	out := cmd.OutOrStdout()
	shown := reports.RunListReport{
		Runs:    []history.Run{},
		Options: outputOptions(out),
	}
	return withHistory(cmd, dir, func(ctx context.Context, h *history.History) error {
		list, err := h.Runs(ctx, f.suites...)
		if err != nil {
			return err
		}
		n := len(list)
		if f.limit > 0 {
			n = min(n, f.limit)
		}
		shown.Runs, shown.NotShown = append(shown.Runs, list[:n]...), len(list)-n
		return answerTo(shown, f.format, "history", cmd)
	})
}

// answerTo renders output in a format and prints it.
func answerTo(a answer, format, what string, cmd *cobra.Command) error {
	text, err := render(a, format)
	if err != nil {
		return err
	}
	return printAnswer(cmd.OutOrStdout(), format, what, text)
}

func runsIndexCommand(dir *string) *cobra.Command {
	return &cobra.Command{
		Use:   "index",
		Short: "Rebuild the run index",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withHistory(cmd, *dir, func(ctx context.Context, h *history.History) error {
				if err := h.Rebuild(ctx); err != nil {
					return err
				}
				list, err := h.Runs(ctx)
				if err != nil {
					return err
				}
				p := terminal.Printer{W: cmd.OutOrStdout()}
				p.Printf("%d runs are in the index\n", len(list))
				return printError(p)
			})
		},
	}
}

type runsRemoveFlags struct {
	minAge age
	keep   int
	dryRun bool
}

func runsRemoveCommand(dir *string) *cobra.Command {
	var f runsRemoveFlags
	cmd := &cobra.Command{
		Use:   "rm [RUN…]",
		Short: "Delete runs",
		Long: `Delete each RUN, and the runs that --older and --keep select. With both, a run is deleted
if it is older than AGE and not among the newest N. Only the files of a run are deleted,
and its directory if it is then empty. Links are not followed, and runs in progress stay.`,
		Example: "  evalctl runs rm 20260101-120000.000\n  evalctl runs rm --older 30d --keep 20 --dry-run",
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, *dir, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(&f.minAge, "older", "runs that started longer than `AGE` ago, such as 30d or 12h")
	flags.IntVar(&f.keep, "keep", 0, "runs that are not among the newest `N`")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print what would be deleted, without deleting it")
	return cmd
}

func (f *runsRemoveFlags) run(cmd *cobra.Command, dir string, args []string) error {
	given := cmd.Flags().Changed
	switch {
	case len(args) == 0 && !given("older") && !given("keep"):
		return errors.New("runs rm: requires runs, --older or --keep")
	case given("keep") && f.keep < 1:
		return flagError("keep", atLeast(1, int64(f.keep)))
	}
	old := history.RemovalFilter{KeepNewest: f.keep}
	if given("older") {
		old.Before = time.Now().Add(-time.Duration(f.minAge))
	}
	return withHistory(cmd, dir, func(ctx context.Context, h *history.History) error {
		picked, err := h.SelectForRemoval(ctx, args, old)
		if err != nil {
			return err
		}
		return f.remove(cmd, h, picked)
	})
}

// remove deletes the picked runs. If one cannot be deleted, it continues with the others and
// returns the error at the end.
func (f *runsRemoveFlags) remove(cmd *cobra.Command, h *history.History, picked []string) (failed error) {
	p := terminal.Printer{W: cmd.OutOrStdout()}
	verb := "deleted"
	if f.dryRun {
		verb = "would delete"
	}
	for _, name := range picked {
		r := h.Remove(name, f.dryRun)
		switch {
		case r.Err != nil:
			failed = errors.Join(failed, r.Err)
		case r.Remaining != nil:
			p.Printf("%s %s (%s), except files that are not of a run: %s\n", verb, name, size(r.Bytes),
				suggest.JoinWords(r.Remaining))
		default:
			p.Printf("%s %s (%s)\n", verb, name, size(r.Bytes))
		}
	}
	if len(picked) == 0 {
		p.Printf("no run is that old\n")
	}
	return errors.Join(failed, printError(p))
}

func size(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }
