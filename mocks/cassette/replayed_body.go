package cassette

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"evalctl/agent/clock"
)

// replayedBody is a response body whose chunks arrive at the recorded times.
type replayedBody struct {
	ctx      context.Context
	cancel   func()
	begin    time.Time
	response Response
	onBeyond func() error // called if the client reads on after the recorded client canceled; returns the error

	chunk   int    // index of the next chunk to wait for
	pending []byte // bytes of the current chunk that have not been read yet
	err     error  // the first error, which every later Read returns
	closed  atomic.Bool
}

// Read blocks until the recorded time of the next chunk.
func (b *replayedBody) Read(p []byte) (int, error) {
	if b.closed.Load() {
		return 0, http.ErrBodyReadAfterClose
	}
	if b.err != nil || len(p) == 0 {
		return 0, b.err
	}
	for len(b.pending) == 0 && b.chunk < len(b.response.Chunks) {
		c := b.response.Chunks[b.chunk]
		if b.err = b.waitUntil(c.OffsetMicros); b.err != nil {
			return 0, b.err
		}
		b.pending, b.chunk = c.bytes(), b.chunk+1
	}
	if len(b.pending) > 0 {
		n := copy(p, b.pending)
		b.pending = b.pending[n:]
		return n, nil
	}
	if b.err = b.waitEnd(); b.err == nil {
		b.err = io.EOF
	}
	return 0, b.err
}

// waitEnd waits for the recorded end of the answer and returns the error with which it ended; nil:
// the answer is complete.
func (b *replayedBody) waitEnd() error {
	if err := b.waitUntil(b.response.EndMicros); err != nil {
		return err
	}
	if b.response.End != EndClientCanceled {
		return b.response.err()
	}
	if err := b.waitUntil(b.response.EndMicros + cancelTolerance.Microseconds()); err != nil {
		return err
	}
	return b.onBeyond()
}

// waitUntil waits until at microseconds have passed since the request.
func (b *replayedBody) waitUntil(at int64) error {
	wait := micros(at) - clock.Since(b.ctx, b.begin)
	if wait <= 0 && b.ctx.Err() == nil {
		return nil
	}
	if clock.Sleep(b.ctx, wait) != nil {
		return context.Cause(b.ctx)
	}
	return nil
}

// Close ends the body and unblocks a concurrent Read.
func (b *replayedBody) Close() error {
	b.closed.Store(true)
	b.cancel()
	return nil
}
