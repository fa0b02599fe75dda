// Package wire decodes requests and encodes answers in the HTTP formats of the simulated providers.
// It contains the URL paths of each provider, the validation rules and error messages, and the
// encoding of answers, streams and image tasks. It neither waits nor counts calls; the server
// (package mocks) does.
package wire

import (
	"net/http"
	"strings"
	"time"
)

// Call is one HTTP request to a simulated provider, with the data that is needed to answer it.
type Call struct {
	Request     *http.Request
	Route       Route         // what the URL addresses: API, endpoint and id
	IDSeed      uint64        // seed of all generated ids in the answer
	Model       string        // the model name in the request
	Strict      bool          // also reject deprecated names and unknown keys, as only the newest services do
	ServeImages bool          // image URLs use the host of the request, where the images can be downloaded
	RetryAfter  time.Duration // above 0: the client is rate-limited and may retry after this time
	Memory      *MemoryLimit  // memory limit shared by all requests; nil: no limit
	reserved    int64         // bytes of Memory that this call has reserved
}

// APIKey returns the API key in the Authorization header of the request; empty: none.
func (c *Call) APIKey() string {
	kind, key, _ := strings.Cut(c.Request.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}
