package main

import (
	"context"
	"errors"
	"net"
	"net/http"

	"evalctl/cmd/evalctl/exit"
)

// listen serves HTTP on an address until ctx ends, and then calls shut to stop the server. Before
// it serves, it calls announce with the URL, which contains the selected port if addr has port 0.
func listen(ctx context.Context, addr string, server *http.Server, announce func(url string) error,
	shut func() error) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return flagError("addr", err)
	}
	if err := announce("http://" + l.Addr().String()); err != nil {
		return exit.InternalError(errors.Join(err, l.Close()))
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return exit.InternalError(err)
	case <-ctx.Done():
		err := shut()
		<-ended
		return err
	}
}
