package cassette

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"evalctl/agent/clock"
)

// playedBody is a body that is replayed with its original timing.
type playedBody struct {
	ctx    context.Context
	cancel func()
	begin  time.Time
	from   Response
	beyond func() error // called if the client reads beyond the recording

	chunk  int    // index of the next chunk
	rest   []byte // rest of the previous chunk
	err    error  // sticky
	closed atomic.Bool
}

// Read waits until the time of the next chunk.
func (b *playedBody) Read(p []byte) (int, error) {
	if b.closed.Load() {
		return 0, http.ErrBodyReadAfterClose
	}
	if b.err != nil || len(p) == 0 {
		return 0, b.err
	}
	for len(b.rest) == 0 && b.chunk < len(b.from.Chunks) {
		c := b.from.Chunks[b.chunk]
		if b.err = b.until(c.Offset); b.err != nil {
			return 0, b.err
		}
		b.rest, b.chunk = c.bytes(), b.chunk+1
	}
	if len(b.rest) > 0 {
		n := copy(p, b.rest)
		b.rest = b.rest[n:]
		return n, nil
	}
	if b.err = b.over(); b.err == nil {
		b.err = io.EOF
	}
	return 0, b.err
}

// over waits for the end of the recording and returns its error; nil: the answer is complete.
func (b *playedBody) over() error {
	if err := b.until(b.from.EndedAfter); err != nil {
		return err
	}
	if b.from.End != EndClientCanceled {
		return b.from.err()
	}
	if err := b.until(b.from.EndedAfter + grace.Microseconds()); err != nil {
		return err
	}
	return b.beyond()
}

// until waits until at microseconds after the request.
func (b *playedBody) until(at int64) error {
	wait := micros(at) - clock.Since(b.ctx, b.begin)
	if wait <= 0 && b.ctx.Err() == nil {
		return nil
	}
	if clock.Sleep(b.ctx, wait) != nil {
		return context.Cause(b.ctx)
	}
	return nil
}

// Close ends the body, even during a Read.
func (b *playedBody) Close() error {
	b.closed.Store(true)
	b.cancel()
	return nil
}
