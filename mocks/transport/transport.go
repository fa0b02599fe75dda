// Package transport sends HTTP requests to a handler in the same process, without a network, in
// real and in simulated time.
package transport

import (
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"time"

	"evalctl/agent/clock"
)

// Transport is an http.RoundTripper that calls an http.Handler in the same process, on the clock of
// each request's context. Handler and client run concurrently; the handler may be up to 64 KiB
// ahead. Both see the same as over a network, except for trailers and 1xx responses.
type Transport struct{ Handler http.Handler }

var _ http.RoundTripper = Transport{}

// RoundTrip calls the handler and returns its response as soon as the headers are sent or the
// handler has ended. The handler's context ends with the context of req, or when the client closes
// the body.
func (t Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	if ctx.Err() != nil {
		closeBody(req)
		return nil, context.Cause(ctx)
	}
	serverCtx, cancel := context.WithCancel(serverContext{ctx})
	w := newResponseWriter(serverCtx, req.Method)
	clock.Go(serverCtx, "handler of "+req.URL.Path, func(context.Context) {
		defer cancel()
		defer closeBody(req)
		w.end(clock.CatchPanic("handler", func() error {
			t.Handler.ServeHTTP(w, serverRequest(serverCtx, req))
			return nil
		}))
	})
	if err := w.pipe.awaitHeader(ctx); err != nil {
		cancel()
		return nil, orCause(ctx, err)
	}
	return w.response(ctx, req, cancel), nil
}

// serverContext is the client's context without its deadline, because a server cannot see the
// deadline of its client.
type serverContext struct{ context.Context }

func (serverContext) Deadline() (time.Time, bool) { return time.Time{}, false }

// orCause returns the cause if ctx has ended, else err. net/http does the same.
func orCause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close() // a request body in memory has no error to report
	}
}

// response returns the response for the client. As in net/http, a compressed body is decompressed
// if the client did not request compression itself.
func (w *responseWriter) response(ctx context.Context, req *http.Request, cancel func()) *http.Response {
	res := &http.Response{
		Status:        fmt.Sprintf("%d %s", w.status, statusText(w.status)),
		StatusCode:    w.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        w.sentHeader,
		ContentLength: w.length,
		Body:          http.NoBody,
		Request:       req,
	}
	if !w.hasBody() || w.length == 0 {
		return res
	}
	if w.length < 0 {
		res.TransferEncoding = []string{"chunked"}
	}
	b := &body{
		ctx:       ctx,
		pipe:      &w.pipe,
		cancel:    cancel,
		remaining: w.length,
	}
	res.Body = b
	if asksForGzip(req) && isGzip(res.Header) {
		res.Header.Del("Content-Encoding")
		res.Header.Del("Content-Length")
		res.ContentLength, res.Uncompressed = -1, true
		res.Body = &unzipped{body: b}
	}
	return res
}

func statusText(code int) string {
	if text := http.StatusText(code); text != "" {
		return text
	}
	return fmt.Sprintf("status code %d", code)
}

// unzipped is a decompressed response body. It reads the gzip header only at the first Read,
// because before, the handler may not have written it.
type unzipped struct {
	*body
	zr  *gzip.Reader
	err error
}

func (u *unzipped) Read(p []byte) (int, error) {
	if u.zr == nil && u.err == nil {
		u.zr, u.err = gzip.NewReader(u.body)
	}
	if u.err != nil {
		return 0, u.err
	}
	if u.closed.Load() {
		return 0, http.ErrBodyReadAfterClose
	}
	return u.zr.Read(p)
}
