package main

import (
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// serverTimeouts limit the waiting times and connections of mock servers. Responses have no total
// limit, because a stream can be slow on purpose.
type serverTimeouts struct {
	header   time.Duration // request headers
	body     time.Duration // request headers and body
	write    time.Duration // a single write to the client
	idle     time.Duration // between requests
	maxConns int64         // parallel connections; more are closed
}

var defaultServerTimeouts = serverTimeouts{
	header:   10 * time.Second,
	body:     time.Minute,
	write:    time.Minute,
	idle:     2 * time.Minute,
	maxConns: 1024,
}

// server creates a server with these limits.
func (limits serverTimeouts) server(handler http.Handler) *http.Server {
	var open atomic.Int64
	return &http.Server{
		ReadHeaderTimeout: limits.header,
		ReadTimeout:       limits.body,
		IdleTimeout:       limits.idle,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          serverLog(io.Discard),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			handler.ServeHTTP(&deadlineWriter{ResponseWriter: w, control: http.NewResponseController(w),
				timeout: limits.write}, r)
		}),
		ConnState: func(c net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				if open.Add(1) > limits.maxConns {
					_ = c.Close() // counted below when it is closed
				}
			case http.StateClosed, http.StateHijacked:
				open.Add(-1)
			}
		},
	}
}

// serverLog is the log of an http.Server. It reports only panics of handlers, which are errors of
// evalctl. Other lines can contain data from clients.
func serverLog(w io.Writer) *log.Logger { return log.New(panicWriter{w}, "", 0) }

// panicWriter drops all lines except panics.
type panicWriter struct{ to io.Writer }

func (p panicWriter) Write(line []byte) (int, error) {
	if !bytes.HasPrefix(line, []byte("http: panic serving ")) {
		return len(line), nil
	}
	return p.to.Write(append([]byte("evalctl: "), line...))
}

// deadlineWriter sets a deadline for each write to the client.
type deadlineWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
}

var _ http.Flusher = (*deadlineWriter)(nil)

func (w *deadlineWriter) Write(b []byte) (int, error) {
	if err := w.control.SetWriteDeadline(time.Now().Add(w.timeout)); err != nil {
		return 0, err
	}
	return w.ResponseWriter.Write(b)
}

// Flush sends buffered data.
func (w *deadlineWriter) Flush() {
	if w.control.SetWriteDeadline(time.Now().Add(w.timeout)) == nil {
		_ = w.control.Flush() // the next write reports a disconnected client
	}
}

// Unwrap gives access to the underlying writer, for example to hijack the connection.
func (w *deadlineWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
