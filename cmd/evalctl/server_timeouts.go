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

// serverTimeouts is how long a server of mocks waits for a client, and for how many.
// Answers have no time limit as a whole: a stream may be slow on purpose.
type serverTimeouts struct {
	header time.Duration // for a request's headers
	body   time.Duration // for these and its body
	write  time.Duration // for a client to take what is written
	idle   time.Duration // between requests
	conns  int64         // at once; more are closed
}

var defaultPatience = serverTimeouts{header: 10 * time.Second, body: time.Minute, write: time.Minute, idle: 2 * time.Minute, conns: 1024}

// server serves a handler as long as patience lasts.
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
					_ = c.Close() // its end is counted below
				}
			case http.StateClosed, http.StateHijacked:
				open.Add(-1)
			}
		},
	}
}

// serverLog is the log of an http.Server. It shows w that a handler panicked, which is an error
// of evalctl, and drops all else: it may hold what clients sent.
func serverLog(w io.Writer) *log.Logger { return log.New(panics{w}, "", 0) }

// panics drops all lines but those of a panic.
type panics struct{ to io.Writer }

func (p panics) Write(line []byte) (int, error) {
	if !bytes.HasPrefix(line, []byte("http: panic serving ")) {
		return len(line), nil
	}
	return p.to.Write(append([]byte("evalctl: "), line...))
}

// promptWriter writes to a client that must read in time.
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

// Flush sends what was written.
func (w *promptWriter) Flush() {
	if w.control.SetWriteDeadline(time.Now().Add(w.patience)) == nil {
		_ = w.control.Flush() // a client that has gone shows at the next write
	}
}

// Unwrap lets the connection be taken over.
func (w *promptWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
