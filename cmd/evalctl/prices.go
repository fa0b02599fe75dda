package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/price"
)

// pricesCommand shows what calls of well-known models are thought to cost.
func pricesCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "prices",
		Short: "What a million tokens of well-known models cost, since when, and who says so",
		Long: `Show the prices by which the calls of real endpoints are billed where the suite
states none: US dollars for a million tokens, at the standard rate, as they were on the
day that stands beside them. Prices change: look them up before relying on a figure. Cached is the
rate of input that the provider had in its cache, where it counts that (cached_tokens);
without one it is billed like all input.
A model has the price of its whole name at its provider, or at the host of an endpoint.

With run --prices FILE others go before them. FILE is YAML:

  - provider: openai
    date: 2026-11-22
    models:
      gpt-4o-mini: {in: 0.15, cached: 0.075, out: 0.60, also: [gpt-4o-mini-2024-07-18]}

In a suite models.PART.price goes before both.`,
		Args:    cobra.NoArgs,
		Example: "  evalctl prices\n  evalctl prices --prices mine.yaml",
		RunE: func(cmd *cobra.Command, _ []string) error {
			table := price.Known()
			if file != "" {
				var err error
				if table, err = price.Read(file); err != nil {
					return flagError("prices", err)
				}
			}
			return showPrices(terminal.Printer{W: cmd.OutOrStdout()}, table)
		},
	}
	cmd.Flags().StringVar(&file, "prices", "", "YAML `FILE` of prices that go before the others")
	return cmd
}

// showPrices lists a table, provider by provider, each with its source.
func showPrices(p terminal.Printer, table *price.Table) error {
	source := ""
	for _, row := range table.Rows() {
		if row.Source != source {
			source = row.Source
			p.Printf("%s, by %s\n", row.Since(), source)
		}
		p.Printf("  %-10s %-24s %8s in %8s out", row.Provider, row.Model, perMillion(row.In), perMillion(row.Out))
		if row.Cached > 0 {
			p.Printf(" %8s cached", perMillion(row.Cached))
		}
		p.Printf("\n")
	}
	return printed(p)
}

func perMillion(v float64) string { return fmt.Sprintf("%.4g", v) }
