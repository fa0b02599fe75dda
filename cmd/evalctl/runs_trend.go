package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"evalctl/agent/file"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval"
	"evalctl/eval/gate"
	"evalctl/eval/history"
	"evalctl/eval/suggest"
	"evalctl/reports"
)

type runsTrendFlags struct {
	history.Filter
	last   int
	format string
	html   string
}

func runsTrendCommand(dir *string) *cobra.Command {
	var f runsTrendFlags
	cmd := &cobra.Command{
		Use:   "trend METRIC",
		Short: "Plot a metric over runs",
		Long: `Plot METRIC, such as route.accuracy or latency.p95, over the last runs: a bar per run, the newest
value with its interval, and the last change. Changes are tested case by case, as in evalctl
compare, if both runs have the same cases; ~ marks a change that is not significant. │ marks a
run with different cases, settings or prompts.`,
		Example: "  evalctl runs trend route.accuracy --html trend.html\n  evalctl runs trend latency.p95 --variant llm --last 50 --format csv",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("runs trend: requires one metric, such as route.accuracy")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, *dir, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.Suites, "suite", nil, "only this `SUITE`")
	flags.StringArrayVar(&f.Variants, "variant", nil, "only this `VARIANT`")
	flags.StringArrayVar(&f.Faults, "fault", []string{eval.NoFault}, "the trials under this `FAULT`")
	flags.IntVar(&f.last, "last", 20, "the last `N` runs; 0: all")
	registerFormat(cmd, &f.format)
	flags.StringVar(&f.html, "html", "", "also write an HTML `FILE` with the value and interval of each run")
	return cmd
}

func (f *runsTrendFlags) run(cmd *cobra.Command, dir, metric string) error {
	if err := suggest.CheckKnown("format", f.format, play.TableFormats()); err != nil {
		return flagError("format", err)
	}
	if f.last < 0 {
		return flagError("last", atLeast(0, int64(f.last)))
	}
	out := cmd.OutOrStdout()
	shown := reports.TrendReport{Options: outputOptions(out)}
	return withHistory(cmd, dir, func(ctx context.Context, h *history.History) (err error) {
		if shown.Trend, err = h.Trend(ctx, metric, f.Filter, f.last); err != nil {
			return err
		}
		if f.html != "" {
			if err := f.writePage(shown, dir); err != nil {
				return flagError("html", err)
			}
		}
		return answerTo(shown, f.format, "trend", cmd)
	})
}

// writePage writes the trend as an HTML file, atomically.
func (f *runsTrendFlags) writePage(t reports.TrendReport, dir string) error {
	var b bytes.Buffer
	if err := t.WriteHTML(&b, dir); err != nil {
		return err
	}
	if err := f.refuseOverwrite(dir); err != nil {
		return err
	}
	return file.WriteAtomic(f.html, b.Bytes())
}

// refuseOverwrite returns an error if the HTML file would overwrite the run index or a file of a
// run.
func (f *runsTrendFlags) refuseOverwrite(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	read := []string{filepath.Join(dir, history.IndexFile)}
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); e.IsDir() {
			read = append(read, path)
		}
	}
	return play.RefuseOverwrite(f.html, read...)
}

type runsSinceFlags struct {
	history.Filter
	rule   string
	format string
}

func runsSinceCommand(dir *string) *cobra.Command {
	var f runsSinceFlags
	cmd := &cobra.Command{
		Use:   "since CASE | --gate RULE",
		Short: "Find the run in which a case or a gate rule broke",
		Long: `For each suite and variant, find the run since which CASE is wrong or RULE fails: the last good
run, the first bad run, and what differs between them. Runs are ordered by their start; runs
without the case or metric are skipped. Repeated changes are listed.`,
		Example: "  evalctl runs since tr-chat-002 --variant llm\n  evalctl runs since --gate 'route.accuracy{fault=none} >= 90%'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return errors.New("runs since: requires one case, or --gate")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, *dir, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.rule, "gate", "", "in place of a case, a `RULE` on a figure, as evalctl gate has them")
	flags.StringArrayVar(&f.Suites, "suite", nil, "only this `SUITE`")
	flags.StringArrayVar(&f.Variants, "variant", nil, "only this `VARIANT`")
	registerFormat(cmd, &f.format)
	return cmd
}

func (f *runsSinceFlags) run(cmd *cobra.Command, dir string, args []string) error {
	if err := suggest.CheckKnown("format", f.format, play.TableFormats()); err != nil {
		return flagError("format", err)
	}
	if (len(args) == 1) == (f.rule != "") {
		return errors.New("runs since: requires either a case or --gate, not both")
	}
	var rule gate.Rule
	if f.rule != "" {
		var err error
		if rule, err = gate.Parse(f.rule); err != nil {
			return flagError("gate", err)
		}
	}
	out := cmd.OutOrStdout()
	shown := reports.CaseHistoryReport{Options: outputOptions(out)}
	return withHistory(cmd, dir, func(ctx context.Context, h *history.History) (err error) {
		if f.rule != "" {
			shown.FailureHistory, err = h.RuleHistory(ctx, rule, f.Filter)
		} else {
			shown.FailureHistory, err = h.CaseHistory(ctx, args[0], f.Filter)
		}
		if err != nil {
			return err
		}
		return answerTo(shown, f.format, "answer", cmd)
	})
}
