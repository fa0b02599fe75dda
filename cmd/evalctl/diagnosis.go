package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"evalctl/cmd/evalctl/doctor"
	"evalctl/cmd/evalctl/play"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/metric"
)

// diagnosis is the result of evalctl doctor: the checks, and the estimated cost of a run.
type diagnosis struct {
	checks   []doctor.Finding
	costs    []play.RunEstimate
	parallel int // number of parallel trials in the estimate
}

// show prints one line for each check and each suite, or JSON.
func (d diagnosis) show(out io.Writer, asJSON bool) error {
	p := terminal.Printer{W: out}
	if asJSON {
		text, err := json.MarshalIndent(d.toJSON(), "", "  ")
		p.Printf("%s\n", text)
		return cmp.Or(err, p.Err)
	}
	for _, one := range d.checks {
		p.Printf("%s %-9s %s\n", one.Status.Symbol(terminal.IsUTF8()), one.Check,
			terminal.OneLine(errors.New(one.Message)))
	}
	if len(d.costs) == 0 || p.Err != nil {
		return p.Err
	}
	p.Printf("\nEstimate for a real run, from simulated token counts:\n")
	return cmp.Or(p.Err, d.table(out))
}

func (d diagnosis) table(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	p := terminal.Printer{W: table}
	p.Printf("suite\tcases\tconditions\ttrials\tcalls\ttokens in\ttokens out\tUSD\tat -j %d\t\n", d.parallel)
	unknown := false
	for _, c := range d.costs {
		money := "no price"
		if c.USD != nil {
			money = metric.FormatUSD(*c.USD)
		}
		unknown = unknown || c.USD == nil
		p.Printf("%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%v\t\n", c.Suite, metric.FormatInteger(c.Cases), c.Conditions,
			metric.FormatInteger(c.Trials), metric.FormatInteger(c.Calls),
			thousands(c.TokensIn), thousands(c.TokensOut), money, metric.FormatElapsed(c.Duration(d.parallel)))
	}
	p.Err = cmp.Or(p.Err, table.Flush())
	p.W = out
	for _, one := range d.prices() {
		p.Printf("  %s: %s\n", one.Model,
			cmp.Or(one.Price, "no price: "+
				cmp.Or(play.PricedModelHint(one.Model), "state it with --prices FILE (evalctl prices --help)")))
	}
	if unknown && len(d.prices()) == 0 {
		p.Printf("  no price: the suite does not state a price for every model and service\n")
	}
	return p.Err
}

// prices lists the prices of all real models once.
func (d diagnosis) prices() (list []play.ModelPrice) {
	for _, c := range d.costs {
		for _, one := range c.Prices {
			list = appendUnique(list, one)
		}
	}
	return list
}

// thousands abbreviates a large count: "12 k", "3.4 M".
func thousands(n int64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.1f M", float64(n)/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%d k", n/1e3)
	}
	return metric.FormatInteger(n)
}

// diagnosisJSON is the output of evalctl doctor --format json.
type diagnosisJSON struct {
	OK     bool             `json:"ok"`
	Checks []doctor.Finding `json:"checks"`
	Costs  []costJSON       `json:"costs"`
}

type costJSON struct {
	play.RunEstimate
	Seconds  float64 `json:"seconds"` // duration of the run with Parallel trials at the same time
	Parallel int     `json:"parallel"`
}

func (d diagnosis) toJSON() diagnosisJSON {
	all := diagnosisJSON{OK: doctor.CountFailed(d.checks) == 0, Checks: d.checks, Costs: []costJSON{}}
	for _, c := range d.costs {
		all.Costs = append(all.Costs,
			costJSON{RunEstimate: c, Seconds: c.Duration(d.parallel).Seconds(), Parallel: d.parallel})
	}
	return all
}
