// Package wire reads requests and writes answers in the formats of the providers. It contains the
// paths of each dialect, its validation rules and error messages, and the bytes of its answers,
// streams and tasks. It does not wait or count calls; the server does.
package wire

import (
	"net/http"
	"strings"
	"time"
)

// Call is a request together with the data that its dialect needs to answer it.
type Call struct {
	Request     *http.Request
	Route       Route
	ID          uint64        // seed of the ids in the answer
	Model       string        // the name in the request
	Strict      bool          // also reject what only the newest services reject
	ServeImages bool          // images can be downloaded from the host of the request
	RetryAfter  time.Duration // above 0: the client is rate-limited and may retry after this time
	Memory      *Memory       // shared by all requests; nil: no limit
	reserved    int64         // bytes of Memory that this call has reserved
}

// Key returns the bearer key of the request; empty: none.
func (c *Call) Key() string {
	kind, key, _ := strings.Cut(c.Request.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}
