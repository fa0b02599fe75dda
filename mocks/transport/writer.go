package transport

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"

	"evalctl/agent/clock"
)

// Buffer sizes of net/http's server: a response of up to maxAutoLength bytes gets a Content-Length,
// and more than writeBuffer bytes are flushed.
const (
	maxAutoLength = 2 << 10
	writeBuffer   = 4 << 10
)

// responseWriter is the http.ResponseWriter of a handler in the same process. It behaves like the
// one of net/http.
type responseWriter struct {
	ctx        context.Context
	method     string
	header     http.Header
	status     int
	sentHeader http.Header // copy of header, made by WriteHeader
	length     int64       // Content-Length; -1: unknown until the end
	chunked    bool        // the handler set an invalid Content-Length, so net/http sends none
	written    int64
	headerSent bool
	flushErr   error // error of the last flush, after which the client is gone
	buf        bytes.Buffer
	pipe       pipe
}

var (
	_ http.ResponseWriter = (*responseWriter)(nil)
	_ http.Flusher        = (*responseWriter)(nil)
)

func newResponseWriter(ctx context.Context, method string) *responseWriter {
	return &responseWriter{
		ctx:    ctx,
		method: method,
		header: http.Header{},
		length: -1,
		pipe:   pipe{ctx: ctx},
	}
}

func (w *responseWriter) Header() http.Header { return w.header }

// WriteHeader sets the status and copies the current headers. Informational (1xx) responses are
// ignored.
func (w *responseWriter) WriteHeader(status int) {
	if status < 100 || status > 999 {
		panic(fmt.Sprintf("invalid WriteHeader code %v", status))
	}
	if w.status != 0 || status < 200 {
		return
	}
	w.status, w.sentHeader = status, w.header.Clone()
	stated := w.sentHeader.Get("Content-Length")
	n, err := strconv.ParseInt(stated, 10, 64)
	if err != nil || n < 0 || !w.allowsBody() {
		w.chunked = stated != ""
		w.sentHeader.Del("Content-Length")
		return
	}
	w.length = n
}

func (w *responseWriter) allowsBody() bool { return w.status != 204 && w.status != 304 }

func (w *responseWriter) hasBody() bool { return w.allowsBody() && w.method != http.MethodHead }

func (w *responseWriter) implicitHeader() {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
}

// Write buffers up to writeBuffer bytes. Further data is sent to the client; Write blocks while the
// client is too far behind.
func (w *responseWriter) Write(p []byte) (int, error) {
	w.implicitHeader()
	if len(p) == 0 {
		return 0, nil
	}
	if !w.allowsBody() {
		return 0, http.ErrBodyNotAllowed
	}
	w.written += int64(len(p))
	if w.length >= 0 && w.written > w.length {
		return 0, http.ErrContentLength
	}
	if w.flushErr != nil {
		return 0, w.flushErr
	}
	w.buf.Write(p)
	if w.buf.Len() <= writeBuffer {
		return len(p), nil
	}
	return len(p), w.flush()
}

// Flush sends the buffered data to the client.
func (w *responseWriter) Flush() {
	w.implicitHeader()
	_ = w.flush() // as in net/http, the next Write reports the error
}

func (w *responseWriter) flush() error {
	w.sendHeader(false)
	defer w.buf.Reset()
	if w.hasBody() && w.flushErr == nil {
		w.flushErr = w.pipe.send(w.ctx, w.buf.Bytes())
	}
	return w.flushErr
}

// sendHeader completes the headers and sends them. isComplete means that the whole response is in
// the buffer.
func (w *responseWriter) sendHeader(isComplete bool) {
	if w.headerSent {
		return
	}
	w.headerSent = true
	h := w.sentHeader
	if isComplete && w.length < 0 && !w.chunked && w.written <= maxAutoLength && w.allowsBody() &&
		(w.hasBody() || w.written > 0) {
		w.length = w.written
		h.Set("Content-Length", strconv.FormatInt(w.length, 10))
	}
	if !w.allowsBody() {
		w.length = 0
		h.Del("Transfer-Encoding")
	}
	_, typed := h["Content-Type"]
	switch {
	case w.status == http.StatusNotModified:
		h.Del("Content-Type")
	case !typed && w.buf.Len() > 0 && h.Get("Content-Encoding") == "":
		h.Set("Content-Type", http.DetectContentType(w.buf.Bytes()))
	}
	if _, dated := h["Date"]; !dated {
		h.Set("Date", clock.Now(w.ctx).UTC().Format(http.TimeFormat))
	}
	maps.DeleteFunc(h, func(_ string, values []string) bool { return len(values) == 0 })
	w.pipe.sendHeader()
}

// end ends the response after the handler has returned. err is the handler's panic, or nil.
func (w *responseWriter) end(err error) {
	if err != nil {
		w.pipe.end(transportError(err, w.headerSent))
		return
	}
	w.implicitHeader()
	w.sendHeader(true)
	_ = w.flush() // fails only if the client has disconnected
	if w.hasBody() && w.written < w.length {
		w.pipe.end(io.ErrUnexpectedEOF)
	}
	w.pipe.end(io.EOF)
}
