package mocks

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	"evalctl/agent/clock"
)

// The handler may be ahead of the client by window pieces of at most piece
// bytes: 64 KiB.
const (
	piece  = 4 << 10
	window = 16
)

// responseWriter is the server's end of an answer in process.
type responseWriter struct {
	ctx        context.Context
	header     http.Header
	status     int
	length     int64 // -1: unknown until the end
	sentHeader http.Header
	sent       bool // the headers are with the client
	ready      *clock.Chan[struct{}]
	pieces     *clock.Chan[[]byte]
	buf        bytes.Buffer
	aborted    error // why the answer ended early
}

var (
	_ http.ResponseWriter = (*responseWriter)(nil)
	_ http.Flusher        = (*responseWriter)(nil)
)

func newResponseWriter(ctx context.Context) *responseWriter {
	return &responseWriter{
		ctx:    ctx,
		header: http.Header{},
		length: -1,
		ready:  clock.NewChan[struct{}](ctx, "the response's headers", 1),
		pieces: clock.NewChan[[]byte](ctx, "the response's body", window),
	}
}

func (w *responseWriter) Header() http.Header { return w.header }

func (w *responseWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write buffers up to a piece; more goes to the client, and waits for it when
// the window is full.
func (w *responseWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.buf.Write(p)
	if w.buf.Len() <= piece {
		return len(p), nil
	}
	return len(p), w.flush()
}

// Flush hands what is buffered to the client.
func (w *responseWriter) Flush() {
	w.WriteHeader(http.StatusOK)
	_ = w.flush() // as in net/http, the next Write reports it
}

func (w *responseWriter) flush() error {
	w.sendHeader()
	for w.buf.Len() > 0 {
		if err := w.pieces.Send(w.ctx, bytes.Clone(w.buf.Next(piece))); err != nil {
			return err
		}
	}
	return nil
}

func (w *responseWriter) sendHeader() {
	if w.sent {
		return
	}
	if w.header.Get("Content-Type") == "" && w.buf.Len() > 0 {
		w.header.Set("Content-Type", http.DetectContentType(w.buf.Bytes()))
	}
	if n, err := strconv.ParseInt(w.header.Get("Content-Length"), 10, 64); err == nil {
		w.length = n
	}
	w.sent = true
	w.sentHeader = w.header.Clone()
	w.ready.Close()
}

// end closes the answer when the handler has returned, or panicked with err.
func (w *responseWriter) end(err error) {
	if err != nil {
		w.aborted = transportError(err)
		if w.sent && errors.Is(w.aborted, io.EOF) {
			w.aborted = io.ErrUnexpectedEOF
		}
	} else {
		w.WriteHeader(http.StatusOK)
		if !w.sent {
			w.header.Set("Content-Length", strconv.Itoa(w.buf.Len()))
		}
		_ = w.flush() // fails only when the client has gone
	}
	w.ready.Close()
	w.pieces.Close()
}

// body is the client's end.
type body struct {
	ctx    context.Context
	w      *responseWriter
	cancel func()
	rest   []byte
	closed bool
}

func (b *body) Read(p []byte) (int, error) {
	if b.closed {
		return 0, http.ErrBodyReadAfterClose
	}
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	for len(b.rest) == 0 {
		next, ok, err := b.w.pieces.Recv(b.ctx)
		if err != nil {
			return 0, err
		}
		if !ok {
			return 0, b.finish()
		}
		b.rest = next
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

func (b *body) finish() error {
	if b.w.aborted != nil {
		return b.w.aborted
	}
	return io.EOF
}

// Close tells the handler that nobody listens any more.
func (b *body) Close() error {
	b.closed = true
	b.cancel()
	b.w.pieces.Close()
	return nil
}
