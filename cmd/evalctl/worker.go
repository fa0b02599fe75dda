package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/build"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval/fleet"
	"evalctl/eval/journal"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

type workerFlags struct {
	allow       []string // values of --allow-endpoint
	trust       bool
	once        bool
	idle        time.Duration
	maxResponse int64
	secrets     *secret.Set
	access      accessFlags
	limits      limitFlags
	play.Options
}

func workerCommand(secrets *secret.Set) *cobra.Command {
	f := workerFlags{secrets: secrets}
	cmd := &cobra.Command{
		Use:   "worker URL",
		Short: "Run trials assigned by coordinators through a broker",
		Long: `Run trials that evalctl run --broker assigns through the broker at URL, one run after the other.
Ctrl-C returns unfinished trials. If the broker is unavailable, the worker waits.

A run's files are sent with it; the worker reads only the API keys that the run names from its
environment. Calls to an endpoint require --allow-endpoint HOST or --trust. A run with another
version, prompt or case than this worker would produce is refused.`,
		Example: "  evalctl worker nats://127.0.0.1:4222 --token-file broker/token\n  evalctl worker nats://broker:4222 -j 64 --allow-endpoint api.deepseek.com --once",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("worker: requires one broker URL, as in evalctl worker nats://127.0.0.1:4222, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("parallel") {
				if err := atLeast(1, f.Parallel); err != nil {
					return flagError("parallel", err)
				}
			}
			return f.run(cmd.Context(), args[0], cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	registerParallel(flags, &f.Parallel)
	flags.StringSliceVar(&f.allow, "allow-endpoint", nil,
		"a `HOST` that runs may contact, and send the keys to that they name for it: HOST, HOST:PORT for that port alone, or SCHEME://HOST[:PORT]")
	flags.BoolVar(&f.trust, "trust", false, "allow runs to call any host, send it keys and run commands")
	f.access.register(flags, "")
	flags.BoolVar(&f.once, "once", false,
		"end when the first run is over; exit code 3: it was stopped or lost before its end")
	flags.DurationVar(&f.idle, "idle-timeout", 0, "end after so much `TIME` without a trial")
	flags.Int64Var(&f.maxResponse, "max-response-bytes", 0,
		"`BYTES` that one answer of a real model may have, as of run")
	inner := &cobra.Command{}
	f.limits.register(inner.Flags())
	for _, flag := range flagsOf(inner) {
		if hasTrait(flag, ofEachWorker) {
			flags.AddFlag(flag)
		}
	}
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "print only errors")
	return cmd
}

func (f *workerFlags) check(url string) error {
	if err := checkBroker(url); err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	if err := atMost(maxParallel, f.Parallel); err != nil {
		return flagError("parallel", err)
	}
	if err := each(f.allow, func(text string) error { _, err := parseAllowedEndpoint(text); return err }); err != nil {
		return flagError("allow-endpoint", err)
	}
	if f.idle < 0 {
		return flagError("idle-timeout", fmt.Errorf("%v is negative", f.idle))
	}
	return cmp.Or(endpointFlags{maxResponse: f.maxResponse}.checkFlags(), f.limits.check())
}

// run connects to the broker and runs assigned trials until there are no more or ctx ends.
func (f *workerFlags) run(ctx context.Context, url string, stderr io.Writer) error {
	if err := f.check(url); err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(play.GCPercent))
	}
	warn := redactedPrinter(f.secrets, stderr)
	at, err := f.access.address(url, f.secrets)
	if err != nil {
		return err
	}
	conn, err := fleet.Dial(ctx, at, warn)
	if err != nil {
		return exit.InternalError(fmt.Errorf("worker: %w", err))
	}
	defer conn.Close()
	if !f.Quiet {
		warn("worker " + workerName() + " waits for runs")
	}
	err = fleet.Worker{
		Conn:        conn,
		Name:        workerName(),
		Secrets:     f.secrets,
		NewJob:      func(o fleet.RunSpec, at map[string]string) (fleet.Job, error) { return f.plan(ctx, o, at, warn) },
		Once:        f.once,
		IdleTimeout: f.idle,
		Log:         warn,
	}.Run(ctx)
	switch {
	case errors.Is(err, context.Canceled):
		return exit.ErrInterrupted
	case errors.Is(err, fleet.ErrRunRejected):
		return errors.New("worker: expected one run, but none was available")
	case err != nil:
		return exit.InternalError(fmt.Errorf("worker: %w", err))
	}
	return nil
}

// workerName returns a name for this worker that is unique per process.
func workerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return host + "-" + strconv.Itoa(os.Getpid())
}

// plan prepares the worker for a run: it checks the manifest and returns the job whose trials it
// runs.
func (f *workerFlags) plan(ctx context.Context, o fleet.RunSpec, at map[string]string, warn func(string)) (fleet.Job,
	error) {
	var m journal.Manifest
	if err := json.Unmarshal(o.Manifest, &m); err != nil {
		return fleet.Job{}, fmt.Errorf("manifest: %w", err)
	}
	identity, err := build.Identity()
	if err != nil {
		return fleet.Job{}, err
	}
	job, err := play.JoinOptions{
		Manifest:   m,
		LocalPaths: at,
		Version:    identity,
		Options:    f.Options,
		Trust:      f.checkTrust,
		Warn:       warn,
		EndpointOptions: f.limits.applyTo(play.EndpointOptions{Context: ctx, Secrets: f.secrets,
			MaxResponseBytes: f.maxResponse}),
	}.Join()
	if err == nil && !f.Quiet {
		warn(fmt.Sprintf("runs %d trials, %d in parallel", job.TotalTrials, job.Runner.Parallel))
	}
	return job, err
}

// checkTrust returns an error if a run contains a command or contacts a host that the worker's user
// has not allowed.
func (f *workerFlags) checkTrust(s suite.Suite) error {
	if commands := s.Commands(); len(commands) > 0 && !f.trust {
		return fmt.Errorf("suite %s: runs the command %s. To allow it, start the worker with --trust", s.Name,
			suggest.JoinWords(masked(commands)))
	}
	var list, hosts []string
	for _, e := range s.Endpoints() {
		if f.trust || f.allows(e.BaseURL) {
			continue
		}
		host := hostOf(e.BaseURL)
		hosts = appendUnique(hosts, host)
		if e.KeyEnv != "" {
			host += ", with the key " + e.KeyEnv
		}
		list = append(list, host)
	}
	if len(list) == 0 {
		return nil
	}
	return fmt.Errorf("suite %s: contacts %s. To allow it, start the worker with --allow-endpoint %s or --trust",
		s.Name, suggest.JoinWords(list), strings.Join(hosts, ","))
}

// allows reports whether a value of --allow-endpoint permits an address.
func (f *workerFlags) allows(address string) bool {
	return slices.ContainsFunc(f.allow, func(text string) bool {
		a, err := parseAllowedEndpoint(text)
		return err == nil && a.covers(address)
	})
}
