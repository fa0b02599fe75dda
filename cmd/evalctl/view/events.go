package view

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"

	"evalctl/agent/clock"
	"evalctl/eval/journal"
)

// heartbeat is how many looks without news there are before the client hears that it is
// still being told: its connection may be gone.
const heartbeat = 30

// teller tells how far runs are, to as many as there is room for.
type teller struct {
	folders folders
	follows *follows
	room    chan struct{}
	next    func(context.Context) error // waits for the next look
}

// tell tells how far a run is until it is over.
func (s teller) tell(w http.ResponseWriter, r *http.Request) error {
	p, err := s.folders.find(r.PathValue("name"))
	if err != nil {
		return err
	}
	if m, err := journal.ReadManifest(p.path); err != nil {
		return err
	} else if m.Status != journal.Running {
		w.WriteHeader(http.StatusNoContent) // and an EventSource does not come again
		return nil
	}
	select {
	case s.room <- struct{}{}:
		defer func() { <-s.room }()
	default:
		w.Header().Set("Retry-After", "10")
		return refuse(http.StatusServiceUnavailable, "%d pages follow runs already", cap(s.room))
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	patient(w, r)
	if r.Method == http.MethodHead {
		return nil
	}
	s.follow(w, r, p)
	return nil
}

// follow writes events until the run is over or the client has gone.
func (s teller) follow(w http.ResponseWriter, r *http.Request, p place) {
	run, leave := s.follows.enter(p.path)
	defer leave()
	var last progress
	for silent := 0; ; silent++ {
		now, over := run.look(p.path, clock.WallNow(r.Context()))
		var out bytes.Buffer
		if now.Conditions != nil && isNews(last, now) {
			event(&out, "progress", now)
			last = now
		}
		if over != "" {
			event(&out, "end", struct {
				Why string `json:"why"`
			}{over})
		}
		if silent%heartbeat == heartbeat-1 && out.Len() == 0 {
			out.WriteString(": nothing new\n\n")
		}
		if out.Len() > 0 {
			patient(w, r)
			_, err := w.Write(out.Bytes())
			if err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
		}
		if over != "" || s.next(r.Context()) != nil {
			return
		}
	}
}

// isNews passes over the rate, and over seconds that mean nothing yet.
func isNews(last, now progress) bool {
	last.Rate, last.Quiet = now.Rate, last.Quiet/60
	now.Quiet /= 60
	return !reflect.DeepEqual(last, now)
}

// event adds one of a page's events.
func event(out *bytes.Buffer, name string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(fmt.Errorf("view: event %s: %w", name, err)) // numbers and texts
	}
	fmt.Fprintf(out, "event: %s\ndata: %s\n\n", name, text)
}
