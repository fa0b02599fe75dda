// Package outbound is the way to providers over HTTP. Nobody there is trusted:
// what they answer has a bound, each and all together, and redirects are not
// followed, for they would be sent the key and the prompts.
package outbound

import (
	"cmp"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Bounds of answers, in bytes after decompression: of one and of all where a
// Config says nothing else, and of one whatever a Config says.
const (
	defaultMaxAnswer      = 8 << 20
	MaxResponseBytesLimit = 64 << 20
	minMaxAll             = 16 << 20
)

const (
	free       = 256 << 10 // of each answer does not count among all: no neighbour can starve it
	maxHeader  = 64 << 10
	receiveOne = 256 << 10 // bytes that HTTP/2 takes in unread, of an answer
	receiveAll = 1 << 20   // and of a connection
)

// Config sets the bounds.
type Config struct {
	MaxAnswer int64 // of one answer, up to MaxResponseBytesLimit; 0: defaultMaxAnswer
	MaxAll    int64 // of what answers under way have beyond their first 256 KiB; 0: 16 MiB, or two MaxAnswer
}

// New makes a client of its own. One client is for all calls that share the
// bound.
func New(cfg Config) *http.Client {
	cfg.MaxAnswer = min(cmp.Or(cfg.MaxAnswer, defaultMaxAnswer), MaxResponseBytesLimit)
	cfg.MaxAll = cmp.Or(cfg.MaxAll, max(minMaxAll, 2*cfg.MaxAnswer))
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &transport{budget: &budget{Config: cfg}, next: &http.Transport{
			Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 1024, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: 90 * time.Second,
			MaxResponseHeaderBytes: maxHeader,
			HTTP2:                  &http.HTTP2Config{MaxReceiveBufferPerStream: receiveOne, MaxReceiveBufferPerConnection: receiveAll},
		}},
	}
}

// Default is the client of all who bring none.
var Default = sync.OnceValue(func() *http.Client { return New(Config{}) })

// transport bounds the bodies that come back.
type transport struct {
	budget *budget
	next   http.RoundTripper
}

var _ http.RoundTripper = (*transport)(nil)

// RoundTrip sends the request.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(r)
	if err == nil {
		resp.Body = &body{inner: resp.Body, budget: t.budget}
	}
	return resp, err
}

// CloseIdleConnections is for http.Client.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// Redirect says where a response sends its reader, host and path; "" where it
// is no redirect.
func Redirect(resp *http.Response) string {
	if resp.StatusCode < 300 || resp.StatusCode > 399 {
		return ""
	}
	to, err := resp.Location()
	if err != nil {
		return fmt.Sprintf("the answer is the redirect %d to nowhere", resp.StatusCode)
	}
	return fmt.Sprintf("the answer is the redirect %d to %s%s, which is not followed", resp.StatusCode, to.Host, to.EscapedPath())
}
