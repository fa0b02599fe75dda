package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval/compare"
	"evalctl/eval/runs"
	"evalctl/eval/suggest"
	"evalctl/reports"
)

const maxCompared = 16

type compareFlags struct {
	compare.Selection
	all    bool
	format string
	html   string

	secrets *secret.Set
}

func compareCommand(secrets *secret.Set) *cobra.Command {
	f := compareFlags{secrets: secrets}
	cmd := &cobra.Command{
		Use:   "compare RUN [RUN…]",
		Short: "Compare runs or variants case by case",
		Long: `Compare each RUN (a directory or a results.jsonl) with the first, case by case: accuracy,
macro-F1, classes, tags, cost and latency, with 95 % intervals and p-values adjusted for
multiple comparisons, and the fixed and broken cases. More than two are ranked.

By default every variant that all runs have is compared, without faults. One run alone is
compared variant by variant: each with the baseline variant, or only those of --variant.

The runs may be of different targets, such as http, exec and prompt, if they have the same
cases: the same ids with the same content. Then the only other variant of each run is paired,
too. --variant V=W=X pairs variants by name, one of each run. Suites may have different
names if each run has only one. Runs with different cases are refused; so are runs of
--only-failing, whose cases are selected by their result.`,
		Example: `  evalctl compare runs/before runs/after
  evalctl compare runs/before runs/after --html compare.html
  evalctl compare runs/before runs/after --variant rules=llm-first
  evalctl compare runs/today
  evalctl compare runs/today --variant llm --variant llm-first
  evalctl compare runs/http runs/exec runs/prompt --variant http=exec=few-shot`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return fmt.Errorf("compare: requires two run directories, or one with several variants")
			case len(args) > maxCompared:
				return fmt.Errorf("compare: %d runs are more than %d to compare at once", len(args), maxCompared)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.Variants, "variant", nil,
		"only this `VARIANT`, or V=W: V of the first run and W of the second, and so on")
	flags.StringArrayVar(&f.Faults, "fault", nil, "the trials under this `FAULT` (none)")
	flags.StringArrayVar(&f.Suites, "suite", nil, "only this `SUITE`")
	flags.BoolVar(&f.CommonCases, "common-cases", false, "compare the cases that all runs have, where some lack some")
	flags.BoolVar(&f.all, "all", false,
		"every case that changed, and every label and tag: not only the first 20, and those in which nothing changed too")
	registerFormat(cmd, &f.format)
	flags.StringVar(&f.html, "html", "",
		"also write an HTML report of the second run to `FILE`, which shows the comparison first")
	return cmd
}

func (f *compareFlags) run(cmd *cobra.Command, args []string) error {
	if err := suggest.CheckKnown("format", f.format, play.TableFormats()); err != nil {
		return flagError("format", err)
	}
	if f.html != "" && len(args) != 2 {
		return flagError("html", errors.New("requires two runs: evalctl compare BEFORE AFTER --html FILE"))
	}
	out := cmd.OutOrStdout()
	shown := reports.ComparisonReport{
		Options:         outputOptions(out),
		ShowAll:         f.all,
		CommonCasesOnly: f.CommonCases,
	}
	text, err := exit.CallInterruptible(cmd.Context(), func() ([]byte, error) { return f.render(shown, args) })
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	if f.html != "" {
		if err := f.writePage(cmd, args[0], args[1]); err != nil {
			return err
		}
	}
	return printAnswer(out, f.format, "comparison", text)
}

// writePage writes the HTML report of the run at path after, which is compared with the run before.
func (f *compareFlags) writePage(cmd *cobra.Command, before, after string) error {
	outputs, err := outputsOf([]string{string(reports.HTML) + "=" + f.html}, play.JUnitOptions{})
	if err != nil {
		return err
	}
	if outputs, err = play.CheckOutputs(outputs, before, after); err != nil {
		return err
	}
	page := pageFlags{baseline: before}
	_, err = exit.CallInterruptible(cmd.Context(), func() (any, error) {
		rep, err := openReport(after)
		if err != nil {
			return nil, err
		}
		rep.BaselineSelection, rep.ComparisonFirst = f.Selection, true
		if err := page.complete(&rep, cmd.ErrOrStderr()); err != nil {
			return nil, err
		}
		if rep, err = recomputeReport(rep, outputs); err != nil {
			return nil, err
		}
		_, err = play.WriteReportFiles(outputs, cmd.OutOrStdout(), rep, f.secrets)
		return nil, err
	})
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	return nil
}

func (f *compareFlags) render(shown reports.ComparisonReport, paths []string) ([]byte, error) {
	sources, err := sourcesOf(paths)
	if err != nil {
		return nil, err
	}
	if shown.Suites, err = compare.Runs(sources, f.Selection); err != nil {
		return nil, err
	}
	return render(shown, f.format)
}

// sourcesOf opens the runs at the paths for a comparison. A run can be named twice and is then
// compared with itself.
func sourcesOf(paths []string) (list []compare.RunData, err error) {
	for _, path := range paths {
		r, err := runs.Open(path)
		if err != nil {
			return nil, err
		}
		list = append(list, r.ComparisonData())
	}
	return list, nil
}
