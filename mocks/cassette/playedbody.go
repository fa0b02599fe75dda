package cassette

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"evalctl/agent/clock"
)

// playedBody is a body that comes again as it came.
type playedBody struct {
	ctx    context.Context
	cancel func()
	begin  time.Time
	from   Response
	beyond func() error // of what the recording does not know

	chunk  int    // the next
	rest   []byte // of the one before
	err    error  // stays
	closed atomic.Bool
}

// Read waits until the next piece came.
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

// over waits for the end of what was recorded, and says what it was; nil: the answer
// is whole.
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

// until waits until so many microseconds behind the request.
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

// Close ends it, whoever reads.
func (b *playedBody) Close() error {
	b.closed.Store(true)
	b.cancel()
	return nil
}
