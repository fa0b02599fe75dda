package cassette

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"evalctl/agent/clock"
)

// recordTransport is the http.RoundTripper that Recorder.Transport returns.
type recordTransport struct {
	recorder *Recorder
	trial    TrialRef
	epoch    int
	next     http.RoundTripper
	counts   counter
}

var _ http.RoundTripper = (*recordTransport)(nil)

// Transport returns an http.RoundTripper that records the requests of one component in one trial
// (epochs count from 1). It sends them with next and records the answers.
func (r *Recorder) Transport(trial TrialRef, epoch int, next http.RoundTripper) http.RoundTripper {
	return &recordTransport{
		recorder: r,
		trial:    trial,
		epoch:    epoch,
		next:     next,
	}
}

// RoundTrip sends the request. The exchange is recorded once the body of the response has been read
// or closed.
func (t *recordTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	q, forward, err := ReadRequest(r, t.recorder.Redact)
	if err != nil {
		return nil, err
	}
	ctx := r.Context()
	e := Exchange{
		Key:             q.Key(t.epoch),
		KeyWithoutTimes: q.KeyWithoutTimes(t.epoch),
		Epoch:           t.epoch,
		Time:            clock.Now(ctx),
		Trial:           t.trial,
		Request:         q,
	}
	e.Occurrence = t.counts.next(e.KeyWithoutTimes)
	b := &recordedBody{
		recorder: t.recorder,
		ctx:      ctx,
		exchange: e,
		begin:    clock.Now(ctx),
	}
	resp, err := t.next.RoundTrip(forward)
	if err != nil {
		b.end(err)
		return nil, err
	}
	b.exchange.Response = Response{Status: resp.StatusCode, Headers: t.recorder.recordedHeaders(ctx, resp.Header),
		HeadersMicros: b.elapsed()}
	b.body, resp.Body = resp.Body, b
	return resp, nil
}

// recordedHeaderNames lists the response headers that are recorded, because clients use them.
var recordedHeaderNames = []string{"Content-Type", "Content-Encoding", "Retry-After", "Retry-After-Ms", "Location",
	"Mcp-Session-Id", "X-Request-Id",
	"X-Ratelimit-Remaining-Requests", "X-Ratelimit-Remaining-Tokens"}

// recordedHeaders returns the response headers to record, without secrets. A date in Retry-After is
// converted to a delay, because a replay happens at another date.
func (r *Recorder) recordedHeaders(ctx context.Context, h http.Header) map[string]string {
	kept := map[string]string{}
	for _, name := range recordedHeaderNames {
		if v := h.Get(name); v != "" {
			kept[name] = Redact(v, r.Redact)
		}
	}
	if at, err := http.ParseTime(kept["Retry-After"]); err == nil {
		wait := max(0, at.Sub(clock.WallNow(ctx))+time.Second-1)
		kept["Retry-After"] = strconv.FormatInt(int64(wait/time.Second), 10)
	}
	return kept
}

// recordedBody is a response body that records its chunks and their times while the client reads
// it.
type recordedBody struct {
	recorder *Recorder
	ctx      context.Context
	begin    time.Time
	body     io.ReadCloser

	mu       sync.Mutex // protects the fields below, because Close may run concurrently with Read
	exchange Exchange
	ended    bool
}

// mergeWindow is the time, in microseconds, within which chunks are recorded as one.
const mergeWindow = 100

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	b.mu.Lock()
	if n > 0 && !b.ended {
		b.addChunk(p[:n])
	}
	b.mu.Unlock()
	if err != nil {
		b.end(err)
	}
	return n, err
}

// addChunk records a piece of the body. The caller holds the lock.
func (b *recordedBody) addChunk(piece []byte) {
	chunks, at := b.exchange.Response.Chunks, b.elapsed()
	if i := len(chunks) - 1; i >= 0 && at-chunks[i].OffsetMicros < mergeWindow {
		chunks[i] = chunkOf(chunks[i].OffsetMicros, append(chunks[i].bytes(), piece...))
		return
	}
	b.exchange.Response.Chunks = append(chunks, chunkOf(at, append([]byte(nil), piece...)))
}

// Close records the exchange, if the body has not been read to its end, and closes the body.
func (b *recordedBody) Close() error {
	b.end(nil)
	return b.body.Close()
}

func (b *recordedBody) elapsed() int64 { return clock.Since(b.ctx, b.begin).Microseconds() }

// end writes the exchange to the cassette, once. A nil error means that the client canceled.
func (b *recordedBody) end(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return
	}
	b.ended = true
	r := &b.exchange.Response
	r.EndMicros = b.elapsed()
	switch {
	case err == io.EOF && r.Status != 0:
		r.End = EndComplete
	case err == nil, b.ctx.Err() != nil, errors.Is(err, context.Canceled):
		r.End = EndClientCanceled
	default:
		r.End, r.Error = endOf(err), Redact(err.Error(), b.recorder.Redact)
	}
	r.Chunks = redactChunks(r.Chunks, b.recorder.Redact)
	b.recorder.append(b.exchange)
}
