package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/cmd/evalctl/build"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/datasets"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

// runCommand creates the command evalctl run. line is the command line that the manifest of the run
// records.
func runCommand(line []string, secrets *secret.Set, settings []suite.Setting) *cobra.Command {
	f := runFlags{endpointFlags: endpointFlags{secrets: secrets}}
	cmd := &cobra.Command{
		Use:   "run [SUITE…] [-- COMMAND…]",
		Short: "Run suites and report scores",
		Long: `Run the cases of each SUITE in each variant and report scores. A suite is a YAML file, a shipped
suite (` + suggest.JoinWords(datasets.BuiltInNames()) + `) or ` + suggest.JoinWords(datasets.CollectionNames()) +
			` (all systems under
all faults). Without a real model, nothing leaves the machine and time is simulated.
A suite file that runs a command or sends keys requires --trust.

Exit codes: 0 passed, 1 a gate failed, 2 invalid usage or configuration, 3 incomplete run or too
many cases without an answer, 4 a gate is undecided, 130 interrupted (--resume continues).`,
		Example:           "  evalctl run\n" + examples("run"),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args, line) },
		ValidArgsFunction: cobra.FixedCompletions(shippedNames(), cobra.ShellCompDirectiveDefault),
	}
	f.register(cmd, settings)
	cmd.SetHelpFunc(f.showRunHelp)
	addShortHelp(cmd)
	return cmd
}

// run checks the flags, opens the cassette or cache, and executes the run.
func (f *runFlags) run(cmd *cobra.Command, args, line []string) error {
	args, err := f.storeCommand(cmd, args)
	if err != nil {
		return err
	}
	if err := cmp.Or(f.fleet.checkCombination(cmd.Flags().Changed), f.check(cmd, args),
		f.otlp.check(f.secrets)); err != nil {
		return err
	}
	if f.allowChanged && f.resume == "" && f.fleet.brokerURL == "" {
		return flagError("allow-changed", errors.New("goes with --resume or --broker"))
	}
	f.Strict = f.gates.isStrict()
	outputs, err := outputsOf(pageFlags{file: f.html}.outputs(f.formats), f.junit)
	if err != nil {
		return err
	}
	if err := f.cassette.open(cmd.Context(), f.secrets,
		func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) }); err != nil {
		return err
	}
	return f.cassette.close(f.runWithCassette(cmd, args, line, outputs), f.Quiet, cmd.ErrOrStderr())
}

// runWithCassette creates or resumes a run and executes it, while the cassette or cache is open.
func (f *runFlags) runWithCassette(cmd *cobra.Command, args, line []string, outputs []play.Output) error {
	f.notices = cmd.ErrOrStderr()
	start := func() (*play.Run, error) {
		return f.begin(cmd.Context(), args, line, outputs, cmd.Flags().Changed("seed"))
	}
	if f.resume != "" {
		if err := f.checkResumeFlags(cmd, args); err != nil {
			return err
		}
		start = func() (*play.Run, error) {
			identity, err := build.Identity()
			if err != nil {
				return nil, err
			}
			return play.ResumeOptions{
				Dir:             f.resume,
				Version:         identity,
				Gates:           f.gates.Gates,
				Outputs:         outputs,
				EndpointOptions: f.endpointsUntil(cmd.Context()),
				Trust:           f.checkTrust,
				UsesWorkers:     f.fleet.brokerURL != "",
				AllowChanged:    f.allowChanged,
			}.Resume()
		}
	}
	fleet, err := f.fleet.coordinator(cmd.Context(), f.secrets, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if f.Fleet = fleet; fleet != nil {
		defer fleet.Conn.Close()
	}
	r, err := exit.CallInterruptible(cmd.Context(), start)
	if errors.Is(err, errNothingFailed) {
		fmt.Fprintf(cmd.OutOrStdout(), "no failing case in %s: nothing to run\n", f.onlyFailing)
		return nil
	}
	if err != nil {
		return err
	}
	judged := r.Execute(cmd.Context(), f.Options, cmd.OutOrStdout(), cmd.ErrOrStderr())
	f.otlp.sendRun(cmd.Context(), r.Dir, f.secrets, f.Quiet, cmd.ErrOrStderr())
	return judged
}

// storeCommand removes the command after `--` from the arguments and stores it in the setting that
// runs a command.
func (f *runFlags) storeCommand(cmd *cobra.Command, args []string) ([]string, error) {
	args, command, err := argsAfterDash(cmd, args)
	if command == "" || err != nil {
		return args, err
	}
	of := systemsOf(f.targets(args))
	if f.target == "" && (len(args) > 0 || f.resume != "") {
		of = suite.Systems() // all systems: a suite file or a manifest determines which
	}
	name, err := commandSettingName(of)
	if err != nil {
		return nil, err
	}
	if *f.settings[name] != nil {
		return nil, flagError(name, errors.New("requires a command after --"))
	}
	*f.settings[name] = []string{command}
	return args, nil
}

// begin creates a new run: it loads the suites, plans the trials and writes the manifest.
func (f *runFlags) begin(ctx context.Context, args, line []string, outputs []play.Output,
	seedGiven bool) (*play.Run, error) {
	pick := f.suites
	if f.onlyFailing != "" {
		pick = func(args []string) ([]suite.Suite, error) { return f.failingSuites(args, seedGiven) }
	}
	suites, err := pick(args)
	if err != nil {
		return nil, err
	}
	f.cassette.applyDefaults(suites)
	p, err := play.NewPlan(f.shard.applyTo(play.Config{
		Suites:          suites,
		Seed:            f.seed,
		Clock:           f.clock,
		Gates:           f.gates.Gates,
		EndpointOptions: f.endpointsUntil(ctx),
	}))
	if err != nil {
		return nil, err
	}
	if f.fleet.brokerURL != "" {
		if err := p.CheckNoPlainSecrets(); err != nil {
			return nil, errors.Join(err, p.Close())
		}
	}
	if ctx.Err() != nil { // interrupted before any file is written
		return nil, errors.Join(exit.ErrInterrupted, p.Close())
	}
	dir := cmp.Or(f.out, filepath.Join("runs", time.Now().Format("20060102-150405.000")))
	for _, s := range suites {
		f.needTrust(s, dir)
	}
	identity, err := build.Identity()
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return play.StartOptions{
		Dir:              dir,
		Version:          identity,
		Args:             line,
		Outputs:          outputs,
		WorkersMayDiffer: f.workersMayDiffer(),
	}.Start(p)
}

func (f *runFlags) workersMayDiffer() bool { return f.allowChanged && f.fleet.brokerURL != "" }

// checkTrust returns an error if a suite of a resumed run requires --trust and the user did not
// give it. The run directory can come from elsewhere, and the original flags are not known.
func (f *runFlags) checkTrust(s suite.Suite) error {
	f.needTrust(s, f.resume)
	return f.checkExposure(s, f.resume, "run's manifest")
}

// needTrust records which actions of a suite will require --trust when the run in dir is resumed.
func (f *runFlags) needTrust(s suite.Suite, dir string) {
	e := trustRequirementsOf(s, dir, namedInFlags{}, f.cassette.replay != "")
	e.files = nil // a resumed run does not check files, see exposure
	f.trustOnResume = f.trustOnResume.merge(e)
	f.Trusted, f.TrustReason = f.trust, f.trustOnResume.describe()
}

// checkResumeFlags returns an error for arguments and flags that the manifest of a resumed run
// determines.
func (f *runFlags) checkResumeFlags(cmd *cobra.Command, args []string) (err error) {
	if len(args) > 0 {
		return errors.New("--resume: the run's manifest settles what is run; leave out the suites")
	}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if err == nil && !hasTrait(flag, onResume) && !f.mustBeGivenAgain(flag.Name) {
			err = fmt.Errorf("--resume: the run's manifest settles what is run; leave out --%s", flag.Name)
		}
	})
	return err
}

// mustBeGivenAgain reports whether a setting must be given again when a run is resumed: all its
// values contain secrets, which the manifest does not store.
func (f *runFlags) mustBeGivenAgain(name string) bool {
	values, ok := f.settings[name]
	isKept := func(v string) bool {
		return !slices.ContainsFunc(suite.Systems(), func(of system.System) bool {
			set, ok := of.Setting(name)
			return ok && secret.IsRedactedURL(set.Redact(v))
		})
	}
	return ok && !slices.ContainsFunc(*values, isKept)
}

// endpointsUntil returns the configuration of real endpoints, whose requests end with ctx.
func (f *runFlags) endpointsUntil(ctx context.Context) play.EndpointOptions {
	o := f.endpoints()
	o.Context = ctx
	return o
}

// endpoints returns the configuration of real endpoints from all flags: addresses, cassette,
// settings and limits.
func (f *runFlags) endpoints() play.EndpointOptions {
	o := f.endpointFlags.endpoints()
	f.cassette.addTo(&o)
	o.SettingURLs = map[string][]string{}
	for name, values := range f.settings {
		if *values != nil {
			o.SettingURLs[name] = *values
		}
	}
	return f.limits.applyTo(o)
}
