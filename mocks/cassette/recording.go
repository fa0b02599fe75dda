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

// recording stands before the way out of a trial's part.
type recording struct {
	to     *Recorder
	who    TrialRef
	epoch  int
	next   http.RoundTripper
	counts counter
}

var _ http.RoundTripper = (*recording)(nil)

// Transport records what one part of a trial asks, in an epoch from 1, and what next answers.
func (r *Recorder) Transport(who TrialRef, epoch int, next http.RoundTripper) http.RoundTripper {
	return &recording{to: r, who: who, epoch: epoch, next: next}
}

// RoundTrip sends the request on.
func (t *recording) RoundTrip(r *http.Request) (*http.Response, error) {
	q, again, err := RequestOf(r, t.to.Redact)
	if err != nil {
		return nil, err
	}
	ctx := r.Context()
	e := Exchange{Key: q.Key(t.epoch), KeyWithoutTimes: q.KeyWithoutTimes(t.epoch), Epoch: t.epoch, Time: clock.Now(ctx), Trial: t.who, Request: q}
	e.Nth = t.counts.next(e.KeyWithoutTimes)
	b := &recordedBody{to: t.to, ctx: ctx, exchange: e, begin: clock.Now(ctx)}
	resp, err := t.next.RoundTrip(again)
	if err != nil {
		b.end(err)
		return nil, err
	}
	b.exchange.Response = Response{Status: resp.StatusCode, Headers: t.to.kept(ctx, resp.Header), HeadersAfter: b.passed()}
	b.body, resp.Body = resp.Body, b
	return resp, nil
}

// useful are the headers of an answer that somebody may look at.
var useful = []string{"Content-Type", "Content-Encoding", "Retry-After", "Retry-After-Ms", "Location", "Mcp-Session-Id", "X-Request-Id",
	"X-Ratelimit-Remaining-Requests", "X-Ratelimit-Remaining-Tokens"}

// kept are the headers without secrets. An instant to come again at is the time until
// then: a replay has another calendar.
func (r *Recorder) kept(ctx context.Context, h http.Header) map[string]string {
	kept := map[string]string{}
	for _, name := range useful {
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

// recordedBody hands on a body, and keeps what it was and when it came.
type recordedBody struct {
	to    *Recorder
	ctx   context.Context
	begin time.Time
	body  io.ReadCloser

	mu       sync.Mutex // a body may be closed by another than reads it
	exchange Exchange
	over     bool
}

// together is how far apart pieces are, in microseconds, that are kept as one.
const together = 100

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	b.mu.Lock()
	if n > 0 && !b.over {
		b.keep(p[:n])
	}
	b.mu.Unlock()
	if err != nil {
		b.end(err)
	}
	return n, err
}

// keep adds a piece; the caller holds the lock.
func (b *recordedBody) keep(piece []byte) {
	chunks, at := b.exchange.Response.Chunks, b.passed()
	if i := len(chunks) - 1; i >= 0 && at-chunks[i].Offset < together {
		chunks[i] = chunkOf(chunks[i].Offset, append(chunks[i].bytes(), piece...))
		return
	}
	b.exchange.Response.Chunks = append(chunks, chunkOf(at, append([]byte(nil), piece...)))
}

// Close ends the answer, where it has not ended by itself.
func (b *recordedBody) Close() error {
	b.end(nil)
	return b.body.Close()
}

func (b *recordedBody) passed() int64 { return clock.Since(b.ctx, b.begin).Microseconds() }

// end has the exchange written, once; nil err: who asked has left.
func (b *recordedBody) end(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return
	}
	b.over = true
	r := &b.exchange.Response
	r.EndedAfter = b.passed()
	switch {
	case err == io.EOF && r.Status != 0:
		r.End = EndComplete
	case err == nil, b.ctx.Err() != nil, errors.Is(err, context.Canceled):
		r.End = EndClientCanceled
	default:
		r.End, r.Error = endOf(err), Redact(err.Error(), b.to.Redact)
	}
	r.Chunks = scrubbed(r.Chunks, b.to.Redact)
	b.to.add(b.exchange)
}
