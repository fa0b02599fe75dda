// Package outbound provides the HTTP client for calls to external services, which are not trusted.
// It limits the size of each response and of all responses together. It does not follow redirects,
// because their target would receive the API key and the prompts.
package outbound

import (
	"cmp"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Limits of the response size in bytes, after decompression. MaxResponseBytesLimit is the highest
// limit that a Config can set for one response.
const (
	defaultMaxAnswer      = 8 << 20
	MaxResponseBytesLimit = 64 << 20
	minMaxAll             = 16 << 20
)

const (
	// bytes of each response that do not count towards MaxTotalBytes, so that large responses
	// cannot block small ones
	exemptBytes = 256 << 10
	maxHeader   = 64 << 10
	receiveOne  = 256 << 10 // unread bytes that HTTP/2 buffers for one response
	receiveAll  = 1 << 20   // unread bytes that HTTP/2 buffers for one connection
)

// Config sets the response limits of a client. The zero value selects the defaults.
type Config struct {
	MaxResponseBytes int64 // bytes of one response, at most MaxResponseBytesLimit; 0: 8 MiB
	// bytes of all responses in progress together, without the first 256 KiB of each; 0: 16 MiB, or
	// twice MaxResponseBytes if that is more
	MaxTotalBytes int64
}

// New returns an HTTP client. The limit on all responses together applies to the calls of this
// client only.
func New(cfg Config) *http.Client {
	cfg.MaxResponseBytes = min(cmp.Or(cfg.MaxResponseBytes, defaultMaxAnswer), MaxResponseBytesLimit)
	cfg.MaxTotalBytes = cmp.Or(cfg.MaxTotalBytes, max(minMaxAll, 2*cfg.MaxResponseBytes))
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

// Default returns the client with default limits. The whole process shares it.
var Default = sync.OnceValue(func() *http.Client { return New(Config{}) })

// transport is an http.RoundTripper that limits the size of response bodies.
type transport struct {
	budget *budget
	next   http.RoundTripper
}

var _ http.RoundTripper = (*transport)(nil)

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(r)
	if err == nil {
		resp.Body = &limitedBody{inner: resp.Body, budget: t.budget}
	}
	return resp, err
}

// CloseIdleConnections closes the idle connections of the underlying transport.
// [http.Client.CloseIdleConnections] calls it.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// DescribeRedirect returns an error message that names the target of a redirect, without its query;
// "" if resp is not a redirect.
func DescribeRedirect(resp *http.Response) string {
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
