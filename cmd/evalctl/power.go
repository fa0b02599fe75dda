package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval/power"
	"evalctl/eval/runs"
	"evalctl/eval/suggest"
	"evalctl/reports"
)

type powerFlags struct {
	cases       int64
	discordant  share
	differences []string
	margin      points
	power       share
	alpha       share
	family      int64
	format      string
	verbose     bool
}

func powerCommand() *cobra.Command {
	f := powerFlags{power: 0.8, alpha: 0.05}
	cmd := &cobra.Command{
		Use:   "power [DIR]",
		Short: "Compute the minimum detectable difference and the cases needed",
		Long: `For each pair of variants of the run in DIR, print the smallest difference in accuracy that these
cases can detect, and the number of cases that a smaller difference needs. Without DIR, compute
it for --cases cases with the share --discordant of discordant cases, or print a table.

The actual power is 78 to 81 % for a stated 80 %. With several epochs, a difference caused by few
cases that fail in every epoch must be larger: "if in all epochs". Ranges reflect the uncertainty
of the discordance; if no case differs, they follow the rule of three.

The variants of simulated models answer from the same random numbers and differ in too
few cases. For them the discordance is computed as if the errors of the variants were
independent. To plan with a real model, run it on some cases first.

--margin prints how many cases the gate drop(route.accuracy) <= MARGIN needs to pass if nothing
has changed.`,
		Example: "  evalctl power runs/1 --difference 2pp\n  evalctl power --cases 466 --discordant 10% --margin 1pp",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("power: requires at most one run directory, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Int64Var(&f.cases, "cases", 0, "`N` cases, in place of DIR")
	flags.Var(&f.discordant, "discordant",
		"`SHARE` of the cases that differ without a difference (of DIR, in place of what it shows; else of 2% to 30%)")
	flags.StringSliceVar(&f.differences, "difference", []string{"1pp", "2pp", "3pp", "5pp"},
		"`POINTS` of a difference that is to be shown, such as 2pp")
	flags.Var(&f.margin, "margin", "`POINTS` that a gate allows a drop, such as 1pp")
	flags.Var(&f.power, "power", "`SHARE` of runs that are to show it, 50% to 99.9%")
	flags.Var(&f.alpha, "alpha", "`SHARE` of runs that may show one where there is none, 0.01% to 50%")
	flags.Int64Var(&f.family, "family-size", 0,
		"`M` comparisons tested together, by Holm's method (as many as DIR has; 1)")
	registerFormat(cmd, &f.format)
	flags.BoolVarP(&f.verbose, "verbose", "v", false,
		"more comparisons than fit a screen, with the ranges of what they need")
	return cmd
}

// Limits of the values of evalctl power's flags.
const (
	maxPlanned     = 1_000_000_000 // maximum number of cases
	maxFamily      = 1_000_000
	maxDifferences = 20
)

// query returns the parameters of the power computation from the flags. An error names the flag.
// ofRun is true if a run supplies the cases.
func (f *powerFlags) query(cmd *cobra.Command, ofRun bool) (q power.Params, err error) {
	q = power.Params{
		Power:      float64(f.power),
		Alpha:      float64(f.alpha),
		FamilySize: f.family,
		Margin:     float64(f.margin),
	}
	given := cmd.Flags().Changed
	for _, word := range f.differences {
		var one points
		if err := one.Set(word); err != nil {
			return q, flagError("difference", fmt.Errorf("%q is not a %s", word, one.Type()))
		}
		q.Differences = append(q.Differences, float64(one))
	}
	checks := []struct {
		flag string
		bad  func() error
	}{
		{"format", func() error { return suggest.CheckKnown("format", f.format, play.TableFormats()) }},
		{"cases", func() error { return f.checkCases(given("cases"), ofRun) }},
		{"discordant", func() error { return within(f.discordant, 0, 1) }},
		{"difference", func() error { return atMost(maxDifferences, len(q.Differences)) }},
		{"power", func() error { return within(f.power, 0.5, 0.999) }},
		{"alpha", func() error { return within(f.alpha, 0.0001, 0.5) }},
		{"family-size", func() error { return f.checkFamily(given("family-size")) }},
	}
	for _, c := range checks {
		if err := c.bad(); err != nil {
			return q, flagError(c.flag, err)
		}
	}
	return q, nil
}

func (f *powerFlags) checkCases(given, ofRun bool) error {
	switch {
	case given && ofRun:
		return errors.New("cannot be combined with a run, which has its own cases")
	case given && f.cases < 1:
		return atLeast(1, f.cases)
	}
	return atMost(maxPlanned, f.cases)
}

func (f *powerFlags) checkFamily(given bool) error {
	if given && f.family < 1 {
		return atLeast(1, f.family)
	}
	return atMost(maxFamily, f.family)
}

func within(s share, least, most share) error {
	if s < least || s > most {
		return fmt.Errorf("%s is not in %s..%s", s.String(), least.String(), most.String())
	}
	return nil
}

func (f *powerFlags) run(cmd *cobra.Command, args []string) error {
	q, err := f.query(cmd, len(args) > 0)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	shown := reports.PowerReport{
		Params:  q,
		Options: outputOptions(out),
		ShowAll: f.verbose,
	}
	discordances := power.TypicalDiscordances()
	assumed := cmd.Flags().Changed("discordant")
	if assumed {
		discordances = []float64{float64(f.discordant)}
	}
	text, err := exit.CallInterruptible(cmd.Context(), func() ([]byte, error) {
		switch {
		case len(args) == 0:
			shown.Suites = []power.SuiteAnalysis{q.ForDiscordance(f.cases, discordances...)}
		default:
			if shown.Suites, err = f.ofRun(q, args[0], assumed); err != nil {
				return nil, fmt.Errorf("power: %w", err)
			}
		}
		return render(shown, f.format)
	})
	if err != nil {
		return err
	}
	return printAnswer(out, f.format, "answer", text)
}

// ofRun computes the power for each suite of the run at path from its results. assumed is true if
// --discordant replaces the observed discordance.
func (f *powerFlags) ofRun(q power.Params, path string, assumed bool) (list []power.SuiteAnalysis, err error) {
	run, err := runs.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s contains no run: %w", path, err)
	}
	if err != nil {
		return nil, err
	}
	sum, err := run.Recompute()
	if err != nil {
		return nil, err
	}
	for _, s := range sum.Suites {
		one := q.ForSuite(s)
		if assumed {
			one = q.ForPlannedCases(s, float64(f.discordant))
		}
		one.Partial = sum.Partial
		list = append(list, one)
	}
	return list, nil
}
