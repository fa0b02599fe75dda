package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/fleet/broker"
	"evalctl/eval/journal"
)

type brokerFlags struct {
	dir, addr string
	tokenFile string // empty: DIR/token
	tls       tlsFlags
	maxStore  int64
	secrets   *secret.Set
}

func brokerCommand(secrets *secret.Set) *cobra.Command {
	f := brokerFlags{secrets: secrets}
	cmd := &cobra.Command{
		Use:   "broker",
		Short: "Run an embedded NATS server that connects evalctl run with its workers",
		Long: `Run a NATS server with JetStream until Ctrl-C, if you have none. Every confirmed message
is on disk: after a crash, the server continues with the content of its directory. It
prints the URL for evalctl run --broker and evalctl worker.

Clients require its token, also on this machine. With it, they can start runs and read
results. The token is created once and stored in DIR/token with mode 0600; the printed
URL contains it. $NATS_TOKEN, or $NATS_USER and $NATS_PASSWORD, replace it and are not
printed. The broker listens only on this machine; set --addr to change that. On a
network, set a certificate with --tls-cert and --tls-key. Otherwise the token and all
results are sent unencrypted.`,
		Example: "  evalctl broker\n  evalctl broker --addr 0.0.0.0:4222 --dir /var/lib/evalctl --tls-cert broker.pem --tls-key broker.key",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.addr, "addr", "127.0.0.1:4222", "`ADDRESS` to listen on; port 0 takes a free one")
	flags.StringVar(&f.dir, "dir", "broker", "`DIR` for its messages")
	flags.StringVar(&f.tokenFile, "token-file", "",
		"`FILE` with the token, created if it is missing (DIR/token)")
	f.tls.registerServer(flags)
	flags.Int64Var(&f.maxStore, "max-disk-bytes", broker.DefaultMaxStoreBytes, "maximum `BYTES` on disk")
	return cmd
}

// withToken inserts a generated token into the URL of the broker, so that the printed URL is
// complete.
func withToken(url, own string) string {
	if own == "" {
		return url
	}
	return strings.Replace(url, "//", "//"+own+"@", 1)
}

// run starts the broker, prints its URL and serves until ctx ends.
func (f *brokerFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := atLeast(1, f.maxStore); err != nil {
		return flagError("max-disk-bytes", err)
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return flagError("dir", err)
	}
	lock, err := journal.LockFile(f.dir)
	if err != nil {
		return flagError("dir", err)
	}
	defer lock.Close()
	a, own := brokerCredentials(f.secrets), ""
	if a.Token == "" && a.User == "" {
		if own, err = ownToken(cmp.Or(f.tokenFile, filepath.Join(f.dir, "token"))); err != nil {
			return flagError("token-file", err)
		}
		a.Token = own
	}
	secured, err := f.tls.server()
	if err != nil {
		return err
	}
	warn := redactedPrinter(f.secrets, stderr)
	b, err := broker.Start(broker.Config{
		Dir:           f.dir,
		Addr:          f.addr,
		Token:         a.Token,
		User:          a.User,
		Password:      a.Password,
		TLS:           secured,
		MaxStoreBytes: f.maxStore,
		Warn:          warn,
	})
	if err != nil {
		return flagError("addr", err)
	}
	defer b.Close()
	if secured == nil && !b.IsLocal() {
		warn("others can reach " + f.addr + ", and the token and all results are sent in the clear: see --tls-cert")
	}
	if _, err := fmt.Fprintln(stdout, withToken(b.URL(), own)); err != nil {
		return exit.InternalError(err)
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-b.Failed():
		return exit.InternalError(fmt.Errorf("broker: %s: %w", f.dir, err))
	}
}
