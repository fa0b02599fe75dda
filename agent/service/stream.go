package service

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// stream writes the server-sent events of one answer. It is not safe for concurrent use.
type stream struct {
	ctx         context.Context
	w           http.ResponseWriter
	control     *http.ResponseController
	stall       time.Duration
	session     string
	requestHash string                // hash of a GET request, see requestHash; "" for a POST
	names       map[trace.Kind]string // event names that differ from their kind
	simulated   []string              // names of the agent's simulated components
	buf         bytes.Buffer
	sent        int // number of events sent so far
	errorSent   bool
	writeErr    error // the first write error; later writes return it
}

// openStream starts the event stream of an answer. stall is the time limit for one write.
func openStream(ctx context.Context, w http.ResponseWriter, session string, stall time.Duration) *stream {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	h.Set("X-Session-Id", session)
	w.WriteHeader(http.StatusOK)
	o := &stream{
		ctx:     ctx,
		w:       w,
		control: http.NewResponseController(w),
		stall:   stall,
		session: session,
	}
	o.writeErr = o.writeAndFlush(nil) // sends the headers immediately
	return o
}

// send writes one event. An error means that the data cannot be encoded or that the client has
// disconnected.
func (o *stream) send(kind trace.Kind, data any) error {
	o.buf.Reset()
	o.sent++
	name := cmp.Or(o.names[kind], string(kind))
	fmt.Fprintf(&o.buf, "event: %s\nid: %s\ndata: ", name, eventID(o.sent, kind, o.requestHash))
	e := json.NewEncoder(&o.buf)
	e.SetEscapeHTML(false)
	err := e.Encode(struct {
		Type string `json:"type"`
		Data any    `json:"data"`
	}{name, data})
	if err != nil {
		return err
	}
	o.buf.WriteByte('\n') // the encoder has already ended the data line
	return o.write(o.buf.Bytes())
}

// sendHeartbeat writes a comment line, so that proxies do not close an idle connection.
func (o *stream) sendHeartbeat() error { return o.write([]byte(": still working\n\n")) }

func (o *stream) write(b []byte) error {
	if o.writeErr == nil {
		o.writeErr = o.writeAndFlush(b)
	}
	return o.writeErr
}

func (o *stream) writeAndFlush(b []byte) error {
	if err := ignoreUnsupported(o.control.SetWriteDeadline(clock.Now(o.ctx).Add(o.stall))); err != nil {
		return err
	}
	if _, err := o.w.Write(b); err != nil {
		return err
	}
	return o.control.Flush()
}
