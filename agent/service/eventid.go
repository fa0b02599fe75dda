package service

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"evalctl/agent/trace"
)

// lastSuffix is the end of the id of the last event. It shows that a client has received the whole
// answer.
const lastSuffix = "-" + string(trace.KindDone)

// eventID returns the id of the n-th event of a stream, from 1. question is the hash of the
// request. The id of the last event contains it, see isAnswered.
func eventID(n int, kind trace.Kind, question string) string {
	id := strconv.Itoa(n)
	if kind == trace.KindDone {
		id += question + lastSuffix
	}
	return id
}

// requestHash returns a hash of the path, session, user and text of a GET request. It is "" for a POST,
// which clients do not repeat automatically.
func requestHash(r *http.Request) string {
	if r.Method != http.MethodGet {
		return ""
	}
	q := r.URL.Query()
	parts := []string{r.URL.Path, q.Get("sessionId"), q.Get("text")}
	if user := q.Get("user"); user != "" {
		parts = append(parts, user)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "-" + hex.EncodeToString(sum[:8])
}

// isAnswered reports whether a client repeats a request after it has received the whole answer. An
// EventSource does so when its connection ends.
func isAnswered(r *http.Request) bool {
	question := requestHash(r)
	return question != "" && strings.HasSuffix(r.Header.Get("Last-Event-ID"), question+lastSuffix)
}
