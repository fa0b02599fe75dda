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

// Buffer sizes of net/http's server: an answer of up to small bytes gets a Content-Length, and
// after piece bytes the buffer is flushed.
const (
	maxAutoLength = 2 << 10
	writeBuffer   = 4 << 10
)

// responseWriter is the server's end of an answer in process. It behaves like net/http's.
type responseWriter struct {
	ctx        context.Context
	method     string
	header     http.Header
	status     int
	sentHeader http.Header // copy made by WriteHeader
	length     int64       // -1: unknown until the end
	chunked    bool        // the stated length was invalid, so net/http sets none
	written    int64
	headerSent bool
	flushErr   error // error of the last flush: the client has disconnected
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

// WriteHeader copies the current headers. Informational answers are not sent.
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

// Write buffers up to piece bytes. More data goes to the client, which may block while the window
// is full.
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

// sendHeader completes the headers; isComplete means that the answer is complete.
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

// end closes the answer after the handler has returned or panicked with err.
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
