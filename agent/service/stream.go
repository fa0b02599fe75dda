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

// stream writes server-sent events. One goroutine at a time may use it.
type stream struct {
	ctx       context.Context
	w         http.ResponseWriter
	control   *http.ResponseController
	stall     time.Duration
	session   string
	question  string                // of a GET, as questionOf has it
	names     map[trace.Kind]string // of events that are called by another name than their kind
	simulated []string              // parts of the agent
	buf       bytes.Buffer
	sent      int // events
	errorSent bool
	lost      error // of the first write that failed
}

// openStream begins the stream of a session; a client may stall for that long.
func openStream(ctx context.Context, w http.ResponseWriter, session string, stall time.Duration) *stream {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	h.Set("X-Session-Id", session)
	w.WriteHeader(http.StatusOK)
	o := &stream{ctx: ctx, w: w, control: http.NewResponseController(w), stall: stall, session: session}
	o.lost = o.put(nil) // the client is to see at once that it is being answered
	return o
}

// send writes one event. Its error is of the data, or of a client that has gone.
func (o *stream) send(kind trace.Kind, data any) error {
	o.buf.Reset()
	o.sent++
	name := cmp.Or(o.names[kind], string(kind))
	fmt.Fprintf(&o.buf, "event: %s\nid: %s\ndata: ", name, eventID(o.sent, kind, o.question))
	e := json.NewEncoder(&o.buf)
	e.SetEscapeHTML(false)
	err := e.Encode(struct {
		Type string `json:"type"`
		Data any    `json:"data"`
	}{name, data})
	if err != nil {
		return err
	}
	o.buf.WriteByte('\n') // the encoder has ended the line of the data
	return o.write(o.buf.Bytes())
}

// comment keeps proxies from closing a silent connection.
func (o *stream) comment() error { return o.write([]byte(": still working\n\n")) }

func (o *stream) write(b []byte) error {
	if o.lost == nil {
		o.lost = o.put(b)
	}
	return o.lost
}

func (o *stream) put(b []byte) error {
	if err := supported(o.control.SetWriteDeadline(clock.Now(o.ctx).Add(o.stall))); err != nil {
		return err
	}
	if _, err := o.w.Write(b); err != nil {
		return err
	}
	return o.control.Flush()
}
