package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/build"
	"evalctl/cmd/evalctl/doctor"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/datasets"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// doctorFlags are the flags of evalctl doctor. They are the flags of run, which define the run to
// estimate, and a few that only doctor has.
type doctorFlags struct {
	runFlags
	offline         bool
	dir             string // directory in which runs are stored, whose disk is checked
	endpointTimeout time.Duration
}

func doctorCommand(secrets *secret.Set, settings []suite.Setting) *cobra.Command {
	f := doctorFlags{runFlags: runFlags{endpointFlags: endpointFlags{secrets: secrets, skipKeyCheck: true}}}
	cmd := &cobra.Command{
		Use:   "doctor [SUITE…]",
		Short: "Check keys, endpoints, clock, disk and terminal, and estimate a run",
		Long: `Check the keys, the model endpoints (one cheap call each), the clock, the disk, a shared cache
and the terminal. Without arguments it checks the providers whose keys are set.

It accepts the flags of run and estimates that run from a few simulated trials: trials, calls,
tokens, cost at the suite's prices, and duration. Keys are never shown.

Exit codes: 0 all checks passed, 2 a check failed.`,
		Example: "  evalctl doctor\n  evalctl doctor prompt --model deepseek:deepseek-v4-flash --sample 100\n  evalctl doctor --offline --format json",
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },

		ValidArgsFunction: cobra.FixedCompletions(datasets.BuiltInNames(), cobra.ShellCompDirectiveDefault),
	}
	inner := &cobra.Command{}
	f.runFlags.register(inner, settings)
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.offline, "offline", false, "make no network requests")
	flags.StringSliceVar(&f.formats, "format", []string{"table"}, "output `FORMAT`: "+joinOr(doctorFormats()))
	addCompletions(cmd, map[string][]string{"format": doctorFormats()})
	flags.StringVar(&f.dir, "dir", "runs", "directory `DIR` of the runs")
	flags.DurationVar(&f.endpointTimeout, "timeout", 10*time.Second, "`TIME` limit for an endpoint")
	for _, flag := range flagsOf(inner) {
		if !hasTrait(flag, notForDoctor) {
			// doctor accepts and hides flags that it ignores, so that it takes a command line of
			// run unchanged
			flag.Hidden = hasTrait(flag, ignoredByDoctor)
			flags.AddFlag(flag)
		}
	}
	addShortHelp(cmd)
	return cmd
}

func (f *doctorFlags) run(cmd *cobra.Command, args []string) error {
	if err := cmp.Or(checkDoctorFormats(f.formats), f.check(cmd, args),
		notPositive("timeout", f.endpointTimeout)); err != nil {
		return err
	}
	list := []doctor.Finding{doctor.BuildFinding(build.Version())}
	list = append(list, f.terminalInfo(cmd).Check()...)
	list = append(list, doctor.CheckSpace(doctor.LocalDisk{}, f.dir))
	suites, err := f.suites(args)
	if err != nil {
		list = append(list, doctor.InvalidSuiteFinding(err))
	}
	isSuiteGiven := len(args) > 0 || f.target != "" || f.dataset != "" || f.models != nil
	external, err := exit.CallInterruptible(cmd.Context(),
		func() ([]doctor.Finding, error) { return f.checkEndpoints(cmd.Context(), suites, isSuiteGiven), nil })
	if err != nil {
		return err
	}
	list = append(list, external...)
	costs, err := exit.CallInterruptible(cmd.Context(),
		func() ([]play.RunEstimate, error) { return f.estimate(cmd.Context(), suites, &list) })
	if err != nil {
		return err
	}
	if err := (diagnosis{list, costs, cmp.Or(f.Parallel, play.DefaultParallel(suites))}).
		show(cmd.OutOrStdout(), slices.Contains(f.formats, "json")); err != nil {
		return exit.InternalError(err)
	}
	if n := doctor.CountFailed(list); n > 0 {
		return fmt.Errorf("doctor: %d of %d checks failed", n, len(list))
	}
	return nil
}

func doctorFormats() []string { return []string{"table", "json"} }

// checkDoctorFormats checks --format. It also accepts the formats of run, because doctor accepts a
// command line of run.
func checkDoctorFormats(formats []string) error {
	if err := each(formats, func(format string) error {
		name, _, _ := strings.Cut(format, "=")
		if slices.Contains(play.Formats(), name) {
			return nil
		}
		return suggest.CheckKnown("format", format, doctorFormats())
	}); err != nil {
		return flagError("format", err)
	}
	return nil
}

func notPositive(flag string, d time.Duration) error {
	if d > 0 {
		return nil
	}
	return flagError(flag, fmt.Errorf("%v is not positive", d))
}

func (f *doctorFlags) terminalInfo(cmd *cobra.Command) doctor.Terminal {
	out := cmd.OutOrStdout()
	return doctor.Terminal{
		IsTerminal: terminal.IsTerminal(out),
		Colors:     terminal.HasColor(out),
		UTF8:       terminal.IsUTF8(),
		Width:      terminal.Width(out),
		Locale:     cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG")),
	}
}

// estimate returns the estimated cost of each suite. For a suite that cannot run, it adds a finding
// to list.
func (f *doctorFlags) estimate(ctx context.Context, suites []suite.Suite,
	list *[]doctor.Finding) (costs []play.RunEstimate, _ error) {
	for _, s := range suites {
		cost, err := play.EstimateRun(ctx, f.asReal(s), f.seed)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, play.ErrNoEstimate):
			*list = append(*list, doctor.SkippedEstimate(s.Name))
		case err != nil:
			*list = append(*list, doctor.InvalidSuiteFinding(err))
		default:
			costs = append(costs, cost)
		}
	}
	return costs, nil
}

// asReal returns the suite as it would run against real models. Faults of a fully simulated suite
// are removed, unless --fault is given.
func (f *doctorFlags) asReal(s suite.Suite) suite.Suite {
	if f.faults != nil || len(s.Endpoints()) > 0 {
		return s
	}
	s.Faults, s.Variants = nil, slices.Clone(s.Variants)
	for i := range s.Variants {
		s.Variants[i].Faults = nil
	}
	return s
}
