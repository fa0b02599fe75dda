package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"evalctl/agent"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

func datasetCommand() *cobra.Command {
	var columns datasets.CSVColumns
	show := &cobra.Command{
		Use:     "show NAME|FILE [CASE]",
		Short:   "Show counts, the card and sample cases of a dataset, or one case",
		Example: "  evalctl dataset show " + datasets.BuiltInNames()[0] + "\n  evalctl dataset show cases.jsonl c17",
		Args:    datasetArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return showDataset(cmd.Context(), cmd.OutOrStdout(), args, columns)
		},
	}
	var strict bool
	check := &cobra.Command{
		Use:   "check NAME|FILE",
		Short: "Validate a dataset and report near-duplicates across splits",
		Long: `Validate a dataset and report near-duplicates across splits. They are warnings, because published
datasets contain some. With --strict, they exit with 2.`,
		Args: datasetArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return checkDataset(cmd.Context(), cmd.OutOrStdout(), args[0], columns, strict)
		},
	}
	check.Flags().BoolVar(&strict, "strict", false, "exit with 2 if near-duplicates are in different splits")
	for _, cmd := range []*cobra.Command{show, check} {
		registerColumns(cmd.Flags(), &columns)
	}
	return group(&cobra.Command{Use: "dataset", Short: "List, show, check and import labeled cases"},
		&cobra.Command{
			Use:   "list",
			Short: "List the embedded datasets",
			Args:  cobra.NoArgs,
			RunE:  func(cmd *cobra.Command, _ []string) error { return listDatasets(cmd.OutOrStdout()) },
		},
		show, check,
		importCommand(),
	)
}

// datasetArgs returns a check that a dataset command has at least one argument and no more than
// most.
func datasetArgs(most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < 1 || len(args) > most {
			return fmt.Errorf("dataset %s: requires a shipped dataset or a file, got %d arguments",
				cmd.Name(), len(args))
		}
		return nil
	}
}

func listDatasets(w io.Writer) error {
	p := terminal.Printer{W: w}
	for _, name := range datasets.BuiltInNames() {
		d, err := openDetected(name)
		if err != nil {
			return exit.InternalError(err)
		}
		about, err := d.Describe(0)
		if err != nil {
			return exit.InternalError(err)
		}
		p.Printf("%s  %d cases  hash %s\n  labels %s\n  splits %s\n", name, about.Cases, about.Hash,
			counts(about.Labels), counts(about.Splits))
	}
	return printError(p)
}

func showDataset(ctx context.Context, w io.Writer, args []string, columns datasets.CSVColumns) error {
	d, err := exit.CallInterruptible(ctx,
		func() (*datasets.Dataset, error) { return openWithColumns(args[0], columns) })
	if err != nil {
		return err
	}
	if len(args) == 2 {
		c, err := exit.CallInterruptible(ctx, func() (eval.Case, error) { return findCase(d, args[1]) })
		if err != nil {
			return err
		}
		return printCase(w, c)
	}
	about, err := exit.CallInterruptible(ctx, func() (datasets.Description, error) { return d.Describe(8) })
	if err != nil {
		return err
	}
	p := terminal.Printer{W: w}
	p.Printf("%s  %d cases  hash %s\n", about.Name, about.Cases, about.Hash)
	p.Printf("labels     %s\nlanguages  %s\nsplits     %s\ntags       %s\n\n",
		counts(about.Labels), counts(about.Languages), counts(about.Splits), counts(about.Tags))
	for _, c := range about.Examples {
		last := c.Turns[len(c.Turns)-1]
		p.Printf("%-12s %s  %s\n", c.ID, last.Expected, userText(last.Turn))
	}
	if slices.Contains(datasets.BuiltInNames(), args[0]) {
		card, err := datasets.DatasetCard(args[0])
		if err != nil {
			return exit.InternalError(err)
		}
		p.Printf("\n%s", card)
	}
	return printError(p)
}

// userText returns the user's text of a turn on one line. Messages of a batch are separated by ⏎.
func userText(t agent.Turn) string {
	messages := slices.Clone(t.Batch)
	if messages == nil {
		messages = []string{t.Text}
	}
	for i, m := range messages {
		messages[i] = strings.Join(strings.Fields(m), " ")
	}
	return strings.Join(messages, " ⏎ ")
}

func findCase(d *datasets.Dataset, id string) (eval.Case, error) {
	for c, err := range d.Stream(datasets.Filter{}) {
		if err != nil {
			return eval.Case{}, err
		}
		if c.ID == id {
			return c, nil
		}
	}
	return eval.Case{}, fmt.Errorf("dataset %s: no case %q", d.Name, id)
}

func printCase(w io.Writer, c eval.Case) error {
	p := terminal.Printer{W: w}
	p.Printf("%s  (%s)  split %s  tags %s\n", c.ID, c.Pos, cmp.Or(c.Split, "(none)"),
		cmp.Or(strings.Join(c.Tags, ", "), "(none)"))
	for i, s := range c.Turns {
		input, err := json.MarshalIndent(s.Turn, "", "  ")
		if err != nil {
			return exit.InternalError(err)
		}
		p.Printf("turn %d %s\nexpect %s\n", i+1, input, s.Expected)
	}
	return printError(p)
}

// findings are the results of checking a dataset: its errors and its near-duplicates.
type findings struct {
	data       *datasets.Dataset
	problems   []error
	pairs      []datasets.SimilarPair
	incomplete error // pairs are not all near-duplicates, because there are too many; nil: they are all
}

func inspect(name string, columns datasets.CSVColumns) (f findings, err error) {
	schema, err := schemaOf(name, columns)
	if err != nil {
		return f, err
	}
	f.data, f.problems, err = datasets.Check(name, schema)
	if err == nil && len(f.problems) == 0 {
		f.pairs, err = f.data.NearDuplicates(datasets.NearDuplicateThreshold)
	}
	if errors.Is(err, datasets.ErrTooManyPairs) {
		f.incomplete, err = err, nil
	}
	return f, err
}

// checkDataset prints all problems of a dataset. It returns an error if there are any. It warns
// about near-duplicates in different splits; if strict is true, they are an error.
func checkDataset(ctx context.Context, w io.Writer, name string, columns datasets.CSVColumns, strict bool) error {
	found, err := exit.CallInterruptible(ctx, func() (findings, error) { return inspect(name, columns) })
	if err != nil {
		return err
	}
	p := terminal.Printer{W: w}
	for _, problem := range found.problems {
		p.Printf("%s\n", terminal.OneLine(problem))
	}
	if n := len(found.problems); n > 0 {
		return errors.Join(printError(p), fmt.Errorf("dataset %s: problems: %d", name, n))
	}
	if found.incomplete != nil {
		p.Printf("warning: %s: only these are counted\n", terminal.OneLine(found.incomplete))
	}
	within, across := int64(0), int64(0)
	for _, pair := range found.pairs {
		if pair.A.Split == pair.B.Split {
			within++
			continue
		}
		if across++; across <= maxListed || strict {
			p.Printf("%s (%s) and %s (%s) are near-duplicates across splits: similarity %.2f\n",
				pair.A.ID, pair.A.Split, pair.B.ID, pair.B.Split, pair.Similarity)
		}
	}
	if across > 0 && strict {
		return errors.Join(printError(p),
			fmt.Errorf("dataset %s: %s across splits", name, metric.Plural(across, "near-duplicate")))
	}
	shown := "none across"
	if across > 0 {
		if across > maxListed {
			p.Printf("… and %d more (--strict lists all)\n", across-maxListed)
		}
		shown = fmt.Sprintf("warning: %d across (--strict exits with 2)", across)
	}
	p.Printf("%s: %s, no problem; %s within splits, %s\n", name, metric.Plural(found.data.Cases, "case"),
		metric.Plural(within, "near-duplicate"), shown)
	return printError(p)
}

// shownCounts is the maximum number of names that a line of counts lists. It limits the line,
// because a dataset can have a different name for each case.
const shownCounts = 500

// counts formats names with their counts as "name 12, other 3".
func counts(list []datasets.Count) string {
	var parts []string
	for i, c := range list {
		if i == shownCounts {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		name := c.Name
		if name == "" {
			name = "(none)"
		}
		parts = append(parts, fmt.Sprintf("%s %d", name, c.N))
	}
	return strings.Join(parts, ", ")
}

// openDetected opens a dataset with the schema of the system that its cases belong to.
func openDetected(name string) (*datasets.Dataset, error) {
	return openWithColumns(name, datasets.CSVColumns{})
}

// openWithColumns is like openDetected, for a CSV file with these columns.
func openWithColumns(name string, columns datasets.CSVColumns) (*datasets.Dataset, error) {
	schema, err := schemaOf(name, columns)
	if err != nil {
		return nil, err
	}
	return datasets.Open(name, schema)
}

func schemaOf(name string, columns datasets.CSVColumns) (datasets.Schema, error) {
	of := datasets.DetectSystemInCSV(name, columns)
	schema, err := datasets.SchemaFor(of, of.WithDefaults(nil), nil, func(spec string) error {
		_, err := backend.ParseFaults(spec, of)
		return err
	})
	schema.Columns = columns
	if of.Contract.HasDatasetLabels() {
		schema.MaxLabels = suite.MaxAgentLabels // another target can accept more labels than this one
	}
	return schema, err
}

// registerColumns registers the flags that name the columns of a dataset in CSV.
func registerColumns(flags *pflag.FlagSet, columns *datasets.CSVColumns) {
	flags.StringVar(&columns.Text, "text-column", "",
		"`COLUMN` of the text in a CSV dataset (default: text or another usual name)")
	flags.StringVar(&columns.Label, "label-column", "",
		"`COLUMN` of the label in a CSV dataset (default: label or another usual name)")
	flags.StringVar(&columns.ID, "id-column", "",
		"`COLUMN` of the case id in a CSV dataset (default: id; without it, ids are derived from text and label)")
}
