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

// serverLimits are the time and connection limits of mock servers and the proxy. A response has
// no total limit, because a stream can be slow on purpose.
type serverLimits struct {
	header   time.Duration // to read the headers of a request
	body     time.Duration // to read a request with headers and body
	write    time.Duration // for a single write to the client
	idle     time.Duration // between two requests on a connection
	maxConns int64         // number of open connections; further ones are closed
}

var defaultServerLimits = serverLimits{
	header:   10 * time.Second,
	body:     time.Minute,
	write:    time.Minute,
	idle:     2 * time.Minute,
	maxConns: 1024,
}

// server returns an HTTP server with these limits.
func (limits serverLimits) server(handler http.Handler) *http.Server {
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
					_ = c.Close() // ConnState is called again for the closed connection
				}
			case http.StateClosed, http.StateHijacked:
				open.Add(-1)
			}
		},
	}
}

// serverLog returns the log of an http.Server. It passes on only panics of handlers, which are
// errors of evalctl. Other lines can contain data of clients.
func serverLog(w io.Writer) *log.Logger { return log.New(panicWriter{w}, "", 0) }

// panicWriter passes on log lines about panics and drops all others.
type panicWriter struct{ to io.Writer }

func (p panicWriter) Write(line []byte) (int, error) {
	if !bytes.HasPrefix(line, []byte("http: panic serving ")) {
		return len(line), nil
	}
	return p.to.Write(append([]byte("evalctl: "), line...))
}

// deadlineWriter is a response writer that sets a new deadline before each write to the client.
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

// Flush sends buffered data to the client, with a new deadline.
func (w *deadlineWriter) Flush() {
	if w.control.SetWriteDeadline(time.Now().Add(w.timeout)) == nil {
		_ = w.control.Flush() // the next write reports a disconnected client
	}
}

// Unwrap gives access to the underlying writer, for example to hijack the connection.
func (w *deadlineWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
