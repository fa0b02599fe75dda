package wire

import (
	"fmt"
	"net/http"
	"time"
)

// SetHeaders sets the response headers that the provider sends with every answer, such as request
// ids and rate limits.
func (c *Call) SetHeaders(h http.Header) {
	switch c.Route.Dialect {
	case OpenAI:
		c.openAIHeaders(h)
	case DashScope, DashScopeNative:
		h["X-Request-Id"] = []string{c.requestID()}
	case Ark:
		if id := c.Request.Header.Get("X-Client-Request-Id"); id != "" {
			h["X-Client-Request-Id"] = []string{id}
		}
	}
}

func (c *Call) openAIHeaders(h http.Header) {
	v := [...]string{c.requestID(), "12", "2020-10-01", "org-mock", "10000", "2000000", "9999", "1999900", "6ms", "3ms"}
	h["X-Request-Id"] = v[0:1:1]
	h["Openai-Processing-Ms"] = v[1:2:2]
	h["Openai-Version"] = v[2:3:3]
	h["Openai-Organization"] = v[3:4:4]
	h["X-Ratelimit-Limit-Requests"] = v[4:5:5]
	h["X-Ratelimit-Limit-Tokens"] = v[5:6:6]
	if c.RetryAfter > 0 {
		v[6], v[8] = "0", c.RetryAfter.String()
	}
	h["X-Ratelimit-Remaining-Requests"] = v[6:7:7]
	h["X-Ratelimit-Remaining-Tokens"] = v[7:8:8]
	h["X-Ratelimit-Reset-Requests"] = v[8:9:9]
	h["X-Ratelimit-Reset-Tokens"] = v[9:10:10]
}

// FormatRetryAfter returns the value of a Retry-After header: d in seconds, rounded up.
func FormatRetryAfter(d time.Duration) string {
	return fmt.Sprint(int64((d + time.Second - 1) / time.Second))
}
