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

// CallHooks contains what Cache.Transport requires for the calls of one trial: the epoch, and
// callbacks for cached and accepted answers.
type CallHooks struct {
	Epoch int // the trial's epoch, from 1; a cached answer is used only in the same epoch

	OnHit func(context.Context) // called for each request that is answered from the cache
	// RegisterOutcome registers a function for a call. The function is called with true if the client
	// accepts the answer, else with false. If RegisterOutcome returns false, the function is never
	// called. Every complete answer then counts as accepted.
	RegisterOutcome func(context.Context, func(bool)) bool
	// called for each accepted answer; write stores it and may be called now, later or never
	OnAccepted func(write func())
}

// Transport returns an http.RoundTripper that answers requests from the cache. It sends the others
// with next and stores their answers.
func (f *Cache) Transport(c CallHooks, next http.RoundTripper) http.RoundTripper {
	return &transport{
		cache:        f,
		hooks:        c,
		next:         next,
		numbersInUse: map[string]map[int]bool{},
	}
}

type transport struct {
	cache *Cache
	hooks CallHooks
	next  http.RoundTripper

	mu           sync.Mutex
	numbersInUse map[string]map[int]bool // for each request: the numbers of its identical repetitions so far
}

var _ http.RoundTripper = (*transport)(nil)

// isUncacheable reports whether another run cannot use the answer: the request creates or polls an
// asynchronous task.
func isUncacheable(r *http.Request) bool {
	return r.Method != http.MethodPost || r.Header.Get("X-DashScope-Async") != ""
}

// RoundTrip returns the cached answer, or sends the request with next.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if isUncacheable(r) {
		return t.next.RoundTrip(r)
	}
	q, forward, err := cassette.ReadRequest(r, t.cache.cfg.Redact)
	if err != nil {
		return nil, err
	}
	request := q.Key(t.hooks.Epoch)
	nth := t.reserveNumber(request)
	key := keyOf(q, t.hooks.Epoch, nth)
	if k, ok := t.cache.load(key); ok {
		return t.cachedResponse(r, k), nil
	}
	t.cache.misses.Add(1)
	resp, err := t.next.RoundTrip(forward)
	if err != nil || resp.StatusCode < 200 || resp.StatusCode > 299 {
		t.releaseNumber(request, nth)
		return resp, err
	}
	b := &body{inner: resp.Body}
	resp.Body = b
	k := entry{
		Key:     key,
		Request: q,
		Status:  resp.StatusCode,
		Headers: map[string]string{},
	}
	for _, name := range []string{"Content-Type", "Mcp-Session-Id"} {
		if v := resp.Header.Get(name); v != "" {
			k.Headers[name] = v
		}
	}
	if !t.hooks.RegisterOutcome(r.Context(), func(accepted bool) { t.storeIfAccepted(request, nth, k, b, accepted) }) {
		b.onEnd = func() { t.storeIfAccepted(request, nth, k, b, true) }
	}
	return resp, nil
}

// reserveNumber returns the lowest unused number for a repetition of the same request, from 1.
func (t *transport) reserveNumber(request string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.numbersInUse[request] == nil {
		t.numbersInUse[request] = map[int]bool{}
	}
	nth := 1
	for t.numbersInUse[request][nth] {
		nth++
	}
	t.numbersInUse[request][nth] = true
	return nth
}

// releaseNumber frees a number, so that a retry of the request gets the same number.
func (t *transport) releaseNumber(request string, nth int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.numbersInUse[request], nth)
}

func (t *transport) cachedResponse(r *http.Request, k entry) *http.Response {
	t.cache.hits.Add(1)
	t.hooks.OnHit(r.Context())
	now := clock.WallNow(r.Context())
	_ = os.Chtimes(t.cache.path(k.Key), now, now) // on failure the answer is only evicted earlier
	h := http.Header{}
	for name, value := range k.Headers {
		h.Set(name, value)
	}
	return &http.Response{
		Status:        fmt.Sprintf("%d %s", k.Status, http.StatusText(k.Status)),
		StatusCode:    k.Status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        h,
		ContentLength: int64(len(k.Body)),
		Body:          io.NopCloser(bytes.NewReader(k.Body)),
		Request:       r,
	}
}

// storeIfAccepted stores an answer if it is complete and the client has accepted it.
func (t *transport) storeIfAccepted(request string, nth int, k entry, b *body, accepted bool) {
	text, whole := b.read()
	if !accepted || !whole {
		t.releaseNumber(request, nth)
		return
	}
	k.Body = []byte(cassette.RedactResponse(string(text), t.cache.cfg.Redact))
	t.hooks.OnAccepted(func() { t.cache.store(k) })
}

// body is a response body that collects the text that the client reads.
type body struct {
	inner io.ReadCloser
	onEnd func() // called at the end of the body; may be nil

	mu         sync.Mutex // protects the fields below, because Close may run concurrently with Read
	text       []byte
	isComplete bool
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.inner.Read(p)
	b.mu.Lock()
	b.text = append(b.text, p[:n]...)
	ended := err == io.EOF && !b.isComplete
	b.isComplete = b.isComplete || err == io.EOF
	b.mu.Unlock()
	if ended && b.onEnd != nil {
		b.onEnd()
	}
	return n, err
}

func (b *body) Close() error { return b.inner.Close() }

// read returns the text so far and whether it is complete. A stream is also complete after its end
// marker [DONE], where clients stop reading.
func (b *body) read() ([]byte, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text, b.isComplete || bytes.HasSuffix(bytes.TrimRight(b.text, "\r\n "), []byte("data: [DONE]"))
}
