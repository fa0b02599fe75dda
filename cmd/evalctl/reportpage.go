package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"evalctl/cmd/evalctl/play"
	"evalctl/eval/runs"
	"evalctl/reports"
)

// pageFlags are the flags of report that configure its HTML file and name the baseline run.
type pageFlags struct {
	file     string
	size     int64
	baseline string
}

func (f *pageFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "html", "",
		"one `FILE` for a browser besides, as --format html=FILE: figures, cases and their traces")
	flags.Int64Var(&f.size, "html-size", 3_000_000,
		"most `BYTES` of that file: traces beyond it are left out, those of wrong answers last; figures and texts of cases are never cut")
	flags.StringVar(&f.baseline, "baseline", "", "compare the run with the earlier one in `DIR`, in that file")
}

// check returns an error if the size of the HTML file is invalid, or if a format cannot show the
// single view of --by.
func (f *pageFlags) check(by string, formats []string) error {
	if f.size <= 0 {
		return flagError("html-size", fmt.Errorf("%d bytes is not a positive size", f.size))
	}
	if by == "" {
		return nil
	}
	for _, text := range f.outputs(formats) {
		name, _, _ := strings.Cut(text, "=")
		known := slices.Contains(reports.Formats(), reports.Format(name))
		if known && !slices.Contains(reports.TableFormats(), reports.Format(name)) {
			return flagError("by", fmt.Errorf("%s is of the whole run: one view is shown as %s", name,
				joinOr(play.FormatNames(reports.TableFormats()))))
		}
	}
	return nil
}

// outputs returns the formats of --format plus the HTML file of --html.
func (f pageFlags) outputs(formats []string) []string {
	if f.file == "" {
		return formats
	}
	return append(formats, string(reports.HTML)+"="+f.file)
}

// inputs returns the paths of further runs that the report reads, which outputs must not overwrite.
func (f *pageFlags) inputs() []string {
	if f.baseline == "" {
		return nil
	}
	return []string{f.baseline}
}

// complete adds the options of the HTML file and the baseline run to a report. Notes go to stderr.
func (f *pageFlags) complete(rep *reports.Report, stderr io.Writer) error {
	rep.HTMLMaxBytes = f.size
	var one sync.Mutex // several files can write notes at once
	rep.Log = func(text string) {
		one.Lock()
		defer one.Unlock()
		fmt.Fprintln(stderr, text)
	}
	if f.baseline == "" {
		return nil
	}
	earlier, err := runs.Open(f.baseline)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return flagError("baseline", fmt.Errorf("%s contains no run: %w", f.baseline, err))
	case err != nil:
		return flagError("baseline", err)
	}
	rep.BaselineRun = earlier
	return nil
}
