package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/runs"
	"evalctl/eval/suggest"
	"evalctl/reports"
)

// benchmarkFormats are the formats of a table of several runs.
func benchmarkFormats() []string {
	return play.FormatNames([]reports.Format{reports.Table, reports.Markdown, reports.LaTeX, reports.JSON})
}

// checkBenchmark checks the flags of a report on several runs.
func (f *reportFlags) checkBenchmark() error {
	switch {
	case len(f.formats) != 1:
		return flagError("format", errors.New("requires one format for several runs"))
	case f.by != "" || f.suite != "":
		return errors.New("report: --by and --suite apply to one run")
	}
	if err := suggest.CheckKnown("format", f.formats[0], benchmarkFormats()); err != nil {
		return flagError("format", fmt.Errorf("%w (several runs)", err))
	}
	return nil
}

// runBenchmark prints a table of several runs: systems by datasets.
func (f *reportFlags) runBenchmark(cmd *cobra.Command, paths []string) error {
	out := cmd.OutOrStdout()
	table, err := exit.CallInterruptible(cmd.Context(),
		func() (reports.BenchmarkTable, error) { return f.benchmarkTable(paths) })
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	table.Width, table.Color, table.ASCII = terminal.Width(out), terminal.HasColor(out), !terminal.IsUTF8()
	text, err := render(table, f.formats[0])
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return printAnswer(out, f.formats[0], "benchmark table", text)
}

func (f *reportFlags) benchmarkTable(paths []string) (table reports.BenchmarkTable, err error) {
	var cited []reports.CitedScore
	if f.cited != "" {
		if cited, err = reports.ReadCited(f.cited); err != nil {
			return table, fmt.Errorf("--cited: %w", err)
		}
	}
	var list []reports.BenchmarkRun
	for _, path := range paths {
		run, err := runs.Open(path)
		if err != nil {
			return table, err
		}
		sum, err := run.Recompute()
		if err != nil {
			return table, err
		}
		one := reports.BenchmarkRun{Dir: path, Summary: sum}
		for i := range sum.Suites {
			hash := ""
			if i < len(run.Manifest.Datasets) {
				hash = run.Manifest.Datasets[i].Hash
			}
			one.DatasetHashes = append(one.DatasetHashes, hash)
		}
		list = append(list, one)
	}
	return reports.NewBenchmarkTable(list, cited)
}
