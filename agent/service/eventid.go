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

// eventID returns the id of a stream's n-th event, from 1. The id of the last event includes the
// question.
func eventID(n int, kind trace.Kind, question string) string {
	id := strconv.Itoa(n)
	if kind == trace.KindDone {
		id += question + lastSuffix
	}
	return id
}

// questionOf returns a hash of a GET's path, session and text. It is "" for a POST, which clients
// do not repeat automatically.
func questionOf(r *http.Request) string {
	if r.Method != http.MethodGet {
		return ""
	}
	q := r.URL.Query()
	sum := sha256.Sum256([]byte(strings.Join([]string{r.URL.Path, q.Get("sessionId"), q.Get("text")}, "\x00")))
	return "-" + hex.EncodeToString(sum[:8])
}

// isAnswered reports whether a client repeats a request after receiving its whole answer, as an
// EventSource does when a connection ends.
func isAnswered(r *http.Request) bool {
	question := questionOf(r)
	return question != "" && strings.HasSuffix(r.Header.Get("Last-Event-ID"), question+lastSuffix)
}
