// Package wire reads requests and writes answers as the providers of models,
// pictures and embeddings do: the paths of each dialect, what it refuses, the
// words it refuses in, and the bytes of its answers, streams and tasks. It
// neither waits nor counts: that is the server's.
package wire

import (
	"net/http"
	"strings"
	"time"
)

// Call is a request as a dialect reads and answers it.
type Call struct {
	Request *http.Request
	Place   Route
	ID      uint64        // seeds the ids of the answer
	Model   string        // as the request names it
	Strict  bool          // also refuse what only the newest services refuse
	Served  bool          // pictures can be fetched from the host that is asked
	Limited time.Duration // above 0: the client is over its rate, to try again so much later
	Memory  *Memory       // what requests share; nil: there is no bound
	taken   int64         // of it
}

// Key is the request's bearer key.
func (c *Call) Key() string {
	kind, key, _ := strings.Cut(c.Request.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}
