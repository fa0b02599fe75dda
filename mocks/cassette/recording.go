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

// recordTransport is the recording transport of one part of a trial.
type recordTransport struct {
	recorder *Recorder
	trial    TrialRef
	epoch    int
	next     http.RoundTripper
	counts   counter
}

var _ http.RoundTripper = (*recordTransport)(nil)

// Transport records the requests of one part of a trial in an epoch (from 1), and the answers of
// next.
func (r *Recorder) Transport(trial TrialRef, epoch int, next http.RoundTripper) http.RoundTripper {
	return &recordTransport{
		recorder: r,
		trial:    trial,
		epoch:    epoch,
		next:     next,
	}
}

// RoundTrip forwards the request.
func (t *recordTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	q, forward, err := RequestOf(r, t.recorder.Redact)
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
	e.Number = t.counts.next(e.KeyWithoutTimes)
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
		HeadersAfter: b.elapsed()}
	b.body, resp.Body = resp.Body, b
	return resp, nil
}

// recordedHeaderNames are the response headers that are recorded.
var recordedHeaderNames = []string{"Content-Type", "Content-Encoding", "Retry-After", "Retry-After-Ms", "Location",
	"Mcp-Session-Id", "X-Request-Id",
	"X-Ratelimit-Remaining-Requests", "X-Ratelimit-Remaining-Tokens"}

// recordedHeaders returns the recorded headers without secrets. A Retry-After date is converted to
// a delay, because a replay has a different date.
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

// recordedBody forwards a body and records its chunks and their times.
type recordedBody struct {
	recorder *Recorder
	ctx      context.Context
	begin    time.Time
	body     io.ReadCloser

	mu       sync.Mutex // Close may run concurrently with Read
	exchange Exchange
	ended    bool
}

// mergeWindow is the time in microseconds within which chunks are merged.
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

// addChunk adds a chunk. The caller holds the lock.
func (b *recordedBody) addChunk(piece []byte) {
	chunks, at := b.exchange.Response.Chunks, b.elapsed()
	if i := len(chunks) - 1; i >= 0 && at-chunks[i].Offset < mergeWindow {
		chunks[i] = chunkOf(chunks[i].Offset, append(chunks[i].bytes(), piece...))
		return
	}
	b.exchange.Response.Chunks = append(chunks, chunkOf(at, append([]byte(nil), piece...)))
}

// Close ends the answer if it has not ended yet.
func (b *recordedBody) Close() error {
	b.end(nil)
	return b.body.Close()
}

func (b *recordedBody) elapsed() int64 { return clock.Since(b.ctx, b.begin).Microseconds() }

// end writes the exchange once; nil err: the client has canceled.
func (b *recordedBody) end(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return
	}
	b.ended = true
	r := &b.exchange.Response
	r.EndedAfter = b.elapsed()
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
