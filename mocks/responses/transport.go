package responses

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"

	"evalctl/agent/clock"
	"evalctl/mocks/cassette"
)

// CallHooks is what a transport has to know of who asks.
type CallHooks struct {
	Epoch int // from 1: an answer is for one epoch alone

	OnHit       func(context.Context)                  // hears that a question is answered from the folder
	WhenOver    func(context.Context, func(bool)) bool // calls back when it is known whether an answer was taken; false: nobody will know
	ShouldStore func(write func())                     // decides, now or later, whether an answer that was taken is kept
}

// Transport answers from the folder what was answered before, and asks next for the rest.
func (f *Cache) Transport(c CallHooks, next http.RoundTripper) http.RoundTripper {
	return &transport{folder: f, caller: c, next: next, taken: map[string]map[int]bool{}}
}

type transport struct {
	folder *Cache
	caller CallHooks
	next   http.RoundTripper

	mu    sync.Mutex
	taken map[string]map[int]bool // by request: which of its numbers are
}

var _ http.RoundTripper = (*transport)(nil)

// isForOnce tells a request whose answer is no use to another run: the state of a task,
// or one that begins a task, whose number is forgotten.
func isForOnce(r *http.Request) bool {
	return r.Method != http.MethodPost || r.Header.Get("X-DashScope-Async") != ""
}

// RoundTrip answers at once, or asks.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if isForOnce(r) {
		return t.next.RoundTrip(r)
	}
	q, again, err := cassette.RequestOf(r, t.folder.cfg.Redact)
	if err != nil {
		return nil, err
	}
	request := q.Key(t.caller.Epoch)
	nth := t.take(request)
	key := keyOf(q, t.caller.Epoch, nth)
	if k, ok := t.folder.load(key); ok {
		return t.hit(r, k), nil
	}
	t.folder.misses.Add(1)
	resp, err := t.next.RoundTrip(again)
	if err != nil || resp.StatusCode < 200 || resp.StatusCode > 299 {
		t.release(request, nth)
		return resp, err
	}
	b := &body{inner: resp.Body}
	resp.Body = b
	k := entry{Key: key, Request: q, Status: resp.StatusCode, Headers: map[string]string{}}
	for _, name := range []string{"Content-Type", "Mcp-Session-Id"} {
		if v := resp.Header.Get(name); v != "" {
			k.Headers[name] = v
		}
	}
	if !t.caller.WhenOver(r.Context(), func(taken bool) { t.settle(request, nth, k, b, taken) }) {
		b.end = func() { t.settle(request, nth, k, b, true) }
	}
	return resp, nil
}

// take is the least number that no other such request of the trial has.
func (t *transport) take(request string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.taken[request] == nil {
		t.taken[request] = map[int]bool{}
	}
	nth := 1
	for t.taken[request][nth] {
		nth++
	}
	t.taken[request][nth] = true
	return nth
}

// release gives a number back: its request is tried again.
func (t *transport) release(request string, nth int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.taken[request], nth)
}

func (t *transport) hit(r *http.Request, k entry) *http.Response {
	t.folder.hits.Add(1)
	t.caller.OnHit(r.Context())
	now := clock.WallNow(r.Context())
	_ = os.Chtimes(t.folder.path(k.Key), now, now) // else it only goes sooner
	h := http.Header{}
	for name, value := range k.Headers {
		h.Set(name, value)
	}
	return &http.Response{Status: fmt.Sprintf("%d %s", k.Status, http.StatusText(k.Status)), StatusCode: k.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h, ContentLength: int64(len(k.Body)), Body: io.NopCloser(bytes.NewReader(k.Body)), Request: r}
}

// settle has an answer kept that came whole and was taken.
func (t *transport) settle(request string, nth int, k entry, b *body, taken bool) {
	text, whole := b.read()
	if !taken || !whole {
		t.release(request, nth)
		return
	}
	k.Body = []byte(cassette.RedactResponse(string(text), t.folder.cfg.Redact))
	t.caller.ShouldStore(func() { t.folder.keep(k) })
}

// body keeps what is read of an answer.
type body struct {
	inner io.ReadCloser
	end   func() // is called at the end; nil: nobody waits for it

	mu    sync.Mutex // a body may be closed by another than reads it
	text  []byte
	whole bool
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.inner.Read(p)
	b.mu.Lock()
	b.text = append(b.text, p[:n]...)
	ended := err == io.EOF && !b.whole
	b.whole = b.whole || err == io.EOF
	b.mu.Unlock()
	if ended && b.end != nil {
		b.end()
	}
	return n, err
}

func (b *body) Close() error { return b.inner.Close() }

// read is the answer, and whether it is all of it: to its end, or to the mark behind which
// nobody reads on.
func (b *body) read() ([]byte, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text, b.whole || bytes.HasSuffix(bytes.TrimRight(b.text, "\r\n "), []byte("data: [DONE]"))
}
