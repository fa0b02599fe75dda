package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"evalctl/agent/outbound"
)

// Limits on the output of a server. They bound the memory: the MCP library needs hundreds of bytes
// for an empty JSON object, and thousands for a message.
const (
	maxBytes   = 4 << 20
	maxObjects = 20_000
)

// outputLimit ends a session in which a server sends too much. The zero value is ready to use.
type outputLimit struct {
	mu             sync.Mutex
	bytes, objects int
	err            error
}

// count adds the bytes p that were read. It returns an error if the limits are exceeded.
func (b *outputLimit) count(p []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bytes, b.objects = b.bytes+len(p), b.objects+bytes.Count(p, []byte("{"))
	if b.err == nil && (b.bytes > maxBytes || b.objects > maxObjects) {
		b.err = fmt.Errorf("says more than %d bytes, or than %d objects, of its tools", maxBytes, maxObjects)
	}
	return b.err
}

// fail sets the error that limitErr returns, unless there is one. It is more specific than the
// error of the MCP library.
func (b *outputLimit) fail(err error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
	return b.err
}

// limitErr returns the error that ended the session because of the server's output, or nil.
func (b *outputLimit) limitErr() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

// reader returns a reader of r that counts the bytes and fails at the limits.
func (b *outputLimit) reader(r io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		n, err := r.Read(p)
		if err := b.count(p[:n]); err != nil {
			return 0, err
		}
		return n, err
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// client returns an HTTP client that counts response bytes up to the limits and refuses redirects.
func (b *outputLimit) client() *http.Client {
	client := *outbound.Default()
	next := client.Transport
	client.Transport = roundTripFunc(func(r *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		if to := outbound.DescribeRedirect(resp); to != "" {
			return nil, errors.Join(b.fail(errors.New(to)), resp.Body.Close())
		}
		resp.Body = struct {
			io.Reader
			io.Closer
		}{b.reader(resp.Body), resp.Body}
		return resp, nil
	})
	return &client
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
