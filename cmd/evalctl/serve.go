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

// Once the service is told to stop, answers under way may go on for drainTime,
// and their agents then have graceTime to give up.
const (
	drainTime = 10 * time.Second
	graceTime = 2 * time.Second
)

// maxHeader is how many bytes the head of a request may have, with the text of a GET.
const maxHeader = 64 << 10

// serveFlags are the flags of evalctl serve.
type serveFlags struct {
	agentFlags
	addr    string
	door    doorFlags
	maxBody int64
	maxRuns int
	timeout time.Duration
}

func serveCommand(secrets *secret.Set, settings []suite.Setting) *cobra.Command {
	f := serveFlags{agentFlags: agentFlags{endpointFlags: endpointFlags{secrets: secrets}}}
	cmd := &cobra.Command{
		Use:   "serve [AGENT…] [-- COMMAND…]",
		Short: "Serve agents over HTTP, answered by server-sent events",
		Long: `Serve agents, in real time: where none is named, all that have labels. They are

` + systemsHelp() + `
  POST /v1/agents/AGENT/chat   {"text":…, "sessionId":…, "maskData":{…}, …} → text/event-stream;
                               "messages":[…] in place of text where the agent takes several
  GET  /v1/agents/AGENT/chat   the same of ?text=…&sessionId=…, for an EventSource;
                               others add the header Accept: text/event-stream
  GET  /v1/agents              their names
  GET  /healthz                200, or 503 while the service stops

Without flags everything behind the agents is simulated and nothing leaves the
machine. Beside a real part (--model, --real) serve starts only if every other
part is real, left out (--without) or allowed (--allow-simulated). It lists what
is simulated at its start, and the last event of each answer (done) names it:
"simulated":["search"]. Web pages may ask only where --allow-origin lets them, and requests
must name this machine (localhost, the address) or an --allow-host. Ctrl-C lets
answers under way end, a second one ends them.`,
		Example: examples("serve") + `
  curl -N --json '{"text":"你好"}' http://127.0.0.1:8088/v1/agents/` + suite.Targets()[0] + `/chat`,
		ValidArgsFunction: cobra.FixedCompletions(suite.Targets(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := f.takeCommand(cmd, args)
			if err != nil {
				return err
			}
			return f.serve(cmd.Context(), args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.addr, "addr", "127.0.0.1:8088", "`ADDRESS` to listen on; port 0 takes a free one")
	f.door.register(flags)
	flags.Int64Var(&f.maxBody, "max-body", service.DefaultMaxBody, "`BYTES` that a request may have")
	flags.IntVar(&f.maxRuns, "max-concurrent-requests", service.DefaultMaxRuns, "`N` answers under way at once; 503 beyond")
	flags.DurationVar(&f.timeout, "timeout", service.DefaultTimeout, "`TIME` that an answer may take")
	f.register(cmd, settings)
	return cmd
}

// serve runs until ctx ends, and then until the answers under way have.
func (f *serveFlags) serve(ctx context.Context, targets []string, stdout, stderr io.Writer) error {
	handler, err := exit.Await(ctx, func() (*service.Service, error) { return f.service(ctx, targets, stderr) })
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: maxHeader,
		ErrorLog: serverLog(stderr)}
	tell := func(url string) error {
		_, err := fmt.Fprintln(stdout, url)
		return errors.Join(tellSimulated(stderr, handler.Simulated()), err)
	}
	err = listen(ctx, f.addr, server, tell, func() error { return stop(server, handler, drainTime, graceTime, log) })
	return errors.Join(err, handler.Close())
}

func (f *serveFlags) service(ctx context.Context, targets []string, stderr io.Writer) (*service.Service, error) {
	if len(targets) == 0 {
		targets = datasets.Shipped() // others would want to know where they are
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
	if err := f.door.check(); err != nil {
		return nil, err
	}
	agents, err := f.agents(ctx, targets)
	if err != nil {
		return nil, err
	}
	systems := map[string]system.System{}
	for _, target := range targets {
		systems[target], _ = suite.Find(target) // checked
	}
	made, err := service.New(service.Config{Agents: agents.all, Systems: systems, Simulated: agents.simulated,
		Hosts: f.door.names(f.addr), Origins: f.door.origins,
		MaxBody: f.maxBody, MaxRuns: f.maxRuns, Timeout: f.timeout, Log: slog.New(slog.NewTextHandler(stderr, nil))})
	if err != nil {
		return nil, errors.Join(err, closeAll(agents.all))
	}
	return made, nil
}

// stop gives answers under way some time, and then ends them: those whose agents
// heed it within grace with done, the others with their connections.
func stop(server *http.Server, handler *service.Service, drain, grace time.Duration, log *slog.Logger) error {
	handler.Drain()
	if err := shutdown(server, drain); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if n := handler.Runs(); n > 0 {
		log.Warn("answers are cut off", "answers", n, "after", drain)
	}
	handler.Stop()
	if err := shutdown(server, grace); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return server.Close()
}

// shutdown waits for the server's connections to fall idle, and closes them.
func shutdown(server *http.Server, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return server.Shutdown(ctx)
}
