package main

import (
	"context"
	"errors"
	"net"
	"net/http"

	"evalctl/cmd/evalctl/exit"
)

// listen serves on an address until ctx ends, and then ends as shut does. tell
// hears first where that is: port 0 took a free one.
func listen(ctx context.Context, addr string, server *http.Server, tell func(url string) error, shut func() error) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return flagError("addr", err)
	}
	if err := tell("http://" + l.Addr().String()); err != nil {
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
