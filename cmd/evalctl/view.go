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

// viewFlags are the flags of evalctl view.
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
each run with all traces, comparisons, and the progress of running ones. The default DIR is ` + defaultRuns + `. Runs that begin are found,
those that are removed are gone.

Only this machine can ask, unless --addr says otherwise, and no page of another site.
Ctrl-C ends it.`,
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

// view serves until ctx ends, and then ends at once: a page that follows a run hears
// nothing more.
func (f *viewFlags) view(ctx context.Context, dirs []string, stdout, stderr io.Writer) error {
	own, _, _ := net.SplitHostPort(f.addr) // what is wrong with it is told when it is listened on
	handler, err := view.New(view.Config{Dirs: dirs, Hosts: []string{own}})
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return ctx }, ErrorLog: serverLog(stderr)}
	tell := func(url string) error {
		if !isLoopback(own) {
			fmt.Fprintf(stderr, "evalctl: view: anyone who can reach %s can read these runs\n", f.addr)
		}
		url = reachable(url)
		if f.open {
			if err := openBrowser(url); err != nil {
				fmt.Fprintf(stderr, "evalctl: --open: %v\n", err)
			}
		}
		_, err := fmt.Fprintln(stdout, url)
		return err
	}
	return listen(ctx, f.addr, server, tell, server.Close)
}

// isLoopback tells the names under which nobody else reaches this machine.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// reachable is an address at which this machine reaches a server that listens everywhere,
// which is no place to go to.
func reachable(url string) string {
	at, err := netip.ParseAddrPort(strings.TrimPrefix(url, "http://"))
	switch {
	case err != nil || !at.Addr().IsUnspecified():
		return url
	case at.Addr().Is4():
		return fmt.Sprintf("http://127.0.0.1:%d", at.Port())
	}
	return fmt.Sprintf("http://localhost:%d", at.Port()) // [::] listens on both families, where there are both
}

// openBrowser starts the program by which the system opens addresses, and does not wait
// for it.
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
