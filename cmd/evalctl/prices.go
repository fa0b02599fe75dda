package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/suite"
)

func pricesCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "prices",
		Short: "List token prices with their date and source",
		Long: `List the built-in prices of real models: US dollars per million tokens at the standard rate, on
the given date. Prices change: verify them before you rely on a cost.
"Cached" is the price of input tokens that the provider reports as cached.

run --prices FILE adds or replaces prices. FILE is YAML:

  - provider: openai
    date: 2026-11-22
    models:
      gpt-4o-mini: {in: 0.15, cached: 0.075, out: 0.60, aliases: [gpt-4o-mini-2024-07-18]}

The price of a model is the first of these: --prices, models.COMPONENT.price of your own suite file,
the built-in table.`,
		Args:    cobra.NoArgs,
		Example: "  evalctl prices\n  evalctl prices --prices mine.yaml",
		RunE: func(cmd *cobra.Command, _ []string) error {
			table := suite.BuiltinPrices()
			if file != "" {
				var err error
				if table, err = suite.ReadPriceFile(file); err != nil {
					return flagError("prices", err)
				}
			}
			return showPrices(terminal.Printer{W: cmd.OutOrStdout()}, table)
		},
	}
	cmd.Flags().StringVar(&file, "prices", "", "YAML `FILE` of prices that go before the others")
	return cmd
}

// showPrices prints the price table by provider, with date and source.
func showPrices(p terminal.Printer, table *suite.PriceTable) error {
	source := ""
	for _, row := range table.Entries() {
		if row.Source != source {
			source = row.Source
			p.Printf("%s, by %s\n", row.DateText(), source)
		}
		p.Printf("  %-10s %-24s %8s in %8s out", row.Provider, row.Model, perMillion(row.In), perMillion(row.Out))
		if row.CachedIn > 0 {
			p.Printf(" %8s cached", perMillion(row.CachedIn))
		}
		p.Printf("\n")
	}
	return printError(p)
}

func perMillion(v float64) string { return fmt.Sprintf("%.4g", v) }
