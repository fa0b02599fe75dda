package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"evalctl/agent/secret"
	"evalctl/agent/service"
	"evalctl/agent/system"
	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval/suite"
)

// Time limits of a shutdown. Answers in progress have drainTime to complete. The agents of
// unfinished answers then have graceTime to stop.
const (
	drainTime = 10 * time.Second
	graceTime = 2 * time.Second
)

// maxHeader is the maximum size of the header of a request in bytes. The header includes the text
// of a GET request.
const maxHeader = 64 << 10

type serveFlags struct {
	agentFlags
	addr      string
	hostGuard hostGuardFlags
	maxBody   int64
	maxRuns   int
	timeout   time.Duration
}

func serveCommand(secrets *secret.Set, settings []suite.Setting) *cobra.Command {
	f := serveFlags{agentFlags: agentFlags{endpointFlags: endpointFlags{secrets: secrets}}}
	cmd := &cobra.Command{
		Use:   "serve [AGENT…] [-- COMMAND…]",
		Short: "Serve agents over HTTP with server-sent events",
		Long: `Serve the named agents in real time, or all that have labels (evalctl help systems).

  POST /v1/agents/AGENT/chat   {"text":…, "sessionId":…, "user":…, …} → text/event-stream;
                               "messages":[…] instead of text, for agents that accept several;
                               "action":ID presses a button of the answer before
  GET  /v1/agents/AGENT/chat   the same with ?text=…&action=…&sessionId=… and
                               the header Accept: text/event-stream
  GET  /v1/agents              the names of the agents
  GET  /healthz                200, or 503 during shutdown

Without flags all components are simulated and nothing leaves the machine. With a real
component (--model, --real), every other one must be real, left out (--without) or
allowed (--allow-simulated). The event done of each answer names the simulated ones.
Ctrl-C finishes the answers in progress; a second one cancels them.`,
		Example: examples("serve") + `
  curl -N --json '{"text":"你好"}' http://127.0.0.1:8088/v1/agents/` + suite.Targets()[0] + `/chat`,
		ValidArgsFunction: cobra.FixedCompletions(suite.Targets(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := f.storeCommand(cmd, args)
			if err != nil {
				return err
			}
			return f.serve(cmd.Context(), args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.addr, "addr", "127.0.0.1:8088", "`ADDRESS` to listen on; port 0 selects a free one")
	f.hostGuard.register(flags)
	flags.Int64Var(&f.maxBody, "max-body", service.DefaultMaxBody, "size limit of a request in `BYTES`")
	flags.IntVar(&f.maxRuns, "max-concurrent-requests", service.DefaultMaxConcurrent,
		"`N` answers in progress; more get 503")
	flags.DurationVar(&f.timeout, "timeout", service.DefaultTimeout, "`TIME` limit of an answer")
	f.register(cmd, settings)
	addShortHelp(cmd)
	return cmd
}

// serve runs the server until ctx ends and the answers in progress are complete.
func (f *serveFlags) serve(ctx context.Context, targets []string, stdout, stderr io.Writer) error {
	handler, err := exit.CallInterruptible(ctx,
		func() (*service.Service, error) { return f.service(ctx, targets, stderr) })
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          serverLog(stderr),
	}
	announce := func(url string) error {
		_, err := fmt.Fprintln(stdout, url)
		return errors.Join(printSimulated(stderr, handler.SimulatedComponents()), err)
	}
	err = listen(ctx, f.addr, server, announce,
		func() error { return stop(server, handler, drainTime, graceTime, log) })
	return errors.Join(err, handler.Close())
}

func (f *serveFlags) service(ctx context.Context, targets []string, stderr io.Writer) (*service.Service, error) {
	if len(targets) == 0 {
		targets = datasets.BuiltInNames() // an external agent would require an address
	}
	if err := checkTargets(targets); err != nil {
		return nil, err
	}
	for _, c := range []struct {
		flag string
		n    int64
	}{{"max-body", f.maxBody}, {"max-concurrent-requests", int64(f.maxRuns)}, {"timeout", int64(f.timeout)}} {
		if err := atLeast(1, c.n); err != nil {
			return nil, flagError(c.flag, err)
		}
	}
	if err := f.hostGuard.check(); err != nil {
		return nil, err
	}
	agents, err := f.agents(ctx, targets)
	if err != nil {
		return nil, err
	}
	systems := map[string]system.System{}
	for _, target := range targets {
		systems[target], _ = suite.FindSystem(target) // checked before
	}
	made, err := service.New(service.Config{
		Agents:              agents.all,
		Systems:             systems,
		SimulatedComponents: agents.simulated,
		AllowedHosts:        f.hostGuard.hostNames(f.addr),
		AllowedOrigins:      f.hostGuard.origins,
		MaxBody:             f.maxBody,
		MaxConcurrent:       f.maxRuns,
		Timeout:             f.timeout,
		Log:                 slog.New(slog.NewTextHandler(stderr, nil)),
	})
	if err = errors.Join(err, agents.printWarnings(stderr)); err != nil {
		return nil, errors.Join(err, closeAll(agents.all))
	}
	return made, nil
}

// stop shuts the server down. It lets answers in progress complete within drain, then cancels them.
// Agents that stop within grace send a final event; the connections of all others are closed.
func stop(server *http.Server, handler *service.Service, drain, grace time.Duration, log *slog.Logger) error {
	handler.Drain()
	if err := shutdown(server, drain); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if n := handler.AnswersInProgress(); n > 0 {
		log.Warn("answers are cut off", "answers", n, "after", drain)
	}
	handler.Stop()
	if err := shutdown(server, grace); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return server.Close()
}

// shutdown stops accepting requests and waits, at most timeout, until all connections are idle.
func shutdown(server *http.Server, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return server.Shutdown(ctx)
}
