// Package outbound provides the HTTP client for providers, which are not trusted. Responses are
// limited individually and in total. Redirects are not followed, because the target would receive
// the key and the prompts.
package outbound

import (
	"cmp"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Limits of responses, in bytes after decompression: defaults of a Config, and the maximum for one
// response in any Config.
const (
	defaultMaxAnswer      = 8 << 20
	MaxResponseBytesLimit = 64 << 20
	minMaxAll             = 16 << 20
)

const (
	exemptBytes = 256 << 10 // exempt part of each response, so that others cannot starve it
	maxHeader   = 64 << 10
	receiveOne  = 256 << 10 // unread bytes that HTTP/2 buffers per response
	receiveAll  = 1 << 20   // and per connection
)

// Config configures the limits.
type Config struct {
	MaxAnswer int64 // of one response, up to MaxResponseBytesLimit; 0: defaultMaxAnswer
	// of all responses in progress, without the first 256 KiB of each; 0: 16 MiB, or twice
	// MaxAnswer if that is more
	MaxAll int64
}

// New returns a client. All calls that share the limits must use the same client.
func New(cfg Config) *http.Client {
	cfg.MaxAnswer = min(cmp.Or(cfg.MaxAnswer, defaultMaxAnswer), MaxResponseBytesLimit)
	cfg.MaxAll = cmp.Or(cfg.MaxAll, max(minMaxAll, 2*cfg.MaxAnswer))
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &transport{budget: &budget{Config: cfg}, next: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			MaxIdleConnsPerHost:    1024,
			ForceAttemptHTTP2:      true,
			TLSHandshakeTimeout:    10 * time.Second,
			IdleConnTimeout:        90 * time.Second,
			MaxResponseHeaderBytes: maxHeader,
			HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: receiveOne,
				MaxReceiveBufferPerConnection: receiveAll},
		}},
	}
}

// Default returns the shared client for callers without their own.
var Default = sync.OnceValue(func() *http.Client { return New(Config{}) })

// transport limits the response bodies.
type transport struct {
	budget *budget
	next   http.RoundTripper
}

var _ http.RoundTripper = (*transport)(nil)

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(r)
	if err == nil {
		resp.Body = &body{inner: resp.Body, budget: t.budget}
	}
	return resp, err
}

// CloseIdleConnections closes the idle connections of the wrapped transport, if it can.
// [http.Client.CloseIdleConnections] calls it.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// Redirect describes the target of a redirect, host and path; "": not a redirect.
func Redirect(resp *http.Response) string {
	if resp.StatusCode < 300 || resp.StatusCode > 399 {
		return ""
	}
	to, err := resp.Location()
	if err != nil {
		return fmt.Sprintf("the answer is the redirect %d to nowhere", resp.StatusCode)
	}
	return fmt.Sprintf("the answer is the redirect %d to %s%s, which is not followed", resp.StatusCode,
		to.Host, to.EscapedPath())
}
