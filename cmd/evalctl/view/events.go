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

// heartbeat is the number of polls without progress after which the server sends an empty comment.
// The write fails if the client has disconnected.
const heartbeat = 30

// progressHandler serves the progress of unfinished runs. slots limits the number of clients.
type progressHandler struct {
	folders servedDirs
	follows *followedRuns
	slots   chan struct{}
	wait    func(context.Context) error // waits until the time of the next poll
}

func (s progressHandler) stream(w http.ResponseWriter, r *http.Request) error {
	p, err := s.folders.find(r.PathValue("name"))
	if err != nil {
		return err
	}
	if m, err := journal.ReadManifest(p.path); err != nil {
		return err
	} else if m.Status != journal.StatusRunning {
		w.WriteHeader(http.StatusNoContent) // after status 204 an EventSource does not reconnect
		return nil
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		w.Header().Set("Retry-After", "10")
		return newHTTPError(http.StatusServiceUnavailable, "%d pages follow runs already", cap(s.slots))
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	extendDeadline(w, r)
	if r.Method == http.MethodHead {
		return nil
	}
	s.follow(w, r, p)
	return nil
}

// follow sends the progress of a run until the run ends or the client disconnects.
func (s progressHandler) follow(w http.ResponseWriter, r *http.Request, p namedRun) {
	run, leave := s.follows.add(p.path)
	defer leave()
	var last progress
	for silent := 0; ; silent++ {
		now, over := run.poll(p.path, clock.WallNow(r.Context()))
		var out bytes.Buffer
		if now.Conditions != nil && hasChanged(last, now) {
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
			extendDeadline(w, r)
			_, err := w.Write(out.Bytes())
			if err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
		}
		if over != "" || s.wait(r.Context()) != nil {
			return
		}
	}
}

// hasChanged reports whether progress has changed enough to send an event. It ignores the rate, and
// counts the time since the last write in full minutes.
func hasChanged(last, now progress) bool {
	last.Rate, last.SecondsSinceWrite = now.Rate, last.SecondsSinceWrite/60
	now.SecondsSinceWrite /= 60
	return !reflect.DeepEqual(last, now)
}

// event appends a server-sent event to out, with data as JSON.
func event(out *bytes.Buffer, name string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(fmt.Errorf("view: event %s: %w", name, err)) // impossible: data contains only numbers and strings
	}
	fmt.Fprintf(out, "event: %s\ndata: %s\n\n", name, text)
}
