package main

import (
	"cmp"
	"context"
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

// doctorFlags are the flags of evalctl doctor: those of run that say what is asked, and
// its own.
type doctorFlags struct {
	runFlags
	offline  bool
	dir      string // that runs are kept in
	patience time.Duration
}

// defaultParallel are the trials at once by which a run's time is told.
const defaultParallel = 16

func doctorCommand(secrets *secret.Set, settings []suite.Setting) *cobra.Command {
	f := doctorFlags{runFlags: runFlags{endpointFlags: endpointFlags{secrets: secrets, keyless: true}}}
	cmd := &cobra.Command{
		Use:   "doctor [SUITE…]",
		Short: "Check keys, endpoints, clock, disk and terminal, and estimate a run",
		Long: `Check the keys, the model endpoints (one cheap call each), the clock, the disk, a shared cache
and the terminal. Without arguments it checks the providers whose keys are set.

It accepts the flags of run and estimates that run from a few simulated trials: trials, calls,
tokens, cost at the suite's prices, and duration. Keys are never shown.

Exit codes: 0 all checks passed, 2 a check failed.`,
		Example: "  evalctl doctor\n  evalctl doctor prompt --model deepseek:deepseek-flash --sample 100\n  evalctl doctor --offline --format json",
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },

		ValidArgsFunction: cobra.FixedCompletions(datasets.Shipped(), cobra.ShellCompDirectiveDefault),
	}
	inner := &cobra.Command{}
	f.runFlags.register(inner, settings)
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.offline, "offline", false, "make no network requests")
	flags.StringSliceVar(&f.formats, "format", []string{"table"}, "output `FORMAT`: "+either(doctorFormats()))
	complete(cmd, map[string][]string{"format": doctorFormats()})
	flags.StringVar(&f.dir, "dir", "runs", "directory `DIR` of the runs")
	flags.DurationVar(&f.patience, "timeout", 10*time.Second, "`TIME` limit for an endpoint")
	for _, flag := range flagsOf(inner) {
		if !isDecided(flag, notOfDoctor) {
			flag.Hidden = isDecided(flag, idleInDoctor) // so that a command line of run's can be asked about as it is
			flags.AddFlag(flag)
		}
	}
	shorten(cmd)
	return cmd
}

func (f *doctorFlags) run(cmd *cobra.Command, args []string) error {
	if err := cmp.Or(checkDoctorFormats(f.formats), f.check(cmd, args), notPositive("timeout", f.patience)); err != nil {
		return err
	}
	list := []doctor.Finding{doctor.Build(build.Version())}
	list = append(list, f.screen(cmd).Check()...)
	list = append(list, doctor.Space(doctor.Machine{}, f.dir))
	suites, err := f.suites(args)
	if err != nil {
		list = append(list, doctor.InvalidSuite(err))
	}
	asked := len(args) > 0 || f.target != "" || f.dataset != "" || f.models != nil
	outside, err := exit.Await(cmd.Context(), func() ([]doctor.Finding, error) { return f.outward(cmd.Context(), suites, asked), nil })
	if err != nil {
		return err
	}
	list = append(list, outside...)
	costs, err := exit.Await(cmd.Context(), func() ([]play.RunEstimate, error) { return f.foretell(cmd.Context(), suites, &list) })
	if err != nil {
		return err
	}
	if err := (diagnosis{list, costs, cmp.Or(f.Parallel, defaultParallel)}).show(cmd.OutOrStdout(), slices.Contains(f.formats, "json")); err != nil {
		return exit.InternalError(err)
	}
	if n := doctor.Failed(list); n > 0 {
		return fmt.Errorf("doctor: %d of %d checks failed", n, len(list))
	}
	return nil
}

func doctorFormats() []string { return []string{"table", "json"} }

// checkDoctorFormats accepts the formats of run, too: doctor takes its command line.
func checkDoctorFormats(formats []string) error {
	if err := each(formats, func(format string) error {
		name, _, _ := strings.Cut(format, "=")
		if slices.Contains(play.Formats(), name) {
			return nil
		}
		return suggest.CheckWord("format", format, doctorFormats())
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

func (f *doctorFlags) screen(cmd *cobra.Command) doctor.Terminal {
	out := cmd.OutOrStdout()
	return doctor.Terminal{Terminal: terminal.IsTerminal(out), Colors: terminal.HasColor(out), UTF8: terminal.UTF8(), Width: terminal.Width(out),
		Locale: cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"))}
}

// foretell says what each suite would cost; one that cannot be played is a finding.
func (f *doctorFlags) foretell(ctx context.Context, suites []suite.Suite, list *[]doctor.Finding) (costs []play.RunEstimate, _ error) {
	for _, s := range suites {
		cost, err := play.EstimateRun(ctx, f.asReal(s), f.seed)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			*list = append(*list, doctor.InvalidSuite(err))
		default:
			costs = append(costs, cost)
		}
	}
	return costs, nil
}

// asReal is a suite as it is played against real models: where all is simulated, its
// faults are left out then, unless some are asked for.
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
