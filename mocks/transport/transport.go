// Package transport plays HTTP requests against a handler in process, in real
// and in simulated time.
package transport

import (
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"time"

	"evalctl/agent/clock"
)

// Transport plays requests against a handler in process, on the clock of each
// request's context: the handler runs beside the client as a server would,
// ahead of it by at most a window of 64 KiB. What client and handler see is
// what they would see over a socket, but for trailers and 1xx answers.
type Transport struct{ Handler http.Handler }

var _ http.RoundTripper = Transport{}

// RoundTrip returns once the handler has flushed its headers or has ended.
// Ending the request's context or closing the body ends the handler's context.
func (t Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	if ctx.Err() != nil {
		closeBody(req)
		return nil, context.Cause(ctx)
	}
	served, cancel := context.WithCancel(connection{ctx})
	w := newResponseWriter(served, req.Method)
	clock.Go(served, "handler of "+req.URL.Path, func(context.Context) {
		defer cancel()
		defer closeBody(req)
		w.end(clock.CatchPanic("handler", func() error {
			t.Handler.ServeHTTP(w, asServer(served, req))
			return nil
		}))
	})
	if err := w.pipe.awaitHeader(ctx); err != nil {
		cancel()
		return nil, orCause(ctx, err)
	}
	return w.response(ctx, req, cancel), nil
}

// connection is the client's context as its server sees it: it ends when the
// client goes, but nobody tells a server the client's deadline.
type connection struct{ context.Context }

func (connection) Deadline() (time.Time, bool) { return time.Time{}, false }

// orCause is err, or why ctx has ended, where it has: net/http does so too.
func orCause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close() // a request body in memory has nothing to report
	}
}

// response is what the client gets; a compressed body that it did not ask for
// is opened for it, as net/http does.
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
	b := &body{ctx: ctx, pipe: &w.pipe, cancel: cancel, left: w.length}
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

// unzipped opens its body at the first read: before, there may be none of it.
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
