package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// stream writes server-sent events. One goroutine at a time may use it.
type stream struct {
	ctx     context.Context
	w       http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration
	session string
	buf     bytes.Buffer
	told    bool  // an error event has been sent
	lost    error // of the first write that failed
}

// open begins the stream of a session.
func (s *Service) open(ctx context.Context, w http.ResponseWriter, session string) *stream {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	h.Set("X-Session-Id", session)
	w.WriteHeader(http.StatusOK)
	o := &stream{ctx: ctx, w: w, control: http.NewResponseController(w), stall: s.cfg.Stall, session: session}
	o.lost = o.put(nil) // the client is to see at once that it is being answered
	return o
}

// The data of events.
type (
	thought struct {
		Node    string `json:"node"`
		Message string `json:"message"`
	}
	text struct {
		Text string `json:"text"`
	}
)

// shown tells whether clients hear of such events. The rest is for those who
// measure the agent.
func shown(k trace.Kind) bool {
	switch k {
	case trace.KindThought, trace.KindComponent, trace.KindError, trace.KindChunk, trace.KindBanner:
		return true
	}
	return false
}

// event sends what has happened in the agent.
func (o *stream) event(e trace.Event) error {
	switch e.Kind {
	case trace.KindThought:
		return o.send(e.Kind, thought{e.Node, e.Text})
	case trace.KindChunk, trace.KindBanner:
		return o.send(e.Kind, text{e.Text})
	case trace.KindError:
		o.told = true
	}
	return o.send(e.Kind, e.Data)
}

// fail tells the user that there is no answer.
func (o *stream) fail(f *agent.Failure) {
	_ = o.send(trace.KindError, struct { // fails only when the client has gone
		Code    string `json:"code"`
		Message string `json:"message"`
		Node    string `json:"node"`
	}{f.Code, f.Message, f.Node})
}

// done sends the last event.
func (o *stream) done(r agent.Reply) {
	_ = o.send(trace.KindDone, done{ // fails only when the client has gone
		Content: r.Content, Served: r.Served, Predicted: r.Predicted,
		GeneratedImageURL: r.GeneratedImageURL, SessionID: o.session, Failure: r.Failure,
	})
}

// send writes one event. Its error is of the data, or of a client that has gone.
func (o *stream) send(kind trace.Kind, data any) error {
	o.buf.Reset()
	o.buf.WriteString("event: " + string(kind) + "\ndata: ")
	e := json.NewEncoder(&o.buf)
	e.SetEscapeHTML(false)
	err := e.Encode(struct {
		Type trace.Kind `json:"type"`
		Data any        `json:"data"`
	}{kind, data})
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

// supported passes over that a connection knows no deadlines: one in process
// has no peer that could stall.
func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
