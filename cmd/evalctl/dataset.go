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

	"evalctl/datasets"
	"evalctl/eval"
)

func datasetCommand() *cobra.Command {
	return group(&cobra.Command{Use: "dataset", Short: "List, show and check labelled cases"},
		&cobra.Command{
			Use:   "list",
			Short: "List the shipped sets",
			Args:  cobra.NoArgs,
			RunE:  func(cmd *cobra.Command, _ []string) error { return listDatasets(cmd.OutOrStdout()) },
		},
		&cobra.Command{
			Use:     "show NAME|FILE [CASE]",
			Short:   "Show a set's counts, card and some cases, or one case",
			Example: "  evalctl dataset show toolrouter\n  evalctl dataset show cases.jsonl c17",
			Args:    wantsSet(2),
			RunE: func(cmd *cobra.Command, args []string) error {
				return showDataset(cmd.Context(), cmd.OutOrStdout(), args)
			},
		},
		&cobra.Command{
			Use:   "check NAME|FILE",
			Short: "Check a set: every bad line, and near-duplicates across splits",
			Args:  wantsSet(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return checkDataset(cmd.Context(), cmd.OutOrStdout(), args[0])
			},
		},
		importCommand(),
	)
}

// wantsSet asks for a set, and at most so many words in all.
func wantsSet(most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < 1 || len(args) > most {
			return fmt.Errorf("dataset %s: wants a shipped set's name or a file, has %d arguments", cmd.Name(), len(args))
		}
		return nil
	}
}

func listDatasets(w io.Writer) error {
	p := printer{w: w}
	for _, name := range datasets.Shipped() {
		d, err := openUnderstood(name)
		if err != nil {
			return incomplete(err)
		}
		about, err := d.Describe(0)
		if err != nil {
			return incomplete(err)
		}
		p.printf("%s  %d cases  hash %s\n  labels %s\n  splits %s\n", name, about.Cases, about.Hash,
			counts(about.Labels), counts(about.Splits))
	}
	return p.err
}

func showDataset(ctx context.Context, w io.Writer, args []string) error {
	d, err := await(ctx, func() (*datasets.Dataset, error) { return openUnderstood(args[0]) })
	if err != nil {
		return err
	}
	if len(args) == 2 {
		c, err := await(ctx, func() (eval.Case, error) { return findCase(d, args[1]) })
		if err != nil {
			return err
		}
		return printCase(w, c)
	}
	about, err := await(ctx, func() (datasets.Description, error) { return d.Describe(8) })
	if err != nil {
		return err
	}
	p := printer{w: w}
	p.printf("%s  %d cases  hash %s\n", about.Name, about.Cases, about.Hash)
	p.printf("labels     %s\nlanguages  %s\nsplits     %s\ntags       %s\n\n",
		counts(about.Labels), counts(about.Languages), counts(about.Splits), counts(about.Tags))
	for _, c := range about.Sample {
		last := c.Turns[len(c.Turns)-1]
		p.printf("%-12s %s  %s\n", c.ID, last.Want, strings.Join(strings.Fields(last.Text), " "))
	}
	if slices.Contains(datasets.Shipped(), args[0]) {
		card, err := datasets.Card(args[0])
		if err != nil {
			return incomplete(err)
		}
		p.printf("\n%s", card)
	}
	return p.err
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

// printCase prints one case as JSON, with its place.
func printCase(w io.Writer, c eval.Case) error {
	p := printer{w: w}
	p.printf("%s  (%s)  split %s  tags %s\n", c.ID, c.Pos, cmp.Or(c.Split, "(none)"), cmp.Or(strings.Join(c.Tags, ", "), "(none)"))
	for i, s := range c.Turns {
		input, err := json.MarshalIndent(s.Turn, "", "  ")
		if err != nil {
			return incomplete(err)
		}
		p.printf("turn %d %s\nexpect %s\n", i+1, input, s.Want)
	}
	return p.err
}

// findings are what is wrong with a set, and what is suspicious.
type findings struct {
	data     *datasets.Dataset
	problems []error
	pairs    []datasets.Pair
}

func inspect(name string) (f findings, err error) {
	f.data, f.problems, err = datasets.Check(name, schemaOf(name))
	if err == nil && len(f.problems) == 0 {
		f.pairs, err = f.data.NearDuplicates(datasets.NearDuplicate)
	}
	return f, err
}

// checkDataset lists all that is wrong; any finding is a bad set.
func checkDataset(ctx context.Context, w io.Writer, name string) error {
	found, err := await(ctx, func() (findings, error) { return inspect(name) })
	if err != nil {
		return err
	}
	p := printer{w: w}
	for _, problem := range found.problems {
		p.printf("%s\n", oneLine(problem))
	}
	if n := len(found.problems); n > 0 {
		return errors.Join(p.err, fmt.Errorf("dataset %s: problems: %d", name, n))
	}
	across := 0
	for _, pair := range found.pairs {
		if pair.A.Split != pair.B.Split {
			across++
			p.printf("%s (%s) and %s (%s) are near-duplicates across splits: similarity %.2f\n",
				pair.A.ID, pair.A.Split, pair.B.ID, pair.B.Split, pair.Similarity)
		}
	}
	if across > 0 {
		return errors.Join(p.err, fmt.Errorf("dataset %s: %d near-duplicates across splits", name, across))
	}
	p.printf("%s: %d cases, no problem; %d near-duplicates within splits, none across\n", name, found.data.Cases, len(found.pairs))
	return p.err
}

// counts lists names with how often each occurs.
func counts(list []datasets.Count) string {
	var parts []string
	for _, c := range list {
		name := c.Name
		if name == "" {
			name = "(none)"
		}
		parts = append(parts, fmt.Sprintf("%s %d", name, c.N))
	}
	return strings.Join(parts, ", ")
}

// printer remembers the first error of printing.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		if _, err := fmt.Fprintf(p.w, format, args...); err != nil {
			p.err = incomplete(err)
		}
	}
}
