package service

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"evalctl/agent/trace"
)

// lastSuffix marks the id of a stream's last event.
const lastSuffix = "-" + string(trace.KindDone)

// eventID is the id of a stream's n-th event, from 1. The last one's tells which
// question is answered.
func eventID(n int, kind trace.Kind, question string) string {
	id := strconv.Itoa(n)
	if kind == trace.KindDone {
		id += question + lastSuffix
	}
	return id
}

// questionOf tells what a GET asks, in which session, from everything else that
// may be asked. A POST is not asked again by itself: "".
func questionOf(r *http.Request) string {
	if r.Method != http.MethodGet {
		return ""
	}
	q := r.URL.Query()
	sum := sha256.Sum256([]byte(strings.Join([]string{r.URL.Path, q.Get("sessionId"), q.Get("text")}, "\x00")))
	return "-" + hex.EncodeToString(sum[:8])
}

// isAnswered tells whether a client has had its whole answer and asks again
// because the connection has ended, as an EventSource does for ever.
func isAnswered(r *http.Request) bool {
	question := questionOf(r)
	return question != "" && strings.HasSuffix(r.Header.Get("Last-Event-ID"), question+lastSuffix)
}
