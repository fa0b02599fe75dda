package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/datasets/importer"
	"evalctl/eval/suggest"
)

// maxListed is the maximum number of rejected rows that import prints.
const maxListed = 20

type importFlags struct {
	importer.Options
	out           string
	force, strict bool
}

func importCommand() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FORMAT PATH... -o FILE",
		Short: "Convert a public dataset into cases",
		Long: `Convert a public dataset, in its publisher's format, into cases. Rows that cannot be
converted are reported with file and line. Several paths become one file.

` + importFormats(),
		Example: "  evalctl dataset import clinc150 data_full.json -o clinc.jsonl\n" +
			"  evalctl dataset import massive 1.0 --locale zh-CN -o massive-zh.jsonl\n" +
			"  evalctl dataset import csv tickets.csv --text-column body --label-column team -o tickets.jsonl\n" +
			"  evalctl dataset import json train.json test.json --split-name file --text-path /input/text -o all.jsonl",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "csv" {
				return errors.New("dataset import: PATH is missing. Example: evalctl dataset import csv cases.csv --text-column text --label-column label -o cases.jsonl")
			}
			if len(args) < 2 {
				return fmt.Errorf("dataset import: requires FORMAT and PATH, got %d arguments", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			var words []string
			for _, i := range importer.All() {
				words = append(words, i.Name+"\t"+i.Summary)
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args[0], args[1:], cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f.register(cmd)
	return cmd
}

func importFormats() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Formats, and what PATH is:\n")
	for _, i := range importer.All() {
		fmt.Fprintf(&b, "  %-13s %s: %s\n", i.Name, i.Summary, i.PathHint)
	}
	return strings.TrimRight(b.String(), "\n")
}

func (f *importFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.out, "out", "o", "", "write the cases to `FILE`; - is stdout")
	flags.BoolVar(&f.force, "force", false, "replace FILE where it is there")
	flags.BoolVar(&f.strict, "strict", false, "write nothing, and exit 2, where any row is rejected")
	flags.StringVar(&f.Locale, "locale", "", "massive: only this `LOCALE`, such as zh-CN")
	flags.StringVar(&f.Text, "text-column", "", "csv: `COLUMN` of the text; promptfoo: the variable")
	flags.StringVar(&f.Label, "label-column", "", "csv: `COLUMN` of the label")
	flags.StringVar(&f.ID, "id-column", "",
		"csv: `COLUMN` of the id (id; without it, ids are derived from text and label)")
	flags.StringVar(&f.Split, "split-column", "", "csv: `COLUMN` of the split (none)")
	flags.StringVar(&f.SplitName, "split-name", "",
		"`SPLIT` of all cases: train, dev, test, or file for the one in each file's name")
	flags.StringVar(&f.TextPath, "text-path", "", "json: `PATH` of the text, a JSON Pointer or as in input.text")
	flags.StringVar(&f.LabelPath, "label-path", "", "json: `PATH` of the label")
	flags.StringVar(&f.IDPath, "id-path", "", "json: `PATH` of the id")
	flags.StringVar(&f.SplitPath, "split-path", "", "json: `PATH` of the split")
	flags.StringVar(&f.ItemsPath, "items-path", "", "json: `PATH` of the list in a document")
	flags.StringVar(&f.Delimiter, "delimiter", "", "csv: `CHARACTER` between fields (a comma)")
}

func (f *importFlags) run(ctx context.Context, format string, paths []string, stdout, stderr io.Writer) error {
	i, ok := importer.Find(format)
	if !ok {
		var known []string
		for _, i := range importer.All() {
			known = append(known, i.Name)
		}
		return suggest.UnknownWordError("format", format, known)
	}
	to, err := f.destination(paths, terminal.RawWriter(stdout))
	if err != nil {
		return err
	}
	rejected := rejections{p: terminal.Printer{W: stderr}}
	sum, err := i.Import(ctx, importer.Config{
		Path:      paths[0],
		MorePaths: paths[1:],
		Options:   f.Options,
		Out:       to,
		Rejected:  rejected.add,
		Note:      func(message string) { rejected.p.Printf("%s\n", message) },
	})
	rejected.end()
	var option *importer.OptionError
	switch {
	case to.err != nil:
		err = exit.InternalError(fmt.Errorf("%s: %w", f.out, to.err))
	case ctx.Err() != nil:
		err = exit.ErrInterrupted
	case errors.As(err, &option):
		err = flagError(importFlag(option.Option), errors.New(option.Reason))
	case err == nil && f.strict && sum.Rejected > 0:
		err = fmt.Errorf("%s: %d rows rejected: no file was written", strings.Join(paths, ", "), sum.Rejected)
	}
	if err := errors.Join(err, rejected.p.Err); err != nil {
		return errors.Join(err, to.discard())
	}
	switch err := to.commit(); {
	case errors.Is(err, fs.ErrExist):
		return flagError("out", fmt.Errorf("%s is there by now: give another name, or --force", f.out))
	case err != nil:
		return exit.InternalError(fmt.Errorf("%s: %w", f.out, err))
	}
	p := terminal.Printer{W: stdout}
	if f.out == "-" {
		p.W = stderr
	}
	p.Printf("%s\n", importSummary(f.out, sum))
	return printError(p)
}

func importFlag(option string) string {
	switch option {
	case "text", "label", "id", "split":
		return option + "-column"
	}
	return option
}

// importSummary returns one line with the numbers of written cases, labels and rejected rows.
func importSummary(out string, sum importer.Summary) string {
	var parts []string
	for _, split := range []string{"train", "dev", "test", ""} {
		if n := sum.Splits[split]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", cmp.Or(split, "no split"), n))
		}
	}
	line := fmt.Sprintf("%s: %d cases (%s), %d labels, %d rows rejected", out, sum.Cases, strings.Join(parts, ", "),
		sum.Labels, sum.Rejected)
	if sum.ConflictingCases > 0 {
		line += fmt.Sprintf("; %d texts occur earlier in their split with another label", sum.ConflictingCases)
	}
	return line
}

// rejections prints the first rejected rows of an import and counts the rest.
type rejections struct {
	p terminal.Printer
	n int
}

func (r *rejections) add(one importer.Rejection) {
	if r.n++; r.n <= maxListed {
		r.p.Printf("%v\n", one)
	}
}

func (r *rejections) end() {
	if r.n > maxListed {
		r.p.Printf("… and %d more\n", r.n-maxListed)
	}
}
