package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/fleet/broker"
	"evalctl/eval/journal"
)

// brokerFlags are the flags of evalctl broker.
type brokerFlags struct {
	dir, addr string
	maxStore  int64
	secrets   *secret.Set
}

func brokerCommand(secrets *secret.Set) *cobra.Command {
	f := brokerFlags{secrets: secrets}
	cmd := &cobra.Command{
		Use:   "broker",
		Short: "Stand between evalctl run --workers and its workers: a NATS server",
		Long: `Run a NATS server with JetStream, for those who have none, until Ctrl-C. All that it
says yes to is on the disk, synced: killed, it goes on with what is in its folder. It
prints the URL for evalctl run --workers and evalctl worker.

Whoever reaches it may lead runs and read results. It listens on this machine alone
unless --addr says otherwise, and then wants a token in $NATS_TOKEN, or a user in
$NATS_USER and $NATS_PASSWORD. It speaks no TLS: on a network that is not yours put it
behind a tunnel, or use a NATS server of your own with JetStream, and tls://HOST:PORT.`,
		Example: "  evalctl broker\n  NATS_TOKEN=… evalctl broker --addr 0.0.0.0:4222 --dir /var/lib/evalctl",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.addr, "addr", "127.0.0.1:4222", "`ADDRESS` to listen on; port 0 takes a free one")
	flags.StringVar(&f.dir, "dir", "broker", "folder `DIR` for what it holds")
	flags.Int64Var(&f.maxStore, "max-store", broker.DefaultMaxStore, "`BYTES` that it holds at most")
	return cmd
}

// run serves until ctx ends.
func (f *brokerFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := atLeast(1, f.maxStore); err != nil {
		return flagError("max-store", err)
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return flagError("dir", err)
	}
	hold, err := journal.Hold(f.dir)
	if err != nil {
		return flagError("dir", err)
	}
	defer hold.Close()
	a := environment(f.secrets)
	b, err := broker.Start(broker.Config{Dir: f.dir, Addr: f.addr, Token: a.Token, User: a.User, Password: a.Password, MaxStore: f.maxStore, Warn: tell(f.secrets, stderr)})
	if err != nil {
		return flagError("addr", err)
	}
	defer b.Close()
	if _, err := fmt.Fprintln(stdout, b.URL()); err != nil {
		return exit.NotTheirs(err)
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-b.Failed():
		return exit.NotTheirs(fmt.Errorf("broker: %s: %w", f.dir, err))
	}
}
