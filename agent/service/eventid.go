package service

import (
	"net/http"
	"strconv"
	"strings"

	"evalctl/agent/trace"
)

// lastSuffix marks the id of a stream's last event.
const lastSuffix = "-" + string(trace.KindDone)

// eventID is the id of a stream's n-th event, from 1.
func eventID(n int, kind trace.Kind) string {
	id := strconv.Itoa(n)
	if kind == trace.KindDone {
		id += lastSuffix
	}
	return id
}

// isAnswered tells whether a client has had its whole answer and asks again
// because the connection has ended, as an EventSource does for ever.
func isAnswered(r *http.Request) bool {
	return strings.HasSuffix(r.Header.Get("Last-Event-ID"), lastSuffix)
}
