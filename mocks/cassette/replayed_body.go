package cassette

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"evalctl/agent/clock"
)

// replayedBody is a body that is replayed with its original timing.
type replayedBody struct {
	ctx      context.Context
	cancel   func()
	begin    time.Time
	response Response
	onBeyond func() error // called if the client reads beyond the recording

	chunk   int    // index of the next chunk
	pending []byte // rest of the previous chunk
	err     error  // sticky
	closed  atomic.Bool
}

// Read waits until the time of the next chunk.
func (b *replayedBody) Read(p []byte) (int, error) {
	if b.closed.Load() {
		return 0, http.ErrBodyReadAfterClose
	}
	if b.err != nil || len(p) == 0 {
		return 0, b.err
	}
	for len(b.pending) == 0 && b.chunk < len(b.response.Chunks) {
		c := b.response.Chunks[b.chunk]
		if b.err = b.waitUntil(c.Offset); b.err != nil {
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

// waitEnd waits for the end of the recording and returns its error; nil: the answer is complete.
func (b *replayedBody) waitEnd() error {
	if err := b.waitUntil(b.response.EndedAfter); err != nil {
		return err
	}
	if b.response.End != EndClientCanceled {
		return b.response.err()
	}
	if err := b.waitUntil(b.response.EndedAfter + cancelTolerance.Microseconds()); err != nil {
		return err
	}
	return b.onBeyond()
}

// waitUntil waits until at microseconds after the request.
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

// Close ends the body, even during a Read.
func (b *replayedBody) Close() error {
	b.closed.Store(true)
	b.cancel()
	return nil
}
