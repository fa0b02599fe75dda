package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval/runs"
	"evalctl/eval/suggest"
	"evalctl/reports"
)

type reportFlags struct {
	formats []string
	verbose bool
	by      string
	suite   string
	cited   string // file of published results, for a table of several runs
	junit   play.JUnitOptions
	secrets *secret.Set
	page    pageFlags
	otlp    otlpFlags
}

func reportCommand(secrets *secret.Set) *cobra.Command {
	f := reportFlags{secrets: secrets}
	cmd := &cobra.Command{
		Use:   "report [DIR…]",
		Short: "Report on a finished run, recomputed from its results",
		Long: `Report on the run in DIR (or a results.jsonl), by default on the newest run in ./runs. All figures
are recomputed from the results; gate verdicts are shown as recorded.

--by shows one view: class (per label), tag (per tag; tag:PREFIX, tag:lang), node (time per node),
fault (outcomes per fault), loop (Critic rounds), case (hardest cases), confidence (calibration and
thresholds). All views except fault use trials without a fault.

With several runs, it prints the accuracy of each variant on each dataset, as a table, Markdown, LaTeX
or JSON. --cited FILE adds rows of published results: a YAML list of {system, dataset, accuracy, source}.

--otlp exports the run to an OpenTelemetry collector: a trace per trial, a span per call,
histograms and gauges. Exit code 3: the export is incomplete.`,
		Example: "  evalctl report runs/1 -v\n  evalctl report runs/1 --by confidence\n  evalctl report runs/1 --by tag:lang --format latex=languages.tex\n  evalctl report runs/clinc runs/banking --format latex --cited cited.yaml\n  evalctl report runs/1 --format markdown=summary.md --format csv=figures.csv",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return f.checkBenchmark()
			}
			if f.cited != "" {
				return flagError("cited", errors.New("applies to several runs: evalctl report DIR DIR --cited FILE"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return f.runBenchmark(cmd, args)
			}
			if len(args) == 1 {
				return f.run(cmd, args[0])
			}
			path := newestRun(defaultRuns)
			if path == "" {
				return fmt.Errorf("report: no runs in ./%s. Start with: evalctl run", defaultRuns)
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "evalctl: report: of %s, the newest\n", path)
			return f.run(cmd, path)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	registerFormats(cmd, &f.formats, "table")
	registerJUnit(cmd, &f.junit)
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print all tables")
	flags.StringVar(&f.suite, "suite", "", "only the suite `NAME` of the run")
	flags.StringVar(&f.by, "by", "", "one `VIEW` of the run alone: "+suggest.JoinWords(reports.Views()))
	f.page.register(flags)
	f.otlp.register(flags)
	flags.StringVar(&f.cited, "cited", "", "with several runs, YAML `FILE` of published results for further rows")
	addCompletions(cmd, map[string][]string{"by": viewNames()})
	return cmd
}

// reportGCPercent is the garbage collection target of a report. The page of 100,000 trials then needs
// less than 200 MiB, and 10 % more processor time than with the default of 100 (make html-scale).
const reportGCPercent = 50

func (f *reportFlags) run(cmd *cobra.Command, path string) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(reportGCPercent))
	}
	if err := cmp.Or(f.page.check(f.by, f.formats), f.otlp.check(f.secrets)); err != nil {
		return err
	}
	outputs, err := outputsOf(f.page.outputs(f.formats), f.junit)
	if err != nil {
		return err
	}
	if outputs, err = play.CheckOutputs(outputs, append(f.page.inputs(), path)...); err != nil {
		return err
	}
	var by reports.View
	if f.by != "" {
		if by, err = reports.ParseView(f.by); err != nil {
			return flagError("by", err)
		}
	}
	rep, err := exit.CallInterruptible(cmd.Context(), func() (reports.Report, error) { return openReport(path) })
	switch {
	case errors.Is(err, runs.ErrResultsLost):
		return exit.InternalError(fmt.Errorf("report: %w", err))
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("report: %s contains no run: %w", path, err)
	case err != nil:
		return fmt.Errorf("report: %w", err)
	}
	rep.ShowAll, rep.View = f.verbose, by
	lost := rep.Run.MissingResultsReason()
	if lost != "" {
		rep.Notes = append(rep.Notes, lost)
	}
	if f.suite != "" {
		if err := rep.Run.SelectSuite(f.suite); err != nil {
			return flagError("suite", err)
		}
	}
	if err := f.page.complete(&rep, cmd.ErrOrStderr()); err != nil {
		return err
	}
	if rep, err = exit.CallInterruptible(cmd.Context(),
		func() (reports.Report, error) { return recomputeReport(rep, outputs) }); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	out := cmd.OutOrStdout()
	var failed error // error of a single output file; other outputs are still written
	texts, err := exit.CallInterruptible(cmd.Context(), func() ([]play.PendingReport, error) {
		texts, err := play.WriteReportFiles(outputs, out, rep, f.secrets)
		failed = err
		return texts, nil
	})
	if err != nil {
		return err
	}
	if err := errors.Join(failed, play.PrintReports(out, texts)); err != nil {
		return exit.InternalError(err)
	}
	if err := f.otlp.send(cmd.Context(), rep, f.secrets, cmd.ErrOrStderr()); err != nil || lost == "" {
		return err
	}
	return exit.InternalError(errors.New("report: " + lost))
}

// openReport returns a report on the run at path, still without metrics. path may be a results
// file; then the report has no run directory.
func openReport(path string) (reports.Report, error) {
	run, err := runs.Open(path)
	if err != nil {
		return reports.Report{}, err
	}
	rep := reports.Report{Dir: path, Run: run, Notes: run.Notes()}
	if run.Manifest.Version == "" {
		rep.Dir = ""
	} else {
		rep.Seed, rep.BaselinePath = &run.Manifest.Seed, run.Manifest.Baseline
	}
	return rep, nil
}

// recomputeReport adds the metrics and the verdicts of gates, recomputed from the results, and the
// trials that the outputs require.
func recomputeReport(rep reports.Report, outputs []play.Output) (reports.Report, error) {
	rep.Trials = reports.NewTrialCollector(rep, play.FormatsOf(outputs)...)
	sum, notes, err := rep.Run.RecomputeWithGates(rep.Trials.Sinks())
	rep.Summary = sum
	rep.Notes = append(rep.Notes, notes...)
	return rep, err
}

func viewNames() (names []string) {
	for _, v := range append(reports.Views(), reports.ByLanguage) {
		names = append(names, string(v))
	}
	return names
}
