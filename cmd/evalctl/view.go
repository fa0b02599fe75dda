package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/view"
)

type viewFlags struct {
	addr string
	open bool
}

func viewCommand() *cobra.Command {
	var f viewFlags
	cmd := &cobra.Command{
		Use:   "view [DIR…]",
		Short: "Serve runs as web pages, including runs in progress",
		Long: `Serve the runs in each DIR (a run or a directory of runs) as web pages: the list, the report of
each run with all traces, comparisons, and the progress of running ones. The default DIR is ` + defaultRuns + `. New
runs appear, and removed ones disappear.

The server accepts only requests from this machine, unless you set --addr, and none from
pages of other sites. Stop it with Ctrl-C.`,
		Example: "  evalctl view\n  evalctl view runs/1 runs/2 --addr 127.0.0.1:8090 --open",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{defaultRuns}
			}
			return f.view(cmd.Context(), args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.addr, "addr", "127.0.0.1:0", "`ADDRESS` to listen on; port 0 takes a free one")
	flags.BoolVar(&f.open, "open", false, "open the list in the browser")
	return cmd
}

// view serves the runs in dirs as web pages until ctx ends, and then stops at once. Pages that
// follow a run in progress are disconnected.
func (f *viewFlags) view(ctx context.Context, dirs []string, stdout, stderr io.Writer) error {
	own, _, _ := net.SplitHostPort(f.addr) // the listener reports an invalid address
	handler, err := view.New(view.Config{Dirs: dirs, Hosts: []string{own}})
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          serverLog(stderr),
	}
	announce := func(url string) error {
		if !isLoopback(own) {
			fmt.Fprintf(stderr, "evalctl: view: anyone who can reach %s can read these runs\n", f.addr)
		}
		url = localURL(url)
		if f.open {
			if err := openBrowser(url); err != nil {
				fmt.Fprintf(stderr, "evalctl: --open: %v\n", err)
			}
		}
		_, err := fmt.Fprintln(stdout, url)
		return err
	}
	return listen(ctx, f.addr, server, announce, server.Close)
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// localURL returns a URL that a browser can open: it replaces an unspecified address, such as
// 0.0.0.0, with a local one.
func localURL(url string) string {
	at, err := netip.ParseAddrPort(strings.TrimPrefix(url, "http://"))
	switch {
	case err != nil || !at.Addr().IsUnspecified():
		return url
	case at.Addr().Is4():
		return fmt.Sprintf("http://127.0.0.1:%d", at.Port())
	}
	return fmt.Sprintf("http://localhost:%d", at.Port()) // [::] accepts IPv4 and IPv6 where both exist
}

// openBrowser opens a URL in the default browser without waiting for it.
func openBrowser(url string) error {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
