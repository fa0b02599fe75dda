package main

import (
	"net"
	"net/http"

	"github.com/spf13/pflag"

	"evalctl/agent/service/door"
)

// hostGuardFlags are the flags --allow-host and --allow-origin. They extend the requests that a
// server accepts, by Host and Origin header.
type hostGuardFlags struct{ hosts, origins []string }

func (f *hostGuardFlags) register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.hosts, "allow-host", nil,
		"additional host `NAME` to accept, for example behind a proxy; * for any")
	flags.StringSliceVar(&f.origins, "allow-origin", nil,
		"`ORIGIN` whose web pages may send requests, for example https://app.example.com; * for any")
}

func (f *hostGuardFlags) check() error {
	if err := each(f.origins, door.CheckOrigin); err != nil {
		return flagError("allow-origin", err)
	}
	if err := each(f.hosts, door.CheckHost); err != nil {
		return flagError("allow-host", err)
	}
	return nil
}

// hostNames returns the host names that a server on addr accepts in addition to the local ones.
func (f *hostGuardFlags) hostNames(addr string) []string {
	own, _, _ := net.SplitHostPort(addr) // the listener reports an invalid address
	return append(f.hosts, own)
}

// guard wraps a handler so that requests with another Host or Origin are refused.
func (f *hostGuardFlags) guard(addr string, next http.Handler) (http.Handler, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	d, err := door.New(f.hostNames(addr), f.origins)
	if err != nil {
		return nil, flagError("allow-origin", err)
	}
	return d.Protect(next), nil
}
