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
	header time.Duration // request headers
	body   time.Duration // request headers and body
	write  time.Duration // a single write to the client
	idle   time.Duration // between requests
	conns  int64         // parallel connections; more are closed
}

var defaultPatience = serverTimeouts{header: 10 * time.Second, body: time.Minute, write: time.Minute, idle: 2 * time.Minute, conns: 1024}

// server creates a server with these limits.
func (p serverTimeouts) server(handler http.Handler) *http.Server {
	var open atomic.Int64
	return &http.Server{
		ReadHeaderTimeout: p.header, ReadTimeout: p.body, IdleTimeout: p.idle, MaxHeaderBytes: maxHeader, ErrorLog: serverLog(io.Discard),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			handler.ServeHTTP(&promptWriter{ResponseWriter: w, control: http.NewResponseController(w), patience: p.write}, r)
		}),
		ConnState: func(c net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				if open.Add(1) > p.conns {
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
func serverLog(w io.Writer) *log.Logger { return log.New(panics{w}, "", 0) }

// panics drops all lines except panics.
type panics struct{ to io.Writer }

func (p panics) Write(line []byte) (int, error) {
	if !bytes.HasPrefix(line, []byte("http: panic serving ")) {
		return len(line), nil
	}
	return p.to.Write(append([]byte("evalctl: "), line...))
}

// promptWriter sets a deadline for each write to the client.
type promptWriter struct {
	http.ResponseWriter
	control  *http.ResponseController
	patience time.Duration
}

var _ http.Flusher = (*promptWriter)(nil)

func (w *promptWriter) Write(b []byte) (int, error) {
	if err := w.control.SetWriteDeadline(time.Now().Add(w.patience)); err != nil {
		return 0, err
	}
	return w.ResponseWriter.Write(b)
}

// Flush sends buffered data.
func (w *promptWriter) Flush() {
	if w.control.SetWriteDeadline(time.Now().Add(w.patience)) == nil {
		_ = w.control.Flush() // the next write reports a disconnected client
	}
}

// Unwrap gives access to the underlying writer, for example to hijack the connection.
func (w *promptWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
