package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/metric"
	"evalctl/eval/suggest"
	"evalctl/mocks/backend"
	"evalctl/mocks/proxy"
)

type proxyFlags struct {
	upstream, addr, component string
	faults                    []string
	seed                      uint64
	quiet                     bool
	hostGuard                 hostGuardFlags
}

func proxyCommand() *cobra.Command {
	var f proxyFlags
	cmd := &cobra.Command{
		Use:   "proxy --upstream URL",
		Short: "Fault-injecting proxy for a real provider",
		Long: `Forward requests of any client to a provider and inject the faults of evalctl run. Give the
client the printed address instead of the provider's. Requests without a fault pass unchanged,
including keys and streams.

rate_limited, server_error, overloaded, auth, no_balance and content_blocked answer in the
provider's format without calling it. malformed_json, wrong_schema, low_confidence and
empty_content change the real answer. truncated_stream, stalled_stream and error_in_stream break
a stream after four chunks. task_failed and task_endless affect image tasks. slow multiplies the
duration by ten, or adds a delay.

The component is detected from the path, JSON mode, images or prompt, or set by --component. Each
call is logged with its fault; keys are never logged. Ctrl-C stops the proxy.`,
		Example: `  evalctl proxy --upstream https://api.deepseek.com --fault chat:rate_limited%20
  evalctl proxy --upstream https://api.openai.com --component router --fault router:malformed_json@3 --addr 127.0.0.1:8080`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.serve(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.upstream, "upstream", "", "`URL` of the provider, to which the requested path is appended")
	flags.StringVar(&f.addr, "addr", "127.0.0.1:0", "`ADDRESS` to listen on; port 0 takes a free one")
	flags.StringSliceVar(&f.faults, "fault", nil, "injected fault `COMPONENT:KIND[=DURATION][@N|%P]`")
	flags.StringVar(&f.component, "component", "", "`COMPONENT` that all requests belong to (default: detected)")
	flags.Uint64Var(&f.seed, "seed", 1, "`SEED` of all that is random")
	f.hostGuard.register(flags)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "log nothing")
	return cmd
}

func (f *proxyFlags) serve(ctx context.Context, stdout, stderr io.Writer) error {
	handler, err := f.proxy(stderr)
	if err != nil {
		return err
	}
	guarded, err := f.hostGuard.guard(f.addr, handler)
	if err != nil {
		return err
	}
	server := defaultServerLimits.server(guarded)
	announce := func(at string) error {
		_, err := fmt.Fprintln(stdout, at)
		return err
	}
	return listen(ctx, f.addr, server, announce, server.Close)
}

func (f *proxyFlags) proxy(log io.Writer) (*proxy.Proxy, error) {
	cfg := proxy.Config{
		Components:        backend.AllComponents(),
		ComponentName:     f.component,
		ComponentOfPrompt: backend.ComponentOfPrompt,
		Seed:              f.seed,
	}
	var err error
	if cfg.Target, err = providerAt(f.upstream); err != nil {
		return nil, flagError("upstream", err)
	}
	if f.component != "" {
		if err := suggest.CheckKnown("component", f.component, cfg.Components.Names()); err != nil {
			return nil, flagError("component", err)
		}
	}
	if cfg.Faults, err = wireFaults(cfg.Components, f.faults); err != nil {
		return nil, flagError("fault", err)
	}
	if !f.quiet {
		cfg.Log = callLog(log)
	}
	return proxy.New(cfg)
}

// providerAt parses the value of --upstream, the URL of the provider.
func providerAt(address string) (*url.URL, error) {
	if address == "" {
		return nil, errors.New("is required: the URL of the provider, as in --upstream https://api.deepseek.com")
	}
	u, err := url.Parse(address)
	if err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		return u, nil
	}
	if u, err := url.Parse("https://" + address); !strings.Contains(address, "://") && err == nil &&
		strings.Contains(u.Host, ".") {
		return nil, fmt.Errorf("%q is not an http URL, did you mean %s?", secret.RedactURL(address),
			secret.RedactURL(u.String()))
	}
	return nil, fmt.Errorf("%q is not an http URL", secret.RedactURL(address))
}

// callLog returns a function that writes one line to w for each call through the proxy.
func callLog(w io.Writer) func(proxy.LogEntry) {
	var mu sync.Mutex
	return func(c proxy.LogEntry) {
		part := "no part"
		if c.Component != "" {
			part = fmt.Sprintf("%s #%d", c.Component, c.CallNumber)
		}
		line := fmt.Sprintf("%s %.200s · %s · %d in %s · %s", c.Method, c.Path, part, c.Status,
			metric.FormatDuration(c.Duration),
			cmp.Or(strings.Join(c.Faults, " + "), "no fault"))
		if c.Note != "" {
			line += " · " + c.Note
		}
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(w, terminal.OneLine(errors.New(line))) // a write error does not affect the call
	}
}
