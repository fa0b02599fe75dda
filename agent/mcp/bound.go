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

// Bounds of all that a server says until its tools are told: the library keeps some
// hundred bytes for an empty object, and some thousand for a message.
const (
	maxBytes   = 4 << 20
	maxObjects = 20_000
)

// bound counts what a server says. The zero value is ready.
type bound struct {
	mu             sync.Mutex
	bytes, objects int
	err            error
}

// count takes in what was read; its error is that this is too much.
func (b *bound) count(p []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bytes, b.objects = b.bytes+len(p), b.objects+bytes.Count(p, []byte("{"))
	if b.err == nil && (b.bytes > maxBytes || b.objects > maxObjects) {
		b.err = fmt.Errorf("says more than %d bytes, or than %d objects, of its tools", maxBytes, maxObjects)
	}
	return b.err
}

// fail has a better reason than the library has.
func (b *bound) fail(err error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
	return b.err
}

// why is what has kept the server from being heard; nil: nothing has.
func (b *bound) why() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

// of is what is read of a server.
func (b *bound) of(r io.Reader) io.Reader {
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

// client asks over HTTP.
func (b *bound) client() *http.Client {
	client := *outbound.Default()
	next := client.Transport
	client.Transport = roundTripFunc(func(r *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		if to := outbound.Redirect(resp); to != "" {
			return nil, errors.Join(b.fail(errors.New(to)), resp.Body.Close())
		}
		resp.Body = struct {
			io.Reader
			io.Closer
		}{b.of(resp.Body), resp.Body}
		return resp, nil
	})
	return &client
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
