package mocks

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"

	"evalctl/agent/clock"
)

// Transport plays requests against a handler in process, on the clock of each
// request's context: the handler runs beside the client as a server would,
// ahead of it by at most a window of 64 KiB.
type Transport struct{ Handler http.Handler }

var _ http.RoundTripper = Transport{}

// RoundTrip returns once the handler has flushed its headers or has ended.
// Ending the request's context or closing the body ends the handler's context.
func (t Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	served, cancel := context.WithCancel(clock.Detached(ctx))
	w := newResponseWriter(served)
	clock.Go(served, "handler of "+req.URL.Path, func(context.Context) {
		defer cancel()
		defer closeBody(req)
		w.end(clock.Protect("handler", func() error {
			t.Handler.ServeHTTP(w, asServer(served, req))
			return nil
		}))
	})
	if _, _, err := w.ready.Recv(ctx); err != nil {
		cancel()
		return nil, err
	}
	if !w.sent {
		return nil, w.aborted
	}
	return w.response(ctx, req, cancel)
}

// asServer is the request as a server reads it from the wire.
func asServer(ctx context.Context, req *http.Request) *http.Request {
	r := req.Clone(ctx)
	r.RequestURI = req.URL.RequestURI()
	r.RemoteAddr = "127.0.0.1:1"
	if r.Host == "" {
		r.Host = req.URL.Host
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	if r.Header.Get("Accept-Encoding") == "" {
		r.Header.Set("Accept-Encoding", "gzip")
	}
	if r.Header.Get("User-Agent") == "" {
		r.Header.Set("User-Agent", "Go-http-client/1.1")
	}
	return r
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close() // a request body in memory has nothing to report
	}
}

// response is what the client gets; a compressed body that it did not ask for
// is opened for it, as net/http does.
func (w *responseWriter) response(ctx context.Context, req *http.Request, cancel func()) (*http.Response, error) {
	res := &http.Response{
		Status:        fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)),
		StatusCode:    w.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        w.sentHeader,
		ContentLength: w.length,
		Body:          &body{ctx: ctx, w: w, cancel: cancel},
		Request:       req,
	}
	if req.Header.Get("Accept-Encoding") != "" || !strings.EqualFold(res.Header.Get("Content-Encoding"), "gzip") {
		return res, nil
	}
	zr, err := gzip.NewReader(res.Body)
	if err != nil {
		return nil, errors.Join(err, res.Body.Close())
	}
	res.Header.Del("Content-Encoding")
	res.Header.Del("Content-Length")
	res.ContentLength, res.Uncompressed = -1, true
	res.Body = unzipped{Reader: zr, Closer: res.Body}
	return res, nil
}

type unzipped struct {
	io.Reader
	io.Closer
}

// transportError is what a client sees of a handler that panicked: a reset
// where it meant to, else a connection that just ended.
func transportError(err error) error {
	var p *clock.PanicError
	if errors.As(err, &p) && p.Value == http.ErrAbortHandler {
		return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	}
	return io.EOF
}
