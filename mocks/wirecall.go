package mocks

import (
	"net/http"
	"strings"
	"time"
)

// Call is a request as a dialect reads and answers it.
type Call struct {
	Request *http.Request
	Place   place
	ID      uint64        // seeds the ids of the answer
	Model   string        // as the request names it
	Strict  bool          // also refuse what only the newest services refuse
	Limited time.Duration // above 0: the client is over its rate, to try again so much later
}

// key is the request's bearer key.
func (c *Call) key() string {
	kind, key, _ := strings.Cut(c.Request.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}
